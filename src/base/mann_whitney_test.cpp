#include "base/mann_whitney.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

// The example in the manual of scipy.stats.mannwhitneyu, method="asymptotic".
TEST(MannWhitney, PublishedExample) {
  const std::array<double, 5> males = {19, 22, 16, 29, 24};
  const std::array<double, 4> females = {20, 11, 17, 12};
  const MannWhitney test = mann_whitney(males, females);
  EXPECT_DOUBLE_EQ(test.u, 17);
  EXPECT_NEAR(test.p, 0.11134688653314041, 1e-12);
}

TEST(MannWhitney, SamplesApart) {
  const std::array<double, 5> low = {1, 2, 3, 4, 5};
  const std::array<double, 5> high = {6, 7, 8, 9, 10};
  const MannWhitney test = mann_whitney(low, high);
  EXPECT_DOUBLE_EQ(test.u, 0);
  EXPECT_NEAR(test.p, 0.01218578, 1e-7);
  EXPECT_DOUBLE_EQ(mann_whitney(high, low).u, 25);
  EXPECT_DOUBLE_EQ(mann_whitney(high, low).p, test.p);
}

TEST(MannWhitney, TiesShareTheirRank) {
  const std::array<double, 4> first = {1, 2, 2, 3};
  const std::array<double, 5> second = {2, 3, 3, 4, 4};
  const MannWhitney test = mann_whitney(first, second);
  EXPECT_DOUBLE_EQ(test.u, 3);
  EXPECT_NEAR(test.p, 0.09783166898, 1e-9);
}

TEST(MannWhitney, NothingToTellApart) {
  const std::array<double, 3> same = {2, 2, 2};
  EXPECT_DOUBLE_EQ(mann_whitney(same, same).p, 1);
  EXPECT_DOUBLE_EQ(mann_whitney({}, same).p, 1);
}

TEST(MannWhitney, TwentySolvesEach) {
  std::vector<double> usual;
  std::vector<double> slower;
  for (int i = 0; i < 20; ++i) {
    usual.push_back(0.010 + 0.0001 * i);
    slower.push_back(0.011 + 0.0001 * i);
  }
  EXPECT_LT(mann_whitney(usual, slower).p, 0.01);
  for (double& seconds : slower) seconds -= 0.0008;
  EXPECT_GT(mann_whitney(usual, slower).p, 0.01);
}

}  // namespace
}  // namespace elenchus::base
