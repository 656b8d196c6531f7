#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "num/regex_query.h"
#include "num/regex_replace.h"

// Random expressions over {a, b, c}, against their languages computed as sets of all strings of up
// to four characters. What the operators make of such sets depends on no longer string.
namespace elenchus::num {
namespace {

constexpr size_t kLongest = 4;
constexpr size_t kStrings = 1 + 3 + 9 + 27 + 81;
constexpr uint64_t kSteps = 200000;

using Language = std::bitset<kStrings>;
using Text = std::u32string;

// All strings in order of length, and where each is.
struct Universe {
  std::vector<Text> strings = {U""};
  std::map<Text, size_t> index;

  Universe() {
    for (size_t i = 0; strings.size() < kStrings; ++i) {
      for (const char32_t c : {U'a', U'b', U'c'}) strings.push_back(strings[i] + c);
    }
    for (size_t i = 0; i < kStrings; ++i) index[strings[i]] = i;
  }
};

const Universe& universe() {
  static const Universe all;
  return all;
}

Language language_of(const Text& text) {
  Language result;
  const auto at = universe().index.find(text);
  if (at != universe().index.end()) result.set(at->second);
  return result;
}

Language concat(const Language& left, const Language& right) {
  Language result;
  for (size_t i = 0; i < kStrings; ++i) {
    for (size_t k = 0; left[i] && k < kStrings; ++k) {
      if (right[k]) result |= language_of(universe().strings[i] + universe().strings[k]);
    }
  }
  return result;
}

Language loop(const Language& body, uint64_t low, uint64_t high) {
  Language result;
  Language power = language_of(U"");
  // The powers of a language that holds the empty string grow; else only the first few hold strings
  // that are short enough. Either way more than kLongest rounds after `low` add nothing.
  for (uint64_t i = 0; i <= std::min<uint64_t>(high, low + kLongest); ++i) {
    if (i >= low) result |= power;
    power = concat(power, body);
  }
  return result;
}

// An expression with its language.
struct Sample {
  RegexId regex;
  Language language;
};

class Generator {
 public:
  Generator(RegexStore& store, uint64_t seed) : store_(store), rng_(seed) {}

  Sample draw(int depth) {
    if (depth == 0 || rng_.one_in(6)) return leaf();
    const Sample x = draw(depth - 1);
    switch (rng_.below(9)) {
      case 0: return {store_.comp(x.regex), ~x.language};
      case 1: return {store_.star(x.regex), loop(x.language, 0, kLongest)};
      case 2: {
        const uint64_t low = rng_.below(4);
        const uint64_t high = rng_.below(5);
        return {store_.loop(x.regex, low, high), loop(x.language, low, high)};
      }
      case 3: return {store_.plus(x.regex), loop(x.language, 1, 1 + kLongest)};
      default: return pair(x, draw(depth - 1));
    }
  }

  Text text(size_t most) {
    Text result;
    for (size_t left = rng_.below(most + 1); left > 0; --left) {
      result += static_cast<char32_t>(U'a' + rng_.below(3));
    }
    return result;
  }

  base::Rng& rng() { return rng_; }

 private:
  Sample leaf() {
    switch (rng_.below(8)) {
      case 0: return {RegexStore::none(), {}};
      case 1: return {RegexStore::epsilon(), language_of(U"")};
      case 2: return {RegexStore::all(), ~Language()};
      case 3: {
        Language letters = language_of(U"a") | language_of(U"b") | language_of(U"c");
        return {RegexStore::any_char(), letters};
      }
      case 4: return {store_.range('a', 'b'), language_of(U"a") | language_of(U"b")};
      case 5: return {store_.range('b', 'z'), language_of(U"b") | language_of(U"c")};
      default: {
        const Text word = text(3);
        return {store_.literal(word), language_of(word)};
      }
    }
  }

  Sample pair(const Sample& x, const Sample& y) {
    switch (rng_.below(6)) {
      case 0: return {store_.inter(x.regex, y.regex), x.language & y.language};
      case 1: return {store_.diff(x.regex, y.regex), x.language & ~y.language};
      case 2:
      case 3: return {store_.union_of(x.regex, y.regex), x.language | y.language};
      default: return {store_.concat(x.regex, y.regex), concat(x.language, y.language)};
    }
  }

  RegexStore& store_;
  base::Rng rng_;
};

// Everything that a property needs.
struct PropertySetup {
  PropertySetup() : query(store), generator(store, *rc::gen::arbitrary<uint64_t>()) {}

  std::optional<bool> matches(RegexId regex, const Text& text) {
    RegexBudget budget(kSteps);
    return query.matches(regex, text, budget);
  }

  RegexStore store;
  RegexQuery query;
  Generator generator;
};

RC_GTEST_PROP(RegexProperty, MatchesAgreesWithTheSets, ()) {
  PropertySetup setup;
  const Sample sample = setup.generator.draw(4);
  const RegexId reversed = setup.store.reverse(sample.regex);
  for (size_t i = 0; i < kStrings; ++i) {
    const Text& text = universe().strings[i];
    RC_ASSERT(setup.matches(sample.regex, text) == std::optional<bool>(sample.language[i]));
    const Text backwards(text.rbegin(), text.rend());
    RC_ASSERT(setup.matches(reversed, backwards) == std::optional<bool>(sample.language[i]));
  }
}

RC_GTEST_PROP(RegexProperty, EmptinessComesWithTheShortestMember, ()) {
  PropertySetup setup;
  const Sample sample = setup.generator.draw(4);
  RegexBudget budget(kSteps);
  const auto empty = setup.query.is_empty(sample.regex, budget);
  const auto member = setup.query.shortest_member(sample.regex, budget);
  RC_PRE(!budget.exhausted());
  RC_ASSERT(empty == std::optional<bool>(!member.has_value()));
  if (member) RC_ASSERT(setup.matches(sample.regex, *member) == std::optional<bool>(true));
  for (size_t i = 0; i < kStrings; ++i) {
    if (sample.language[i]) RC_ASSERT(member && member->size() <= universe().strings[i].size());
  }
}

RC_GTEST_PROP(RegexProperty, EqualAgreesWithTheSetsOrHasAWitness, ()) {
  PropertySetup setup;
  const Sample left = setup.generator.draw(3);
  const Sample right = setup.generator.draw(3);
  RegexBudget budget(kSteps);
  const auto equal = setup.query.equal(left.regex, right.regex, budget);
  const RegexId difference = setup.store.union_of(setup.store.diff(left.regex, right.regex),
                                                  setup.store.diff(right.regex, left.regex));
  const auto witness = setup.query.shortest_member(difference, budget);
  RC_PRE(!budget.exhausted());
  RC_ASSERT(equal == std::optional<bool>(!witness.has_value()));
  if (*equal) RC_ASSERT(left.language == right.language);
  if (witness) {
    RC_ASSERT(setup.matches(left.regex, *witness) != setup.matches(right.regex, *witness));
  }
}

RC_GTEST_PROP(RegexProperty, LawsHold, ()) {
  PropertySetup setup;
  RegexStore& store = setup.store;
  const RegexId x = setup.generator.draw(2).regex;
  const RegexId y = setup.generator.draw(2).regex;
  const RegexId z = setup.generator.draw(2).regex;
  const auto check = [&](RegexId left, RegexId right) {
    RegexBudget budget(kSteps);
    RC_ASSERT(setup.query.equal(left, right, budget) != std::optional<bool>(false));
  };
  check(store.concat(store.concat(x, y), z), store.concat(x, store.concat(y, z)));
  check(store.concat(store.union_of(x, y), z),
        store.union_of(store.concat(x, z), store.concat(y, z)));
  check(store.comp(store.inter(x, y)), store.union_of(store.comp(x), store.comp(y)));
  check(store.reverse(store.concat(x, y)), store.concat(store.reverse(y), store.reverse(x)));
  check(store.star(store.union_of(x, y)), store.star(store.concat(store.star(x), store.star(y))));
  check(store.loop(x, 1, 3), store.concat(x, store.loop(x, 0, 2)));
}

RC_GTEST_PROP(RegexProperty, RandomMembersAreMembers, ()) {
  PropertySetup setup;
  const Sample sample = setup.generator.draw(4);
  RegexBudget budget(kSteps);
  const auto member = setup.query.random_member(sample.regex, setup.generator.rng(), 4, budget);
  RC_PRE(!budget.exhausted());
  if (member) {
    RC_ASSERT(member->size() <= 4U);
    RC_ASSERT(setup.matches(sample.regex, *member) == std::optional<bool>(true));
  } else {
    RC_ASSERT(sample.language.none());
  }
}

bool is_member(const Language& language, const Text& text) {
  return language[universe().index.at(text)];
}

struct Match {
  size_t first;
  size_t length;
};

// Leftmost, then shortest, by trying all.
std::optional<Match> first_match(const Language& language, const Text& text, size_t least) {
  for (size_t first = 0; first <= text.size(); ++first) {
    for (size_t length = least; length <= text.size() - first; ++length) {
      if (is_member(language, text.substr(first, length))) return Match{first, length};
    }
  }
  return std::nullopt;
}

Text replace_by_definition(const Language& language, const Text& text, const Text& by, bool all) {
  const auto match = first_match(language, text, all ? 1 : 0);
  if (!match) return text;
  const Text rest = text.substr(match->first + match->length);
  return text.substr(0, match->first) + by +
         (all ? replace_by_definition(language, rest, by, true) : rest);
}

RC_GTEST_PROP(RegexProperty, ReplacementAgreesWithItsDefinition, ()) {
  PropertySetup setup;
  const Sample sample = setup.generator.draw(3);
  for (int i = 0; i < 10; ++i) {
    const Text text = setup.generator.text(kLongest);
    const Text by = setup.generator.text(2);
    RegexBudget budget(kSteps);
    const auto once = str_replace_re(setup.query, text, sample.regex, by, 100, budget);
    const auto all = str_replace_re_all(setup.query, text, sample.regex, by, 100, budget);
    const auto index = str_index_of_re(setup.query, text, sample.regex, 0, budget);
    RC_ASSERT(once == replace_by_definition(sample.language, text, by, false));
    RC_ASSERT(all == replace_by_definition(sample.language, text, by, true));
    const auto match = first_match(sample.language, text, 0);
    RC_ASSERT(index == std::optional<int64_t>(match ? static_cast<int64_t>(match->first) : -1));
  }
}

}  // namespace
}  // namespace elenchus::num
