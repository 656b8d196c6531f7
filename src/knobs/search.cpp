// A vector has a value for each knob that matters to a formula. The first ones are drawn at random;
// of each generation the best have the next: every two of them give two children by one-point
// crossover, and each value of a child changes with probability 1/length. Booleans are flipped,
// integers get a delta, reals change by polynomial mutation (Deb and Deb, 2014), words are drawn
// from the list. The search ends when ten generations brought nothing new, or with the hundredth
// child.
//
// Beyond the paper: a vector gives at most so many knobs (the policy of a campaign), and the first
// ones give few, since most large random sets are refused by solvers. The best of all generations
// stay parents, so that a generation of conflicts loses nothing.

#include "knobs/search.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"

namespace elenchus::knobs {
namespace {

// How close to its parent polynomial mutation stays; the usual choice.
constexpr double kEta = 20;

// So often is a vector drawn in place of one that was tried before; then there may be no others.
constexpr uint32_t kDraws = 16;

uint64_t hash_of(const Vector& values) {
  uint64_t hash = values.size();
  for (const std::string& value : values) hash = base::hash_mix(hash, base::hash_bytes(value));
  return hash;
}

double number_of(const Knob& knob, const std::string& value) {
  const std::string& text = value.empty() ? knob.standard : value;
  double number = knob.low;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::clamp(number, knob.low, knob.high);
}

// Text, or nothing where it is the default.
std::string unless_standard(const Knob& knob, std::string text) {
  if (text == knob.standard) text.clear();
  return text;
}

std::string integer_text(const Knob& knob, double number) {
  const double whole = std::round(std::clamp(number, knob.low, knob.high));
  return unless_standard(knob, fmt::format("{}", static_cast<int64_t>(whole)));
}

std::string real_text(const Knob& knob, double number) {
  return unless_standard(knob, fmt::format("{:.6f}", std::clamp(number, knob.low, knob.high)));
}

std::string with_delta(const Knob& knob, double number, base::Rng& rng) {
  const auto range = static_cast<uint64_t>(std::max(knob.high - knob.low, 1.0));
  // Small steps mostly, now and then a long one.
  constexpr uint64_t kStopOneIn = 3;
  uint64_t most = 1;
  while (most < range && !rng.one_in(kStopOneIn)) most *= 2;
  const auto delta = static_cast<double>(rng.below(most) + 1);
  const bool up = number <= knob.low || (number < knob.high && rng.coin());
  return integer_text(knob, up ? number + delta : number - delta);
}

std::string polynomial(const Knob& knob, double number, base::Rng& rng) {
  const double u = rng.unit();
  const double range = knob.high - knob.low;
  if (u < 0.5) {
    const double delta = std::pow(2 * u, 1 / (1 + kEta)) - 1;
    return real_text(knob, number + delta * (number - knob.low));
  }
  const double delta = 1 - std::pow(2 * (1 - u), 1 / (1 + kEta));
  const double room = number < knob.high ? knob.high - number : range;
  return real_text(knob, number + delta * room);
}

// Of a Boolean whose default is not known, either value may be given.
std::string flipped(const Knob& knob, const std::string& value, base::Rng& rng) {
  const std::string& now = value.empty() ? knob.standard : value;
  if (now.empty()) return rng.coin() ? "true" : "false";
  return unless_standard(knob, now == "true" ? "false" : "true");
}

std::string another_word(const Knob& knob, const std::string& value, base::Rng& rng) {
  const std::string& now = value.empty() ? knob.standard : value;
  std::vector<std::string> others;
  for (const std::string& word : knob.values) {
    if (word != now) others.push_back(word);
  }
  if (others.empty()) return value;
  return unless_standard(knob, others[rng.below(others.size())]);
}

}  // namespace

std::string changed(const Knob& knob, const std::string& value, base::Rng& rng) {
  switch (knob.type) {
    case Type::kBool: return flipped(knob, value, rng);
    case Type::kInteger: return with_delta(knob, number_of(knob, value), rng);
    case Type::kReal: return polynomial(knob, number_of(knob, value), rng);
    case Type::kEnum:
    case Type::kString: return another_word(knob, value, rng);
  }
  return value;
}

std::string random_value(const Knob& knob, base::Rng& rng) {
  const double range = knob.high - knob.low;
  for (int i = 0; i < 8; ++i) {
    std::string value;
    if (knob.type == Type::kInteger) {
      constexpr uint64_t kEndOneIn = 3;  // the ends are where things break
      const double number = rng.one_in(kEndOneIn) ? (rng.coin() ? knob.low : knob.high)
                                                  : knob.low + std::floor(rng.unit() * (range + 1));
      value = integer_text(knob, number);
    } else if (knob.type == Type::kReal) {
      value = real_text(knob, knob.low + rng.unit() * range);
    } else {
      value = changed(knob, {}, rng);
    }
    if (!value.empty()) return value;
  }
  return {};
}

Search::Search(std::vector<const Knob*> knobs, const SearchSettings& settings, base::Rng& rng)
    : knobs_(std::move(knobs)), settings_(settings) {
  if (knobs_.empty()) return;
  for (uint32_t i = 0; i < settings_.population; ++i) add_random(rng);
}

bool Search::is_over() const {
  return generation_.empty() || barren_ >= settings_.barren ||
         offspring_ >= settings_.most_offspring;
}

Vector Search::random_vector(base::Rng& rng) const {
  Vector values(knobs_.size());
  const uint64_t most = std::min<uint64_t>({settings_.most, settings_.first_most, knobs_.size()});
  const uint64_t count = most == 0 ? 0 : 1 + rng.below(most);
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = rng.below(knobs_.size());
    values[at] = random_value(*knobs_[at], rng);
  }
  return values;
}

void Search::mutate(Vector& values, base::Rng& rng) const {
  for (size_t i = 0; i < values.size(); ++i) {
    if (rng.one_in(values.size())) values[i] = changed(*knobs_[i], values[i], rng);
  }
}

// Drops given values at random until there are no more than may be.
void Search::trim(Vector& values, base::Rng& rng) const {
  std::vector<size_t> given;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) given.push_back(i);
  }
  while (given.size() > settings_.most) {
    const size_t victim = rng.below(given.size());
    values[given[victim]].clear();
    given.erase(given.begin() + static_cast<std::ptrdiff_t>(victim));
  }
}

void Search::report(const Showing& showing, base::Rng& rng) {
  if (is_over()) return;
  Member& member = generation_[at_];
  member.fitness = showing.conflict ? 0 : showing.fitness;
  member.conflict = showing.conflict;
  has_news_ = has_news_ || (showing.has_news && !showing.conflict);
  if (++at_ == generation_.size()) next_generation(rng);
}

bool Search::admit(Vector values) {
  // One that gives nothing would try the default again.
  const bool is_plain =
      std::all_of(values.begin(), values.end(), [](const std::string& v) { return v.empty(); });
  if (is_plain || !drawn_.insert(hash_of(values)).second) return false;
  generation_.push_back({.values = std::move(values)});
  return true;
}

void Search::add_random(base::Rng& rng) {
  for (uint32_t i = 0; i < kDraws; ++i) {
    if (admit(random_vector(rng))) return;
  }
}

void Search::add_child(const Vector& parent, base::Rng& rng) {
  ++offspring_;
  for (uint32_t i = 0; i < kDraws; ++i) {
    Vector child = parent;
    mutate(child, rng);
    trim(child, rng);
    if (admit(std::move(child))) return;
  }
  add_random(rng);
}

void Search::next_generation(base::Rng& rng) {
  ++generations_;
  barren_ = has_news_ ? 0 : barren_ + 1;
  has_news_ = false;
  at_ = 0;
  if (settings_.breeds) return breed(rng);
  offspring_ += static_cast<uint32_t>(generation_.size());
  generation_.clear();
  for (uint32_t i = 0; i < settings_.population; ++i) add_random(rng);
}

// The best of all generations have the next one.
void Search::breed(base::Rng& rng) {
  for (Member& member : generation_) {
    if (!member.conflict) best_.push_back(std::move(member));
  }
  std::stable_sort(best_.begin(), best_.end(),
                   [](const Member& a, const Member& b) { return a.fitness > b.fitness; });
  if (best_.size() > settings_.parents) best_.resize(settings_.parents);
  generation_.clear();
  for (size_t i = 0; i < best_.size(); ++i) {
    for (size_t k = i + 1; k < best_.size(); ++k) {
      Vector one = best_[i].values;
      Vector two = best_[k].values;
      const size_t point = rng.below(one.size() + 1);
      for (size_t at = point; at < one.size(); ++at) std::swap(one[at], two[at]);
      add_child(one, rng);
      add_child(two, rng);
    }
  }
  // All of them were refused: others, at random.
  constexpr uint32_t kFewest = 2;
  for (size_t i = generation_.size(); i < kFewest; ++i) {
    ++offspring_;
    add_random(rng);
  }
}

}  // namespace elenchus::knobs
