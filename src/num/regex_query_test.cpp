#include "num/regex_query.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace elenchus::num {
namespace {

class RegexQueryTest : public testing::Test {
 protected:
  RegexId text(std::u32string_view characters) { return store_.literal(characters); }

  std::optional<bool> matches(RegexId regex, std::u32string_view string) {
    RegexBudget budget(10000000);
    return query_.matches(regex, string, budget);
  }

  std::optional<bool> equal(RegexId left, RegexId right) {
    RegexBudget budget(1000000);
    return query_.equal(left, right, budget);
  }

  std::optional<bool> is_empty(RegexId regex) {
    RegexBudget budget(1000000);
    return query_.is_empty(regex, budget);
  }

  std::optional<std::u32string> shortest(RegexId regex) {
    RegexBudget budget(1000000);
    return query_.shortest_member(regex, budget);
  }

  RegexStore store_;
  RegexQuery query_{store_};
  const RegexId all_ = RegexStore::all();
  const RegexId any_ = RegexStore::any_char();
  const RegexId a_ = store_.range('a', 'a');
  const RegexId b_ = store_.range('b', 'b');
  const RegexId letter_ = store_.range('a', 'z');
};

TEST_F(RegexQueryTest, MatchesLeaves) {
  EXPECT_EQ(matches(RegexStore::none(), U""), false);
  EXPECT_EQ(matches(RegexStore::epsilon(), U""), true);
  EXPECT_EQ(matches(RegexStore::epsilon(), U"a"), false);
  EXPECT_EQ(matches(all_, U""), true);
  EXPECT_EQ(matches(all_, U"abc"), true);
  EXPECT_EQ(matches(any_, U""), false);
  EXPECT_EQ(matches(any_, std::u32string(1, char32_t{kMaxCharacter})), true);
  EXPECT_EQ(matches(any_, U"ab"), false);
  EXPECT_EQ(matches(text(U"abc"), U"abc"), true);
  EXPECT_EQ(matches(text(U"abc"), U"ab"), false);
  EXPECT_EQ(matches(text(U"abc"), U"abcd"), false);
  EXPECT_EQ(matches(store_.range(0x1F600, 0x1F64F), U"\U0001F610"), true);
  EXPECT_EQ(matches(store_.comp(store_.range(0x1F600, 0x1F64F)), U"\U0001F650"), true);
}

TEST_F(RegexQueryTest, MatchesCombinations) {
  const RegexId even = store_.star(store_.power(any_, 2));
  const RegexId has_b = store_.concat(std::vector{all_, b_, all_});
  EXPECT_EQ(matches(store_.inter(even, has_b), U"ab"), true);
  EXPECT_EQ(matches(store_.inter(even, has_b), U"aab"), false);
  EXPECT_EQ(matches(store_.inter(even, store_.comp(has_b)), U"aa"), true);
  EXPECT_EQ(matches(store_.diff(even, has_b), U"ab"), false);
  EXPECT_EQ(matches(store_.loop(text(U"ab"), 2, 3), U"ab"), false);
  EXPECT_EQ(matches(store_.loop(text(U"ab"), 2, 3), U"abab"), true);
  EXPECT_EQ(matches(store_.loop(text(U"ab"), 2, 3), U"ababab"), true);
  EXPECT_EQ(matches(store_.loop(text(U"ab"), 2, 3), U"abababab"), false);
}

TEST_F(RegexQueryTest, LargeLoopsOnLongStrings) {
  const RegexId loop = store_.loop(letter_, 0, 1000000000);
  EXPECT_EQ(matches(loop, std::u32string(1000000, U'k')), true);
  const std::u32string string(200000, U'k');
  EXPECT_EQ(matches(store_.concat(loop, b_), string + U"b"), true);
  EXPECT_EQ(matches(store_.loop(letter_, 200001, 1000000000), string), false);
  EXPECT_EQ(matches(store_.star(store_.power(letter_, 1000)), string), true);
  EXPECT_EQ(matches(store_.star(store_.power(letter_, 999)), string), false);
  EXPECT_LT(store_.size(), 1U << 18);  // what was made on the way is gone
}

TEST_F(RegexQueryTest, WhatIsKeptOfALongMatchIsEnough) {
  const RegexId words = store_.star(store_.concat(store_.loop(letter_, 2, 25000), text(U"--")));
  const RegexId longer = store_.comp(store_.loop(any_, 0, 50000));
  const RegexId both = store_.inter(words, longer);
  std::u32string string;
  for (int i = 0; i < 3; ++i) string += std::u32string(20000, U'k') + U"--";
  EXPECT_EQ(matches(both, string), true);
  EXPECT_EQ(matches(both, string + U"k--"), false);
  EXPECT_EQ(matches(both, string.substr(20002)), false);
}

TEST_F(RegexQueryTest, SearchingForALoopKeepsOneCopyOfIt) {
  const RegexId word = store_.concat(store_.loop(letter_, 1, 100000), b_);
  const RegexId found = store_.concat(std::vector{all_, a_, word, all_});
  EXPECT_EQ(matches(found, std::u32string(50000, U'a')), false);
  EXPECT_EQ(matches(found, std::u32string(50000, U'a') + U"b"), true);
}

TEST_F(RegexQueryTest, LongLiterals) {
  std::u32string string;
  for (char32_t i = 0; i < 100000; ++i) string += U'a' + i * i % 7;
  EXPECT_EQ(matches(text(string), string), true);
  EXPECT_EQ(matches(text(string), string + U"a"), false);
  EXPECT_EQ(matches(store_.star(text(string)), string + string), true);
  EXPECT_EQ(matches(store_.reverse(store_.reverse(text(string))), string), true);
}

TEST_F(RegexQueryTest, DeepConcatenations) {
  std::u32string string;
  RegexId left = RegexStore::epsilon();
  RegexId right = RegexStore::epsilon();
  for (int i = 0; i < 100000; ++i) {
    string += i % 3 == 0 ? U"aab" : U"bb";
    left = store_.concat(left, i % 3 == 0 ? text(U"aab") : store_.power(b_, 2));
  }
  for (int i = 99999; i >= 0; --i) {
    right = store_.concat(i % 3 == 0 ? text(U"aab") : store_.power(b_, 2), right);
  }
  EXPECT_EQ(matches(left, string), true);
  EXPECT_EQ(matches(right, string), true);
  EXPECT_EQ(matches(left, string + U"b"), false);
  EXPECT_EQ(matches(store_.reverse(left), std::u32string(string.rbegin(), string.rend())), true);
}

TEST_F(RegexQueryTest, DeepUnions) {
  RegexId nested = RegexStore::none();
  for (char32_t c = 0; c < 100000; ++c) {
    nested = store_.union_of(nested, text(std::u32string{U'x', c, U'y'}));
  }
  const char32_t inside[] = {U'x', 77777, U'y', 0};
  EXPECT_EQ(matches(nested, inside), true);
  EXPECT_EQ(matches(nested, U"xa"), false);
}

TEST_F(RegexQueryTest, DeepMixedNesting) {
  RegexId stars = a_;
  RegexId comps = a_;
  for (int i = 0; i < 20000; ++i) {
    stars = store_.star(store_.concat(stars, b_));
    comps = store_.comp(store_.concat(comps, b_));
  }
  EXPECT_EQ(matches(stars, U"bb"), true);
  EXPECT_EQ(matches(stars, U"ac"), false);
  EXPECT_TRUE(matches(comps, U"ab").has_value());
  EXPECT_TRUE(store_.reverse(comps).valid());
}

TEST_F(RegexQueryTest, ABudgetThatRunsOut) {
  const std::u32string string(1000, U'a');
  RegexBudget small(100);
  EXPECT_EQ(query_.matches(store_.loop(letter_, 1, 5000), string, small), std::nullopt);
  EXPECT_TRUE(small.exhausted());
  EXPECT_EQ(query_.matches(a_, U"a", small), std::nullopt);
  EXPECT_EQ(matches(store_.loop(letter_, 1, 5000), string), true);  // and nothing is spoilt

  RegexBudget other(1000);
  EXPECT_EQ(query_.equal(store_.power(letter_, 5000), store_.power(letter_, 5001), other),
            std::nullopt);
}

TEST_F(RegexQueryTest, Derivative) {
  RegexBudget budget(1000);
  const auto rest = query_.derivative(text(U"abc"), 'a', budget);
  ASSERT_TRUE(rest.has_value());
  EXPECT_EQ(store_.text(*rest), U"bc");
  EXPECT_EQ(query_.derivative(text(U"abc"), 'b', budget), RegexStore::none());
  EXPECT_EQ(query_.derivative(store_.star(a_), 'a', budget), store_.star(a_));
  EXPECT_EQ(query_.derivative(store_.loop(a_, 3, 7), 'a', budget), store_.loop(a_, 2, 6));
  EXPECT_EQ(query_.derivative(store_.comp(a_), 'b', budget), all_);
}

TEST_F(RegexQueryTest, IsEmpty) {
  EXPECT_EQ(is_empty(RegexStore::none()), true);
  EXPECT_EQ(is_empty(RegexStore::epsilon()), false);
  EXPECT_EQ(is_empty(store_.power(letter_, 1000000000)), false);
  EXPECT_EQ(is_empty(store_.inter(store_.plus(a_), store_.plus(b_))), true);
  EXPECT_EQ(is_empty(store_.inter(store_.star(a_), store_.star(b_))), false);
  // Lengths that are multiples of 6 and of 4, but not of 12.
  const RegexId sixes = store_.star(store_.power(any_, 6));
  const RegexId fours = store_.star(store_.power(any_, 4));
  const RegexId twelves = store_.star(store_.power(any_, 12));
  EXPECT_EQ(is_empty(store_.diff(store_.inter(sixes, fours), twelves)), true);
  EXPECT_EQ(is_empty(store_.diff(sixes, twelves)), false);
}

TEST_F(RegexQueryTest, Equal) {
  const RegexId ab = text(U"ab");
  const RegexId left = store_.star(store_.union_of(a_, text(U"ba")));
  const RegexId right =
      store_.concat(store_.star(a_), store_.star(store_.concat(text(U"ba"), store_.star(a_))));
  EXPECT_EQ(equal(left, right), true);
  EXPECT_EQ(equal(store_.concat(store_.concat(ab, a_), b_), text(U"abab")), true);
  EXPECT_EQ(equal(store_.concat(ab, store_.star(ab)), store_.plus(ab)), true);
  EXPECT_EQ(equal(store_.plus(ab), store_.star(ab)), false);
  EXPECT_EQ(equal(store_.power(a_, 100), store_.power(a_, 101)), false);
  EXPECT_EQ(equal(store_.comp(store_.union_of(left, ab)),
                  store_.inter(store_.comp(right), store_.comp(ab))),
            true);
  EXPECT_EQ(equal(RegexStore::none(), store_.power(a_, 1000000000)), false);
  EXPECT_EQ(equal(store_.comp(store_.comp(ab)), ab), true);
}

TEST_F(RegexQueryTest, ShortestMember) {
  EXPECT_EQ(shortest(RegexStore::none()), std::nullopt);
  EXPECT_EQ(shortest(all_), U"");
  EXPECT_EQ(shortest(any_), U"a");
  EXPECT_EQ(shortest(store_.power(any_, 3)), U"aaa");
  EXPECT_EQ(shortest(store_.range(0x2FFFE, 0x2FFFF)), std::u32string(1, char32_t{0x2FFFE}));
  EXPECT_EQ(shortest(store_.union_of(text(U"abc"), text(U"xy"))), U"xy");
  EXPECT_EQ(shortest(store_.inter(store_.plus(text(U"ab")), store_.star(store_.power(any_, 3)))),
            U"ababab");
  EXPECT_EQ(shortest(store_.inter(store_.plus(a_), store_.plus(b_))), std::nullopt);
}

TEST_F(RegexQueryTest, RandomMembersAreMembers) {
  const RegexId odd = store_.concat(any_, store_.star(store_.power(any_, 2)));
  const RegexId languages[] = {
      store_.star(text(U"ab")),
      store_.union_of(text(U"left"), text(U"right")),
      store_.diff(store_.plus(letter_), store_.concat(std::vector{all_, text(U"aa"), all_})),
      store_.inter(odd, store_.comp(store_.concat(std::vector{all_, a_, all_}))),
      store_.concat(store_.comp(text(U"a")), store_.loop(b_, 3, 5)),
  };
  base::Rng rng(7);
  for (const RegexId language : languages) {
    for (int i = 0; i < 50; ++i) {
      RegexBudget budget(1000000);
      const auto member = query_.random_member(language, rng, 12, budget);
      ASSERT_TRUE(member.has_value());
      EXPECT_LE(member->size(), 12U);
      EXPECT_EQ(matches(language, *member), true);
    }
  }
}

TEST_F(RegexQueryTest, RandomMembersRespectTheLengthAndDiffer) {
  base::Rng rng(1);
  RegexBudget budget(1000000);
  EXPECT_EQ(query_.random_member(RegexStore::none(), rng, 9, budget), std::nullopt);
  EXPECT_EQ(query_.random_member(text(U"abcd"), rng, 3, budget), std::nullopt);
  EXPECT_EQ(query_.random_member(text(U"abcd"), rng, 4, budget), U"abcd");
  EXPECT_EQ(query_.random_member(all_, rng, 0, budget), U"");
  EXPECT_FALSE(budget.exhausted());
  const RegexId few = store_.loop(store_.union_of(a_, b_), 0, 2);
  std::set<std::u32string> seen;
  for (int i = 0; i < 200; ++i) seen.insert(query_.random_member(few, rng, 5, budget).value());
  EXPECT_EQ(seen, (std::set<std::u32string>{U"", U"a", U"aa", U"ab", U"b", U"ba", U"bb"}));
}

}  // namespace
}  // namespace elenchus::num
