#include "num/regex_query.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace elenchus::num {
namespace {

// How many derivatives stay from one question to the next, and how many a match may pile up.
constexpr uint32_t kKeptNodes = 1U << 12;
constexpr uint32_t kScratchNodes = 1U << 16;

// Drops the expressions made in its lifetime if they are many.
class Scope {
 public:
  explicit Scope(RegexStore& store) : store_(store), mark_(store.mark()) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    if (store_.size() - mark_.nodes > kKeptNodes) store_.rollback(mark_);
  }

 private:
  RegexStore& store_;
  RegexStore::Mark mark_;
};

// Goes from derivative to derivative. Of what it makes on the way it keeps only what the present
// one needs when it becomes too much; a loop of a million rounds would else leave a million nodes.
class Walker {
 public:
  Walker(RegexDeriver& deriver, RegexBudget& budget)
      : deriver_(deriver), budget_(budget), mark_(deriver.store().mark()) {}

  // False when the budget runs out.
  bool step(RegexId& state, char32_t c) {
    const auto next = deriver_.derivative(state, c, budget_);
    if (!next) return false;
    state = next->to;
    if (made() > limit_) {
      state = deriver_.store().rollback_except(mark_, state);
      limit_ = std::max(kScratchNodes, 2 * made());
      return budget_.spend(made());
    }
    return true;
  }

 private:
  uint32_t made() const { return deriver_.store().size() - mark_.nodes; }

  RegexDeriver& deriver_;
  RegexBudget& budget_;
  RegexStore::Mark mark_;
  uint32_t limit_ = kScratchNodes;
};

constexpr CharRange kReadable[] = {{U'a', U'z'}, {U'0', U'9'}, {U'A', U'Z'}, {U' ', U'~'}};

// What of the range people can read best; all of it when nothing.
CharRange readable_part(const CharRange& range) {
  for (const CharRange& good : kReadable) {
    const CharRange both = {std::max(range.first, good.first), std::min(range.last, good.last)};
    if (both.first <= both.last) return both;
  }
  return range;
}

char32_t random_character(const CharRange& range, base::Rng& rng) {
  constexpr uint64_t kUnreadableOneIn = 4;  // solvers stumble over what people do not type
  const CharRange from = rng.one_in(kUnreadableOneIn) ? range : readable_part(range);
  return static_cast<char32_t>(rng.between(from.first, from.last));
}

// Which states are known to be equal, or will be if all else holds.
class StateClasses {
 public:
  uint32_t find(uint32_t state) {
    while (true) {
      const auto up = parent_.find(state);
      if (up == parent_.end()) return state;
      const auto upper = parent_.find(up->second);
      if (upper != parent_.end()) up->second = upper->second;
      state = up->second;
    }
  }

  // False when they were one already.
  bool merge(RegexId left, RegexId right) {
    const uint32_t a = find(left.value);
    const uint32_t b = find(right.value);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::unordered_map<uint32_t, uint32_t> parent_;
};

}  // namespace

std::optional<bool> RegexQuery::matches(RegexId regex, std::u32string_view text,
                                        RegexBudget& budget) {
  const Scope scope(store_);
  Walker walker(deriver_, budget);
  RegexId state = regex;
  for (const char32_t c : text) {
    if (state == RegexStore::none() || state == RegexStore::all()) break;
    if (!walker.step(state, c)) return std::nullopt;
  }
  return store_.nullable(state);
}

std::optional<RegexId> RegexQuery::derivative(RegexId regex, char32_t c, RegexBudget& budget) {
  const auto step = deriver_.derivative(regex, c, budget);
  if (!step) return std::nullopt;
  return step->to;
}

// All derivatives but none(). False when the budget runs out.
bool RegexQuery::collect_steps(RegexId regex, std::vector<Step>& steps, RegexBudget& budget) {
  steps.clear();
  for (char32_t c = 0; c <= kMaxCharacter;) {
    const auto step = deriver_.derivative(regex, c, budget);
    if (!step) return false;
    c = step->over.last + 1;
    if (step->to != RegexStore::none()) steps.push_back(*step);
  }
  return true;
}

// Searches breadth first for a derivative that holds the empty string, and gives the way to it.
// When it need not be shortest, any way that shows the language not to be empty will do.
std::optional<std::u32string> RegexQuery::find_path(RegexId regex, bool shortest,
                                                    RegexBudget& budget) {
  struct Visit {
    RegexId state;
    size_t from;
    char32_t by;
  };
  std::vector<Visit> visits = {{regex, 0, 0}};
  std::unordered_set<uint32_t> seen = {regex.value};
  std::vector<Step> steps;
  for (size_t at = 0; at < visits.size(); ++at) {
    const RegexId state = visits[at].state;
    if (state == RegexStore::none()) continue;
    if (store_.nullable(state) || (!shortest && store_.positive(state))) {
      std::u32string path;
      for (size_t back = at; back != 0; back = visits[back].from) path += visits[back].by;
      std::reverse(path.begin(), path.end());
      return path;
    }
    if (!collect_steps(state, steps, budget)) return std::nullopt;
    for (const Step& step : steps) {
      if (!seen.insert(step.to.value).second) continue;
      visits.push_back({step.to, at, readable_part(step.over).first});
    }
  }
  return std::nullopt;
}

std::optional<bool> RegexQuery::is_empty(RegexId regex, RegexBudget& budget) {
  const Scope scope(store_);
  const bool found = find_path(regex, false, budget).has_value();
  if (budget.exhausted()) return std::nullopt;
  return !found;
}

std::optional<std::u32string> RegexQuery::shortest_member(RegexId regex, RegexBudget& budget) {
  const Scope scope(store_);
  return find_path(regex, true, budget);
}

// The method of Hopcroft and Karp: assume that the two are equal, and so are their derivatives,
// until only one of a pair holds the empty string.
std::optional<bool> RegexQuery::equal(RegexId left, RegexId right, RegexBudget& budget) {
  const Scope scope(store_);
  StateClasses classes;
  std::deque<std::pair<RegexId, RegexId>> todo = {{left, right}};
  while (!todo.empty()) {
    const auto [a, b] = todo.front();
    todo.pop_front();
    if (!classes.merge(a, b)) continue;
    if (store_.nullable(a) != store_.nullable(b)) return false;
    if (a == RegexStore::none() && store_.positive(b)) return false;
    if (b == RegexStore::none() && store_.positive(a)) return false;
    for (char32_t c = 0; c <= kMaxCharacter;) {
      const auto by_a = deriver_.derivative(a, c, budget);
      const auto by_b = deriver_.derivative(b, c, budget);
      if (!by_a || !by_b) return std::nullopt;
      if (by_a->to != by_b->to) todo.emplace_back(by_a->to, by_b->to);
      c = std::min(by_a->over.last, by_b->over.last) + 1;
    }
  }
  return true;
}

// Appends up to `length` characters to the path, as long as there is a way on. The result is where
// it ends, or nothing when the budget runs out.
std::optional<RegexId> RegexQuery::random_walk(RegexId from, size_t length, base::Rng& rng,
                                               std::u32string& path, RegexBudget& budget) {
  std::vector<Step> steps;
  RegexId state = from;
  for (size_t i = 0; i < length; ++i) {
    if (!collect_steps(state, steps, budget)) return std::nullopt;
    if (steps.empty()) break;
    const Step& step = rng.pick(std::span<const Step>(steps));
    path += random_character(step.over, rng);
    state = step.to;
  }
  return state;
}

std::optional<std::u32string> RegexQuery::random_member(RegexId regex, base::Rng& rng,
                                                        size_t max_length, RegexBudget& budget) {
  const Scope scope(store_);
  // A walk that leads nowhere, or too far from an end, was too long. Without one, the way to the
  // end is shortest.
  for (uint64_t length = rng.below(uint64_t{max_length} + 1);; length /= 2) {
    std::u32string path;
    const auto state = random_walk(regex, length, rng, path, budget);
    if (!state) return std::nullopt;
    if (const auto end = find_path(*state, true, budget)) {
      if (path.size() + end->size() <= max_length) return path + *end;
    }
    if (length == 0 || budget.exhausted()) return std::nullopt;
  }
}

std::optional<std::vector<bool>> RegexQuery::match_starts(RegexId regex, std::u32string_view text,
                                                          RegexBudget& budget) {
  const Scope scope(store_);
  // A prefix of w is in r if and only if a suffix of the reversed w is in the reversed r.
  RegexId state = store_.concat(RegexStore::all(), store_.reverse(regex));
  Walker walker(deriver_, budget);
  std::vector<bool> starts(text.size() + 1);
  starts[text.size()] = store_.nullable(state);
  for (size_t i = text.size(); i > 0; --i) {
    if (!walker.step(state, text[i - 1])) return std::nullopt;
    starts[i - 1] = store_.nullable(state);
  }
  return starts;
}

std::optional<size_t> RegexQuery::shortest_match(RegexId regex, std::u32string_view text,
                                                 RegexBudget& budget) {
  const Scope scope(store_);
  Walker walker(deriver_, budget);
  RegexId state = regex;
  for (size_t length = 0;; ++length) {
    if (store_.nullable(state)) return length;
    if (length == text.size() || state == RegexStore::none()) return std::nullopt;
    if (!walker.step(state, text[length])) return std::nullopt;
  }
}

}  // namespace elenchus::num
