// A bandit over seeds and one over engines. The value of a visit is what it found out: decided
// tests a little, behaviour of a solver that was not seen before more, a finding of a new kind
// most. Time goes to what brings value per second, and a quarter of the visits go round all seeds,
// an eighth round all engines.

#include "campaign/scheduler.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace elenchus::campaign {
namespace {

constexpr double kDecidedValue = 1;
constexpr double kKeyValue = 10;
constexpr double kSignatureValue = 500;
// What is assumed of a seed or an engine before there is experience with it.
constexpr double kPriorValue = 30;
constexpr double kPriorSeconds = 1;
// No seed is this many times as likely as another that is in use.
constexpr double kLargestWeight = 5000;
constexpr double kSmallestWeight = 1;
constexpr uint64_t kSeedRounds = 4;
constexpr uint64_t kEngineRounds = 8;

double value_of(const Yield& yield) {
  return kDecidedValue * yield.decided + kKeyValue * yield.new_keys +
         kSignatureValue * yield.new_signatures;
}

double rate(double value, double seconds) {
  return (value + kPriorValue) / (seconds + kPriorSeconds);
}

}  // namespace

Scheduler::Scheduler(size_t seeds, std::vector<std::string> engines, size_t solvers, base::Rng rng)
    : rng_(rng),
      seeds_(seeds),
      solvers_(solvers),
      left_(seeds),
      round_(seeds),
      weights_(seeds, 0),
      sums_(seeds + 1, 0) {
  for (std::string& name : engines) engines_.push_back({std::move(name), 0, 0, 0});
  std::iota(round_.begin(), round_.end(), 0U);
  rng_.shuffle(std::span(round_));
  for (size_t i = 0; i < seeds; ++i) set_weight(i, weight_of(seeds_[i]));
}

bool Scheduler::next(Visit& visit) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) return false;
  visit.seed = pick_seed();
  SeedState& seed = seeds_[visit.seed];
  visit.engine = willing_engine(seed);
  visit.is_refused = false;
  visit.is_first = seed.visits == 0;
  visit.paces = seed.paces.empty() ? std::vector<Pace>(solvers_) : seed.paces;
  visited_ += visit.is_first ? 1 : 0;
  ++seed.visits;
  ++engines_[visit.engine].visits;
  return true;
}

void Scheduler::report(const Visit& visit, const Yield& yield) {
  const std::lock_guard lock(mutex_);
  SeedState& seed = seeds_[visit.seed];
  seed.value += value_of(yield);
  seed.seconds += yield.seconds;
  seed.paces = visit.paces;
  if (visit.is_refused && visit.engine < 64) seed.refused |= uint64_t{1} << visit.engine;
  if (!seed.dropped) set_weight(visit.seed, weight_of(seed));
  Share& engine = engines_[visit.engine];
  engine.value += value_of(yield);
  engine.seconds += yield.seconds;
}

void Scheduler::drop(size_t seed) {
  const std::lock_guard lock(mutex_);
  if (seeds_[seed].dropped) return;
  seeds_[seed].dropped = true;
  set_weight(seed, 0);
  --left_;
}

size_t Scheduler::seeds_left() const {
  const std::lock_guard lock(mutex_);
  return left_;
}

size_t Scheduler::seeds_visited() const {
  const std::lock_guard lock(mutex_);
  return visited_;
}

std::vector<Share> Scheduler::engine_shares() const {
  const std::lock_guard lock(mutex_);
  return engines_;
}

// The first round goes over all seeds; later ones take their turns among the weighted draws.
size_t Scheduler::pick_seed() {
  if (visited_ < seeds_.size() || rng_.one_in(kSeedRounds)) return least_visited();
  double draw = rng_.unit() * total_weight_;
  size_t at = 0;
  size_t step = 1;
  while (step * 2 <= weights_.size()) step *= 2;
  for (; step > 0; step /= 2) {
    if (at + step <= weights_.size() && sums_[at + step] <= draw) {
      at += step;
      draw -= sums_[at];
    }
  }
  // Sums of fractions may be off by a little at the ends.
  if (at >= seeds_.size() || seeds_[at].dropped) return least_visited();
  return at;
}

size_t Scheduler::least_visited() {
  while (true) {
    const size_t seed = round_[round_at_];
    round_at_ = (round_at_ + 1) % round_.size();
    if (!seeds_[seed].dropped) return seed;
  }
}

size_t Scheduler::pick_engine() {
  if (rng_.one_in(kEngineRounds)) {
    const auto least =
        std::min_element(engines_.begin(), engines_.end(),
                         [](const Share& a, const Share& b) { return a.visits < b.visits; });
    return static_cast<size_t>(least - engines_.begin());
  }
  double total = 0;
  for (const Share& engine : engines_) total += rate(engine.value, engine.seconds);
  double draw = rng_.unit() * total;
  for (size_t i = 0; i < engines_.size(); ++i) {
    draw -= rate(engines_[i].value, engines_[i].seconds);
    if (draw < 0) return i;
  }
  return engines_.size() - 1;
}

// The engine that is picked, or the next one that has a use for the seed, if there is one.
size_t Scheduler::willing_engine(const SeedState& seed) {
  const size_t picked = pick_engine();
  for (size_t i = 0; i < engines_.size(); ++i) {
    const size_t engine = (picked + i) % engines_.size();
    if (engine >= 64 || (seed.refused >> engine & 1) == 0) return engine;
  }
  return picked;
}

double Scheduler::weight_of(const SeedState& seed) const {
  return std::clamp(rate(seed.value, seed.seconds), kSmallestWeight, kLargestWeight);
}

void Scheduler::set_weight(size_t seed, double weight) {
  const double change = weight - weights_[seed];
  weights_[seed] = weight;
  total_weight_ += change;
  for (size_t i = seed + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += change;
}

}  // namespace elenchus::campaign
