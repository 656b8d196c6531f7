#include "num/regex_replace.h"

#include <gtest/gtest.h>

#include <string>

namespace elenchus::num {
namespace {

constexpr size_t kNoLimit = SIZE_MAX;

class RegexReplaceTest : public testing::Test {
 protected:
  std::u32string replaced(std::u32string_view text, RegexId regex, std::u32string_view by) {
    RegexBudget budget(10000000);
    return str_replace_re(query_, text, regex, by, kNoLimit, budget).value();
  }

  std::u32string replaced_all(std::u32string_view text, RegexId regex, std::u32string_view by) {
    RegexBudget budget(10000000);
    return str_replace_re_all(query_, text, regex, by, kNoLimit, budget).value();
  }

  int64_t index_of(std::u32string_view text, RegexId regex, const mpz_class& start) {
    RegexBudget budget(10000000);
    return str_index_of_re(query_, text, regex, start, budget).value();
  }

  RegexStore store_;
  RegexQuery query_{store_};
  const RegexId a_ = store_.range('a', 'a');
  const RegexId digits_ = store_.plus(store_.range('0', '9'));
  const RegexId tag_ = store_.concat(store_.literal(U"pre"), digits_);
};

TEST_F(RegexReplaceTest, TheFirstMatchIsReplaced) {
  EXPECT_EQ(replaced(U"baab", store_.plus(a_), U"cc"), U"bccab");  // the shortest
  EXPECT_EQ(replaced(U"nothing", store_.plus(a_), U"cc"), U"nothing");
  EXPECT_EQ(replaced(U"", store_.plus(a_), U"cc"), U"");
  EXPECT_EQ(replaced(U"xpre12pre3", tag_, U""), U"x2pre3");
  // Leftmost goes before shortest.
  const RegexId either = store_.union_of(store_.literal(U"abcd"), store_.literal(U"bc"));
  EXPECT_EQ(replaced(U"abcd", either, U"-"), U"-");
  EXPECT_EQ(replaced(U"abce", either, U"-"), U"a-e");
  EXPECT_EQ(replaced(U"abc", RegexStore::none(), U"-"), U"abc");
}

TEST_F(RegexReplaceTest, AnEmptyMatchIsTheFirst) {
  EXPECT_EQ(replaced(U"baab", store_.star(a_), U"cc"), U"ccbaab");
  EXPECT_EQ(replaced(U"aab", store_.star(a_), U"cc"), U"ccaab");
  EXPECT_EQ(replaced(U"", RegexStore::epsilon(), U"cc"), U"cc");
  EXPECT_EQ(replaced(U"ab", RegexStore::all(), U"cc"), U"ccab");
}

TEST_F(RegexReplaceTest, AllMatchesThatAreNotEmptyAreReplaced) {
  EXPECT_EQ(replaced_all(U"baab", store_.plus(a_), U"cd"), U"bcdcdb");
  EXPECT_EQ(replaced_all(U"baab", store_.star(a_), U"cd"), U"bcdcdb");
  EXPECT_EQ(replaced_all(U"10pre129prepre0xx", tag_, U"Z"), U"10Z29preZxx");
  EXPECT_EQ(replaced_all(U"ab", RegexStore::all(), U"-"), U"--");
  EXPECT_EQ(replaced_all(U"ab", RegexStore::epsilon(), U"-"), U"ab");
  EXPECT_EQ(replaced_all(U"", RegexStore::all(), U"-"), U"");
  EXPECT_EQ(replaced_all(U"abc", RegexStore::none(), U"-"), U"abc");
  EXPECT_EQ(replaced_all(U"aaa", a_, U""), U"");
}

TEST_F(RegexReplaceTest, IndexOf) {
  EXPECT_EQ(index_of(U"xxaxa", a_, 0), 2);
  EXPECT_EQ(index_of(U"xxaxa", a_, 3), 4);
  EXPECT_EQ(index_of(U"xxaxa", a_, 5), -1);
  EXPECT_EQ(index_of(U"xxaxa", a_, -1), -1);
  EXPECT_EQ(index_of(U"xxaxa", a_, 6), -1);
  EXPECT_EQ(index_of(U"xxaxa", store_.star(a_), 1), 1);
  EXPECT_EQ(index_of(U"xxaxa", store_.star(a_), 5), 5);
  EXPECT_EQ(index_of(U"xxaxa", store_.star(a_), 6), -1);
  EXPECT_EQ(index_of(U"xxaxa", store_.star(a_), mpz_class("100000000000000000000")), -1);
  EXPECT_EQ(index_of(U"", RegexStore::epsilon(), 0), 0);
}

TEST_F(RegexReplaceTest, LimitsOfLengthAndWork) {
  RegexBudget budget(1000);
  EXPECT_EQ(str_replace_re(query_, U"xa", a_, U"yyy", 4, budget), U"xyyy");
  EXPECT_EQ(str_replace_re(query_, U"xa", a_, U"yyy", 3, budget), std::nullopt);
  EXPECT_EQ(str_replace_re_all(query_, U"aa", a_, U"yy", 4, budget), U"yyyy");
  EXPECT_EQ(str_replace_re_all(query_, U"aa", a_, U"yy", 3, budget), std::nullopt);
  EXPECT_FALSE(budget.exhausted());
  const std::u32string longer(10000, U'x');
  EXPECT_EQ(str_index_of_re(query_, longer, a_, 0, budget), std::nullopt);
  EXPECT_TRUE(budget.exhausted());
}

TEST_F(RegexReplaceTest, SearchIsOnePassOverTheText) {
  // Each a begins what may become a match, but none of them does.
  const RegexId open = store_.concat(store_.star(a_), store_.range('b', 'b'));
  const std::u32string text(100000, U'a');
  EXPECT_EQ(replaced_all(text, open, U"-"), text);
  EXPECT_EQ(index_of(text, open, 5), -1);
  EXPECT_EQ(replaced_all(text, a_, U"c"), std::u32string(100000, U'c'));
}

}  // namespace
}  // namespace elenchus::num
