#include "coverage/statistics.h"

#include <gtest/gtest.h>

namespace elenchus::coverage {
namespace {

constexpr std::string_view kZ3 =
    "(:conflicts 3\n :decisions 17\n :max-memory 16.95\n :num-allocs 13451\n :time 0.01\n"
    " :rlimit-count 71)";

TEST(StatisticKeys, CountsOfZ3) {
  EXPECT_EQ(statistic_keys(kZ3).size(), 2U);
  EXPECT_EQ(statistic_keys("(:conflicts 3)"), statistic_keys("( :conflicts   2 )"));
  EXPECT_NE(statistic_keys("(:conflicts 3)"), statistic_keys("(:conflicts 300)"));
  EXPECT_NE(statistic_keys("(:conflicts 3)"), statistic_keys("(:decisions 3)"));
}

TEST(StatisticKeys, CountsOfCvc5) {
  const auto keys = statistic_keys(
      "(:all-statistics ((\"a::merges\" 0) (\"b::terms\" 2) (\"c\" { (ADD : 3), (MULT : 1) }) "
      "(\"d::time\" 5) (\"e::resource\" 7)))");
  EXPECT_EQ(keys.size(), 4U);
}

TEST(StatisticKeys, NothingFromNothing) {
  EXPECT_TRUE(statistic_keys("").empty());
  EXPECT_TRUE(statistic_keys("(error \"unsupported\")").empty());
  EXPECT_TRUE(statistic_keys("(:a").empty());
  EXPECT_TRUE(statistic_keys("\"").empty());
}

TEST(ExactStatistics, SmallDifferencesShow) {
  const char* five = "(:conflicts 5 :time 0.1 :decisions 0)";
  const char* six = "(:conflicts 6 :time 0.7 :decisions 0)";
  EXPECT_EQ(statistic_keys(five), statistic_keys(six));
  EXPECT_NE(exact_statistic_keys(five), exact_statistic_keys(six));
  EXPECT_EQ(exact_statistic_keys(five).size(), 1U);
  EXPECT_EQ(exact_statistic_keys(five), exact_statistic_keys("(:conflicts 5 :time 0.3)"));
}

TEST(ExactStatistics, StepsOfZ3CountExactlyOnly) {
  EXPECT_TRUE(statistic_keys("(:rlimit-count 71)").empty());
  EXPECT_NE(exact_statistic_keys("(:rlimit-count 71)"), exact_statistic_keys("(:rlimit-count 72)"));
  EXPECT_EQ(exact_statistic_keys(kZ3).size(), 3U);
}

}  // namespace
}  // namespace elenchus::coverage
