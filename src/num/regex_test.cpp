#include "num/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace elenchus::num {
namespace {

constexpr uint64_t kUnbounded = RegexStore::kUnbounded;

class RegexStoreTest : public testing::Test {
 protected:
  RegexId text(std::u32string_view characters) { return store_.literal(characters); }

  RegexStore store_;
  const RegexId none_ = RegexStore::none();
  const RegexId epsilon_ = RegexStore::epsilon();
  const RegexId all_ = RegexStore::all();
  const RegexId any_ = RegexStore::any_char();
  const RegexId a_ = store_.range('a', 'a');
  const RegexId b_ = store_.range('b', 'b');
  const RegexId ab_ = store_.literal(U"ab");
};

TEST_F(RegexStoreTest, EqualPartsAreOneExpression) {
  EXPECT_EQ(text(U"abc"), text(U"abc"));
  EXPECT_NE(text(U"abc"), text(U"abd"));
  EXPECT_EQ(store_.concat(a_, ab_), store_.concat(a_, ab_));
  EXPECT_NE(store_.concat(a_, ab_), store_.concat(ab_, a_));
  EXPECT_EQ(store_.loop(ab_, 2, 5), store_.loop(ab_, 2, 5));
  EXPECT_NE(store_.loop(ab_, 2, 5), store_.loop(ab_, 2, 6));
}

TEST_F(RegexStoreTest, RangesAndLiterals) {
  EXPECT_EQ(store_.range('b', 'a'), none_);
  EXPECT_EQ(store_.range(0, kMaxCharacter), any_);
  EXPECT_EQ(text(U""), epsilon_);
  EXPECT_EQ(text(U"a"), a_);
  EXPECT_EQ(store_.text(ab_), U"ab");
  EXPECT_EQ(store_.literal_tail(ab_), b_);
}

TEST_F(RegexStoreTest, Concat) {
  EXPECT_EQ(store_.concat(none_, a_), none_);
  EXPECT_EQ(store_.concat(a_, none_), none_);
  EXPECT_EQ(store_.concat(epsilon_, a_), a_);
  EXPECT_EQ(store_.concat(a_, epsilon_), a_);
  EXPECT_EQ(store_.concat({}), epsilon_);
  EXPECT_EQ(store_.concat(all_, all_), all_);
  const RegexId star = store_.star(a_);
  EXPECT_EQ(store_.concat(star, star), star);
  EXPECT_EQ(store_.concat(star, store_.concat(star, b_)), store_.concat(star, b_));
}

TEST_F(RegexStoreTest, UnionsAndIntersections) {
  const RegexId c = text(U"cc");
  const RegexId d = text(U"dd");
  EXPECT_EQ(store_.union_of({}), none_);
  EXPECT_EQ(store_.inter({}), all_);
  EXPECT_EQ(store_.union_of(c, d), store_.union_of(d, c));
  EXPECT_EQ(store_.union_of(c, c), c);
  EXPECT_EQ(store_.union_of(c, none_), c);
  EXPECT_EQ(store_.union_of(c, all_), all_);
  EXPECT_EQ(store_.inter(c, none_), none_);
  EXPECT_EQ(store_.inter(c, all_), c);
  EXPECT_EQ(store_.inter(c, d), store_.inter(d, c));
  EXPECT_EQ(store_.union_of(store_.union_of(ab_, c), d),
            store_.union_of(ab_, store_.union_of(c, d)));
  EXPECT_EQ(store_.inter(store_.inter(ab_, c), d), store_.inter(ab_, store_.inter(c, d)));
  EXPECT_EQ(store_.union_of(c, store_.comp(c)), all_);
  EXPECT_EQ(store_.inter(c, store_.comp(c)), none_);
  EXPECT_EQ(store_.diff(c, c), none_);
  EXPECT_EQ(store_.inter(c, epsilon_), none_);
  EXPECT_EQ(store_.inter(store_.star(c), epsilon_), epsilon_);
  EXPECT_EQ(store_.opt(store_.star(c)), store_.star(c));
}

TEST_F(RegexStoreTest, SetsOfCharactersAreMerged) {
  EXPECT_EQ(store_.union_of(a_, b_), store_.range('a', 'b'));
  EXPECT_EQ(store_.union_of(store_.range('a', 'm'), store_.range('k', 'z')),
            store_.range('a', 'z'));
  EXPECT_EQ(store_.union_of(store_.range(0, 'a'), store_.range('b', kMaxCharacter)), any_);
  EXPECT_EQ(store_.inter(store_.range('a', 'm'), store_.range('k', 'z')), store_.range('k', 'm'));
  EXPECT_EQ(store_.inter(a_, b_), none_);
  const RegexId gap = store_.union_of(a_, store_.range('c', 'e'));
  EXPECT_EQ(store_.ranges(gap).size(), 2U);
  EXPECT_EQ(store_.inter(gap, store_.range('b', 'd')), store_.range('c', 'd'));
}

TEST_F(RegexStoreTest, Complement) {
  EXPECT_EQ(store_.comp(none_), all_);
  EXPECT_EQ(store_.comp(all_), none_);
  EXPECT_EQ(store_.comp(store_.comp(ab_)), ab_);
  EXPECT_EQ(store_.comp(epsilon_), store_.plus(any_));
  EXPECT_EQ(store_.comp(store_.plus(any_)), epsilon_);
}

TEST_F(RegexStoreTest, Loops) {
  EXPECT_EQ(store_.loop(ab_, 3, 2), none_);
  EXPECT_EQ(store_.loop(ab_, 0, 0), epsilon_);
  EXPECT_EQ(store_.power(none_, 0), epsilon_);
  EXPECT_EQ(store_.loop(none_, 0, 7), epsilon_);
  EXPECT_EQ(store_.loop(none_, 1, 7), none_);
  EXPECT_EQ(store_.loop(epsilon_, 3, 7), epsilon_);
  EXPECT_EQ(store_.loop(all_, 3, 7), all_);
  EXPECT_EQ(store_.power(ab_, 1), ab_);
  EXPECT_EQ(store_.loop(ab_, 0, 1), store_.opt(ab_));
  EXPECT_EQ(store_.star(any_), all_);
  EXPECT_EQ(store_.star(store_.star(ab_)), store_.star(ab_));
  EXPECT_EQ(store_.star(store_.plus(ab_)), store_.star(ab_));
  EXPECT_EQ(store_.star(store_.opt(ab_)), store_.star(ab_));
  EXPECT_EQ(store_.loop(store_.opt(ab_), 3, 5), store_.loop(ab_, 0, 5));
  EXPECT_EQ(store_.loop(store_.loop(ab_, 2, 3), 2, 4), store_.loop(ab_, 4, 12));
  EXPECT_EQ(store_.power(store_.power(ab_, 7), 3), store_.power(ab_, 21));
  // 3 or 6 times, but not 4 or 5.
  EXPECT_EQ(store_.kind(store_.child(store_.loop(store_.power(ab_, 3), 1, 2))), RegexKind::kLoop);
}

TEST_F(RegexStoreTest, LoopsWithHugeBounds) {
  const RegexId huge = store_.loop(ab_, 0, 1000000000);
  EXPECT_EQ(store_.high(huge), 1000000000U);
  const RegexId most = store_.power(ab_, kUnbounded - 1);
  EXPECT_EQ(store_.low(most), kUnbounded - 1);
  const RegexId more = store_.power(most, 2);  // the product does not fit: they stay nested
  EXPECT_EQ(store_.low(more), 2U);
  EXPECT_EQ(store_.child(more), most);
}

TEST_F(RegexStoreTest, TouchingLoopsOfAUnionAreOne) {
  EXPECT_EQ(store_.union_of(store_.loop(ab_, 2, 3), store_.loop(ab_, 4, 9)),
            store_.loop(ab_, 2, 9));
  EXPECT_EQ(store_.union_of(store_.plus(ab_), store_.loop(ab_, 0, 9)), store_.star(ab_));
  EXPECT_EQ(store_.kind(store_.union_of(store_.loop(ab_, 2, 3), store_.loop(ab_, 5, 9))),
            RegexKind::kUnion);
  EXPECT_EQ(store_.union_of(store_.concat(store_.loop(ab_, 2, 3), b_),
                            store_.concat(store_.loop(ab_, 0, 2), b_)),
            store_.concat(store_.loop(ab_, 0, 3), b_));
}

TEST_F(RegexStoreTest, Nullable) {
  EXPECT_FALSE(store_.nullable(none_));
  EXPECT_TRUE(store_.nullable(epsilon_));
  EXPECT_TRUE(store_.nullable(all_));
  EXPECT_FALSE(store_.nullable(any_));
  EXPECT_FALSE(store_.nullable(ab_));
  EXPECT_TRUE(store_.nullable(store_.comp(ab_)));
  EXPECT_TRUE(store_.nullable(store_.star(ab_)));
  EXPECT_FALSE(store_.nullable(store_.plus(ab_)));
  EXPECT_TRUE(store_.nullable(store_.plus(store_.opt(ab_))));
  EXPECT_FALSE(store_.nullable(store_.concat(store_.star(ab_), ab_)));
  EXPECT_TRUE(store_.nullable(store_.concat(store_.star(ab_), store_.star(b_))));
  EXPECT_FALSE(store_.nullable(store_.inter(store_.star(ab_), store_.plus(b_))));
}

TEST_F(RegexStoreTest, Reverse) {
  EXPECT_EQ(store_.reverse(text(U"abc")), text(U"cba"));
  const RegexId forward = store_.concat(store_.comp(ab_), store_.loop(text(U"cd"), 2, 3));
  const RegexId backward = store_.concat(store_.loop(text(U"dc"), 2, 3), store_.comp(text(U"ba")));
  EXPECT_EQ(store_.reverse(forward), backward);
  EXPECT_EQ(store_.reverse(backward), forward);
}

TEST_F(RegexStoreTest, LargeUnionsStayNestedUntilFlattened) {
  RegexId nested = none_;
  std::vector<RegexId> words;
  for (char32_t c = 0; c < 1000; ++c) {
    words.push_back(text(std::u32string{U'x', c}));
    nested = store_.union_of(nested, words.back());
  }
  EXPECT_LE(store_.children(nested).size(), RegexStore::kSpliceLimit + 1);
  EXPECT_EQ(store_.flat(nested), store_.union_of(words));
}

TEST_F(RegexStoreTest, Rollback) {
  const RegexStore::Mark mark = store_.mark();
  const RegexId dropped = store_.concat(store_.star(text(U"xyz")), store_.range('x', 'z'));
  const uint64_t before = store_.generation();
  store_.rollback(mark);
  EXPECT_NE(store_.generation(), before);
  EXPECT_EQ(store_.size(), mark.nodes);
  EXPECT_EQ(store_.text(text(U"uvw")), U"uvw");  // takes the place of the other text
  EXPECT_EQ(store_.text(text(U"xyz")), U"xyz");
  const RegexId again = store_.concat(store_.star(text(U"xyz")), store_.range('x', 'z'));
  EXPECT_NE(again, dropped);
  EXPECT_EQ(again, store_.concat(store_.star(text(U"xyz")), store_.range('x', 'z')));
}

TEST_F(RegexStoreTest, RollbackCanKeepOne) {
  const RegexStore::Mark mark = store_.mark();
  for (char32_t c = 'c'; c < 'x'; ++c) store_.concat(store_.range('c', c), ab_);
  const auto build = [&] {
    const RegexId words = store_.union_of(text(U"xyz"), store_.star(store_.union_of(ab_, a_)));
    return store_.concat(store_.comp(words), store_.concat(store_.range('c', 'q'), words));
  };
  const RegexId kept = store_.rollback_except(mark, build());
  EXPECT_LT(store_.size(), mark.nodes + 12);
  EXPECT_EQ(kept, build());
  EXPECT_EQ(store_.rollback_except(store_.mark(), ab_), ab_);
}

}  // namespace
}  // namespace elenchus::num
