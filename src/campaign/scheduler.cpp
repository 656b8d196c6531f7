// Seeds are drawn by what they brought per second lately, a quarter of the visits goes round all of
// them; which engine goes there, the bandit says. The value of a visit is what it found out: a
// suspicion of a cause that nobody had met counts as one, a bug that comes of it as some more; one
// more suspicion of a known cause, and behaviour of a solver that no test had shown, a little.
// Decided tests count nothing: that a solver answers is no news.

#include "campaign/scheduler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "campaign/numbers.h"

namespace elenchus::campaign {
namespace {

constexpr double kCauseValue = 1;
constexpr double kSuspicionValue = 0.1;
// A cause that shows under options or in a variant only is worth less to whoever reads the reports,
// and yet a bug.
constexpr double kGuestCauseValue = 0.3;
constexpr double kBugValue = 3;
// The same for the seed: what shows a bug once shows the same one again, mostly.
constexpr double kBugValueOfSeed = 0.5;
// New keys come in hundreds at first, and by ones later: their number counts by its order.
constexpr double kKeyValue = 0.05;
// What is assumed of a seed before there is experience with it.
constexpr double kPriorValue = 0.3;
constexpr double kSeedPriorSeconds = 1;
// What is left of experience with a seed after another visit.
constexpr double kMemory = 0.7;
// No seed is this many times as likely as another that is in use.
constexpr double kLargestWeight = 20;
constexpr double kSmallestWeight = 0.02;
constexpr uint64_t kSeedRounds = 4;
// Mutants of a first visit. It grows by doubling: with visits that pay, and a little with each
// visit, since a seed that was often visited has been looked at from all sides.
constexpr uint32_t kFirstTests = 8;
constexpr uint32_t kMostDoublings = 6;
constexpr uint32_t kDoublingsByVisits = 3;
// What lies next to a seed comes first: of so many first visits to each seed, this share goes to
// the engine that looks there. On quiet neighbours of live bugs a random change of a neighbour
// shows one in 8 of 100 cases, and this brings a fifth more bugs back in two minutes than the
// bandit does.
constexpr std::string_view kNeighbourhood = "edit";
constexpr uint32_t kNeighbourhoodVisits = 2;
constexpr double kNeighbourhoodShare = 0.7;
// One of these in so many is made in another way: what an edit shows under options, in a variant,
// with push and pop or by a tactic, plain tests do not show. With options and variants the plain
// test is made all the same.
constexpr uint64_t kNeighbourhoodInOtherWays = 4;
constexpr std::string_view kNeighbourhoodWays[] = {"edit+options", "edit+variants",
                                                   "edit+incremental", "edit+tactics"};
// While there are engines that have made no test, one visit in so many goes to one of them: also
// somebody who looks on for half a minute sees what each does.
constexpr uint64_t kUntried = 2;
// Scripts that joined the pool and were not visited yet have one in so many visits.
constexpr uint64_t kNewcomers = 8;
// A visit that brought so much paid.
constexpr double kPays = 0.2;

double value_of(const Yield& yield) {
  return kCauseValue * yield.causes + kSuspicionValue * yield.suspicions +
         kKeyValue * std::log2(1.0 + yield.new_keys);
}

double value_of(const Yield::Guests& guests) {
  return kGuestCauseValue * guests.causes + kSuspicionValue * guests.suspicions +
         kKeyValue * std::log2(1.0 + guests.new_keys);
}

double rate(double value, double seconds) {
  return (value + kPriorValue) / (seconds + kSeedPriorSeconds);
}

using RngWords = std::array<uint64_t, sizeof(base::Rng) / sizeof(uint64_t)>;

}  // namespace

Scheduler::Scheduler(size_t seeds, std::vector<std::string> engines, size_t solvers, base::Rng rng,
                     const SearchParts& parts)
    : rng_(rng),
      first_rng_(rng),
      engine_names_(engines),
      parts_(parts),
      engines_(std::move(engines), parts.forgetting),
      solvers_(solvers),
      round_(seeds) {
  const auto found = std::find(engine_names_.begin(), engine_names_.end(), kNeighbourhood);
  if (parts.neighbourhood && found != engine_names_.end())
    neighbourhood_ = found - engine_names_.begin();
  for (size_t i = 0; i < engine_names_.size(); ++i) {
    const auto end = std::end(kNeighbourhoodWays);
    if (std::find(std::begin(kNeighbourhoodWays), end, engine_names_[i]) != end) {
      neighbourhood_ways_.push_back(i);
    }
  }
  draw_round();
  for (size_t i = 0; i < seeds; ++i) append_seed();
}

void Scheduler::append_seed() {
  const SeedState& seed = seeds_.emplace_back();
  ++left_;
  weights_.push_back(0);
  // A node of the tree holds the sum of the weights below it.
  const size_t node = sums_.size();
  const size_t below = node - (node & (~node + 1));
  double sum = 0;
  for (size_t i = node - 1; i > below; i -= i & (~i + 1)) sum += sums_[i];
  sums_.push_back(sum);
  set_weight(seeds_.size() - 1, weight_of(seed));
}

size_t Scheduler::add_seed(std::optional<size_t> ancestor) {
  const std::lock_guard lock(mutex_);
  append_seed();
  if (ancestor) seeds_.back().paces = seeds_[*ancestor].paces;
  round_.push_back(static_cast<uint32_t>(seeds_.size() - 1));
  newcomers_.push_back(round_.back());
  return round_.back();
}

void Scheduler::draw_round() {
  rng_ = first_rng_;
  std::iota(round_.begin(), round_.end(), 0U);
  rng_.shuffle(std::span(round_));
}

bool Scheduler::next(Visit& visit) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) return false;
  visit.seed = pick_seed();
  SeedState& seed = seeds_[visit.seed];
  visit.engine = pick_engine(seed);
  visit.is_refused = false;
  visit.is_first = std::exchange(seed.is_new, false);
  visit.paces = seed.paces.empty() ? std::vector<Pace>(solvers_) : seed.paces;
  visited_ += visit.is_first ? 1 : 0;
  if (visit.is_first) std::erase(newcomers_, static_cast<uint32_t>(visit.seed));
  visit.tests = length_of_visit(seed);
  ++seed.visits;
  seed.is_noted = false;
  engines_.begin(visit.engine);
  return true;
}

size_t Scheduler::pick_engine(const SeedState& seed) {
  const std::vector<size_t> untried = engines_.untried(seed.refused);
  if (!untried.empty() && rng_.one_in(kUntried)) {
    const size_t engine = untried[rng_.below(untried.size())];
    return engines_.pick_way(engine, seed.refused, rng_);
  }
  const bool may_look = neighbourhood_ && seed.visits < kNeighbourhoodVisits &&
                        (seed.refused >> *neighbourhood_ & 1) == 0;
  if (may_look && rng_.unit() < kNeighbourhoodShare) return pick_neighbourhood(seed);
  return engines_.pick(seed.refused, rng_);
}

size_t Scheduler::pick_neighbourhood(const SeedState& seed) {
  if (neighbourhood_ways_.empty() || !rng_.one_in(kNeighbourhoodInOtherWays)) {
    return *neighbourhood_;
  }
  const size_t way = neighbourhood_ways_[rng_.below(neighbourhood_ways_.size())];
  const bool is_refused = way < 64 && (seed.refused >> way & 1) != 0;
  return is_refused ? *neighbourhood_ : way;
}

void Scheduler::report(const Visit& visit, const Yield& yield) {
  const std::lock_guard lock(mutex_);
  SeedState& seed = seeds_[visit.seed];
  const double own = value_of(yield);
  const double by_guests = value_of(yield.guests);
  const double value = own + by_guests;
  const double memory = parts_.forgetting ? kMemory : 1;
  seed.value = memory * seed.value + value;
  seed.seconds = memory * seed.seconds + yield.seconds + yield.guests.seconds;
  if (value >= kPays) {
    seed.level = std::min(seed.level + 1, kMostDoublings);
  } else if (seed.level > 0) {
    --seed.level;
  }
  seed.paces = visit.paces;
  seed.is_noted = false;
  ++seed.reports;
  if (visit.is_refused && visit.engine < 64) seed.refused |= uint64_t{1} << visit.engine;
  if (!seed.dropped) set_weight(visit.seed, weight_of(seed));
  engines_.report(visit.engine, {own, yield.seconds, yield.tests},
                  {by_guests, yield.guests.seconds});
  earn(visit.seed, engine_names_[visit.engine], value, yield.seconds + yield.guests.seconds);
}

// Of seeds, only those are worth telling that paid once.
void Scheduler::earn(size_t seed, std::string_view engine, double value, double seconds) {
  Worth& by_engine = earnings_.engines[std::string(engine)];
  by_engine.value += value;
  by_engine.seconds += seconds;
  const auto known = earnings_.seeds.find(seed);
  if (known == earnings_.seeds.end() && value < kPays) return;
  Worth& by_seed = earnings_.seeds[seed];
  by_seed.value += value;
  by_seed.seconds += seconds;
}

Scheduler::Earnings Scheduler::earnings() const {
  const std::lock_guard lock(mutex_);
  return earnings_;
}

void Scheduler::learn(std::string_view engine, const Worth& worth) {
  const std::lock_guard lock(mutex_);
  engines_.learn(engine, worth.value, worth.seconds);
}

void Scheduler::learn(size_t seed, const Worth& worth) {
  const std::lock_guard lock(mutex_);
  SeedState& state = seeds_[seed];
  state.value = kMemory * state.value + worth.value;
  state.seconds = kMemory * state.seconds + worth.seconds;
  if (!state.dropped) set_weight(seed, weight_of(state));
}

void Scheduler::give_back(const Visit& visit) {
  const std::lock_guard lock(mutex_);
  SeedState& seed = seeds_[visit.seed];
  seed.is_noted = false;
  --seed.visits;
  engines_.give_back(visit.engine);
  if (!visit.is_first) return;
  // The next visit is the first again, even where somebody else came by meanwhile and took the seed
  // for one that had been looked at, or was done with it.
  seed.is_new = true;
  --visited_;
  if (!std::exchange(seed.dropped, false)) return;
  ++left_;
  set_weight(visit.seed, weight_of(seed));
}

void Scheduler::reward(size_t seed, std::string_view engine, double bugs) {
  const std::lock_guard lock(mutex_);
  SeedState& state = seeds_[seed];
  // Further bugs from around one seed are likely to be the first in other clothes.
  const double news = bugs / ++state.bugs;
  state.value += kBugValueOfSeed * news;
  if (!state.dropped) set_weight(seed, weight_of(state));
  engines_.reward(engine, kBugValue * news);
  earn(seed, engine, kBugValue * news, 0);
}

void Scheduler::drop(size_t seed) {
  const std::lock_guard lock(mutex_);
  if (seeds_[seed].dropped) return;
  seeds_[seed].dropped = true;
  set_weight(seed, 0);
  --left_;
}

// The first line has the random states, that of the start and that of today, and the place in the
// round; then there are the lines of the bandit. A seed has its visits that came to an end, level,
// value, seconds and refusals, then the paces of the solvers.
Scheduler::Notes Scheduler::take_notes() {
  const std::lock_guard lock(mutex_);
  Notes notes;
  for (const base::Rng& rng : {first_rng_, rng_}) {
    for (const uint64_t word : std::bit_cast<RngWords>(rng)) {
      notes.whole += fmt::format("{} ", word);
    }
  }
  notes.whole += fmt::format("{}\n{}", round_at_, engines_.notes());
  for (size_t i = 0; i < seeds_.size(); ++i) {
    SeedState& seed = seeds_[i];
    if (std::exchange(seed.is_noted, true)) continue;
    std::string text = fmt::format("{} {} {} {} {}", seed.reports, seed.level, seed.value,
                                   seed.seconds, seed.refused);
    for (const Pace& pace : seed.paces) {
      text += fmt::format(" {} {} {} {} {}", pace.usual, pace.decided, pace.timeouts, pace.rejected,
                          pace.tests);
    }
    notes.seeds.emplace_back(i, std::move(text));
  }
  return notes;
}

void Scheduler::restore(std::string_view whole) {
  const std::lock_guard lock(mutex_);
  Numbers numbers(base::take_line(whole));
  RngWords first;
  for (uint64_t& word : first) word = numbers.next<uint64_t>();
  RngWords latest;
  for (uint64_t& word : latest) word = numbers.next<uint64_t>();
  const auto round_at = numbers.next<size_t>();
  has_these_engines_ = numbers.are_read();
  if (!has_these_engines_) return;
  first_rng_ = std::bit_cast<base::Rng>(first);
  draw_round();
  rng_ = std::bit_cast<base::Rng>(latest);
  round_at_ = round_at % std::max<size_t>(round_.size(), 1);
  has_these_engines_ = engines_.restore(whole);
}

void Scheduler::restore_seed(size_t seed, std::string_view note) {
  const std::lock_guard lock(mutex_);
  Numbers numbers(note);
  SeedState state;
  state.visits = state.reports = numbers.next<uint32_t>();
  state.level = std::min(numbers.next<uint32_t>(), kMostDoublings);
  state.value = numbers.next<double>();
  state.seconds = numbers.next<double>();
  state.refused = numbers.next<uint64_t>();
  if (!has_these_engines_) state.refused = 0;
  for (size_t i = 0; i < solvers_ && !numbers.are_read(); ++i) {
    Pace& pace = state.paces.emplace_back();
    pace.usual = numbers.next<float>();
    pace.decided = numbers.next<uint32_t>();
    pace.timeouts = numbers.next<uint32_t>();
    pace.rejected = numbers.next<uint32_t>();
    pace.tests = numbers.next<uint32_t>();
  }
  if (!numbers.are_read()) return;
  if (state.paces.size() != solvers_) state.paces.clear();
  state.is_new = state.visits == 0;
  state.dropped = seeds_[seed].dropped;
  const bool was_visited = seeds_[seed].visits > 0;
  seeds_[seed] = std::move(state);
  visited_ += !was_visited && seeds_[seed].visits > 0 ? 1 : 0;
  if (!seeds_[seed].dropped) set_weight(seed, weight_of(seeds_[seed]));
}

size_t Scheduler::seeds_left() const {
  const std::lock_guard lock(mutex_);
  return left_;
}

size_t Scheduler::seeds_visited() const {
  const std::lock_guard lock(mutex_);
  return visited_;
}

size_t Scheduler::seeds() const {
  const std::lock_guard lock(mutex_);
  return seeds_.size();
}

std::vector<Share> Scheduler::engine_shares() const {
  const std::lock_guard lock(mutex_);
  return engines_.shares();
}

// The first round goes over all seeds; later ones take their turns among the weighted draws, and
// among visits to those that came later.
size_t Scheduler::pick_seed() {
  if (visited_ + newcomers_.size() < seeds_.size()) return least_visited();
  if (!newcomers_.empty() && rng_.one_in(kNewcomers)) return newcomers_.back();
  if (rng_.one_in(kSeedRounds)) return least_visited();
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

uint32_t Scheduler::length_of_visit(const SeedState& seed) const {
  if (!parts_.breadth) return kFirstTests << kMostDoublings;
  const auto by_visits = static_cast<uint32_t>(std::bit_width(seed.visits + 1U) - 1);
  const uint32_t doublings = seed.level + std::min(by_visits, kDoublingsByVisits);
  return kFirstTests << std::min(doublings, kMostDoublings);
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
