// The value of a visit counts as a number of events, which an engine brings at some unknown rate. A
// Gamma distribution says what is believed of that rate: so many events in so many seconds. Each
// turn goes to the one whose drawn rate is the highest, so that who might be good is tried, and who
// is known to be bad hardly ever. Experience is forgotten with the time, since what an engine finds
// at first it does not find again.

#include "campaign/bandit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/text.h"
#include "campaign/numbers.h"

namespace elenchus::campaign {
namespace {

// After so many seconds of all engines together, experience counts half.
constexpr double kHalfLife = 300;
// Once in so many turns the one that had the fewest has its turn.
constexpr uint64_t kRounds = 16;
// One turn of an engine in so many goes to any of its ways. What its plain tests bring, the tests
// of the other ways bring, too, and what only shows under options or in push and pop is rare: by
// their rates alone they had 1 to 3% of the turns, also where every way was as good as the other.
constexpr uint64_t kAnyWay = 4;
// An engine that made no test in so many turns has no use for these seeds, or only for some.
constexpr uint64_t kTrials = 16;

// What comes of a bug is worth so much altogether, and is one event: counted as several it would
// make whoever was lucky once look proven.
constexpr double kEvent = 4;

// What is believed of engines and ways that have not been tried: values per second, about as
// campaigns on quiet neighbours of live bugs of z3 4.8.12, cvc4 1.8 and cvc5 1.0.3 gave them, and
// like so many seconds of experience. Ways are alike with most engines, and luck with one should
// not turn all away from the plain tests.
struct Figure {
  std::string_view name;
  double rate;
};
constexpr double kPriorSeconds = 20;
constexpr double kWayPriorSeconds = 20;
constexpr double kUsualRate = 0.1;
constexpr Figure kFigures[] = {
    {"edit", 1.0},      {"opfuzz", 0.3},   {"typefuzz", 0.2},    {"skeleton", 0.05},
    {"fusion", 0.03},   {"storm", 0.03},   {"generate", 0.05},   {"diver", 0.05},
    {"", 0.5},          {"options", 0.05}, {"incremental", 0.1}, {"tactics", 0.1},
    {"variants", 0.05},
};

double prior_rate(std::string_view name) {
  for (const Figure& figure : kFigures) {
    if (figure.name == name) return figure.rate;
  }
  return kUsualRate;
}

double normal(base::Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.unit()));
  return radius * std::cos(2 * std::numbers::pi * rng.unit());
}

// Marsaglia and Tsang's way; shapes below one by way of the next.
double gamma(double shape, base::Rng& rng) {
  if (shape < 1) {
    const double larger = gamma(shape + 1, rng);
    return larger * std::pow(1 - rng.unit(), 1 / shape);
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(rng);
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    if (std::log(1 - rng.unit()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

Bandit::Bandit(std::vector<std::string> names, bool forgets) : forgets_(forgets) {
  const auto place_of = [](std::vector<Prior>& priors, std::string_view name, double seconds) {
    const auto found = std::find_if(priors.begin(), priors.end(),
                                    [&](const Prior& prior) { return prior.name == name; });
    if (found != priors.end()) return static_cast<size_t>(found - priors.begin());
    priors.push_back({std::string(name), prior_rate(name) * seconds, seconds});
    return priors.size() - 1;
  };
  for (std::string& name : names) {
    const size_t plus = name.find('+');
    Arm arm;
    arm.engine = place_of(engines_, std::string_view(name).substr(0, plus), kPriorSeconds);
    const auto way =
        plus == std::string::npos ? std::string_view() : std::string_view(name).substr(plus + 1);
    arm.way = place_of(ways_, way, kWayPriorSeconds);
    arm.share.name = std::move(name);
    arms_.push_back(std::move(arm));
  }
}

bool Bandit::is_open(size_t place, uint64_t refused) const {
  return place >= 64 || (refused >> place & 1) == 0;
}

std::vector<size_t> Bandit::open_arms(uint64_t refused) const {
  std::vector<size_t> open;
  for (size_t i = 0; i < arms_.size(); ++i) {
    if (is_open(i, refused)) open.push_back(i);
  }
  if (!open.empty()) return open;
  for (size_t i = 0; i < arms_.size(); ++i) open.push_back(i);
  return open;
}

Bandit::Lately Bandit::now(const Lately& lately) const {
  const double share = forgets_ ? std::exp2((lately.as_of - spent_) / kHalfLife) : 1;
  return {lately.value * share, lately.seconds * share, spent_};
}

double Bandit::draw(const Prior& prior, const Sum& sum, base::Rng& rng) const {
  return kEvent * gamma((prior.value + sum.value) / kEvent, rng) / (prior.seconds + sum.seconds);
}

std::vector<Bandit::Sum> Bandit::sums_of_engines(const std::vector<size_t>& open) const {
  std::vector<Sum> sums(engines_.size());
  for (const size_t place : open) sums[arms_[place].engine].is_open = true;
  for (const Arm& arm : arms_) sums[arm.engine].add(arm, now(arm.lately));
  return sums;
}

// Engines that had no turn come first; then whose drawn rate is the highest.
size_t Bandit::pick_engine(const std::vector<size_t>& open, base::Rng& rng) const {
  const std::vector<Sum> sums = sums_of_engines(open);
  size_t best = arms_[open.front()].engine;
  double highest = -1;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].is_open) continue;
    if (sums[i].visits == 0) return i;
    const double rate = draw(engines_[i], sums[i], rng);
    if (rate <= highest) continue;
    highest = rate;
    best = i;
  }
  return best;
}

size_t Bandit::pick(uint64_t refused, base::Rng& rng) const {
  const std::vector<size_t> open = open_arms(refused);
  if (rng.one_in(kRounds)) {
    return *std::min_element(open.begin(), open.end(), [&](size_t a, size_t b) {
      return arms_[a].share.visits < arms_[b].share.visits;
    });
  }
  return pick_way(pick_engine(open, rng), open, rng);
}

size_t Bandit::pick_any_way(size_t engine, const std::vector<size_t>& open, base::Rng& rng) const {
  std::vector<size_t> ways;
  for (const size_t place : open) {
    if (arms_[place].engine == engine) ways.push_back(place);
  }
  return ways[rng.below(ways.size())];
}

// The same for the ways of an engine, by what they brought with all engines.
size_t Bandit::pick_way(size_t engine, const std::vector<size_t>& open, base::Rng& rng) const {
  if (rng.one_in(kAnyWay)) return pick_any_way(engine, open, rng);
  std::vector<Sum> sums(ways_.size());
  for (const Arm& arm : arms_) sums[arm.way].add(arm, now(arm.lately));
  size_t best = open.front();
  double highest = -1;
  for (const size_t place : open) {
    if (arms_[place].engine != engine) continue;
    const size_t way = arms_[place].way;
    if (sums[way].visits == 0) return place;
    const double rate = draw(ways_[way], sums[way], rng);
    if (rate <= highest) continue;
    highest = rate;
    best = place;
  }
  return best;
}

std::vector<size_t> Bandit::untried(uint64_t refused) const {
  const std::vector<Sum> sums = sums_of_engines(open_arms(refused));
  std::vector<size_t> untried;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].is_open && sums[i].tests == 0 && sums[i].visits < kTrials) untried.push_back(i);
  }
  return untried;
}

// The arm of the same engine without guests.
size_t Bandit::plain_arm_of(size_t place) const {
  const Arm& arm = arms_[place];
  const std::string& way = ways_[arm.way].name;
  if (way != "options" && way != "variants") return place;
  const auto plain = std::find_if(arms_.begin(), arms_.end(), [&](const Arm& other) {
    return other.engine == arm.engine && ways_[other.way].name.empty();
  });
  return plain == arms_.end() ? place : static_cast<size_t>(plain - arms_.begin());
}

void Bandit::add(Arm& arm, const Gain& gain) {
  arm.share.value += gain.value;
  arm.share.seconds += gain.seconds;
  arm.tests += gain.tests;
  arm.lately = now(arm.lately);
  arm.lately.value += gain.value;
  arm.lately.seconds += gain.seconds;
}

void Bandit::report(size_t place, const Gain& own, const Gain& guests) {
  spent_ += own.seconds + guests.seconds;
  add(arms_[plain_arm_of(place)], own);
  add(arms_[place], guests);
}

void Bandit::learn(std::string_view name, double value, double seconds) {
  spent_ += seconds;
  for (Arm& arm : arms_) {
    if (arm.share.name != name) continue;
    arm.lately = now(arm.lately);
    arm.lately.value += value;
    arm.lately.seconds += seconds;
  }
}

void Bandit::reward(std::string_view name, double value) {
  for (Arm& arm : arms_) {
    if (arm.share.name != name) continue;
    add(arm, {value, 0});
  }
}

std::vector<Share> Bandit::shares() const {
  std::vector<Share> shares;
  for (const Arm& arm : arms_) shares.push_back(arm.share);
  return shares;
}

std::string Bandit::notes() const {
  std::string notes = fmt::format("{}\n", spent_);
  for (const Arm& arm : arms_) {
    notes += fmt::format("{}\n{} {} {} {} {} {} {}\n", arm.share.name, arm.share.visits,
                         arm.share.seconds, arm.share.value, arm.lately.value, arm.lately.seconds,
                         arm.lately.as_of, arm.tests);
  }
  return notes;
}

bool Bandit::restore(std::string_view notes) {
  Numbers first(base::take_line(notes));
  const auto spent = first.next<double>();
  if (!first.are_read()) return false;
  spent_ = spent;
  bool is_same = true;
  size_t place = 0;
  for (; !notes.empty(); ++place) {
    const std::string_view name = base::take_line(notes);
    Numbers numbers(base::take_line(notes));
    const auto visits = numbers.next<uint64_t>();
    const auto seconds = numbers.next<double>();
    const auto value = numbers.next<double>();
    Lately lately;
    lately.value = numbers.next<double>();
    lately.seconds = numbers.next<double>();
    lately.as_of = numbers.next<double>();
    // Notes of older campaigns do not have them.
    const auto tests = numbers.are_read() ? visits : numbers.next<uint64_t>();
    if (place >= arms_.size() || arms_[place].share.name != name) is_same = false;
    const auto arm = std::find_if(arms_.begin(), arms_.end(),
                                  [&](const Arm& one) { return one.share.name == name; });
    if (arm == arms_.end() || !numbers.are_read()) continue;
    arm->share = {arm->share.name, visits, seconds, value};
    arm->lately = lately;
    arm->tests = tests;
  }
  return is_same && place == arms_.size();
}

}  // namespace elenchus::campaign
