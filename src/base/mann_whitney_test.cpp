#include "base/mann_whitney.h"

#include <gtest/gtest.h>

#include <vector>

namespace elenchus::base {
namespace {

using Sample = std::vector<double>;

// By hand: of the 252 ways to choose 5 of 10 ranks, one is the most extreme at each end.
TEST(MannWhitney, ExactForSmallSamples) {
  EXPECT_NEAR(mann_whitney_p(Sample{1, 2, 3, 4, 5}, Sample{6, 7, 8, 9, 10}), 2.0 / 252, 1e-12);
  EXPECT_NEAR(mann_whitney_p(Sample{6, 7, 8, 9, 10}, Sample{1, 2, 3, 4, 5}), 2.0 / 252, 1e-12);
  EXPECT_NEAR(mann_whitney_p(Sample{1}, Sample{2}), 1, 1e-12);
  // U is 1: {1,2,4} and {1,2,3} of 20 subsets, at both ends.
  EXPECT_NEAR(mann_whitney_p(Sample{1, 2, 4}, Sample{3, 5, 6}), 4.0 / 20, 1e-12);
}

// Every arrangement of 3 and 4 values, counted.
TEST(MannWhitney, ExactAgreesWithCounting) {
  std::vector<double> us;
  std::vector<std::pair<Sample, Sample>> splits;
  for (unsigned chosen = 0; chosen < 128; ++chosen) {
    Sample a;
    Sample b;
    double u = 0;
    for (unsigned i = 0; i < 7; ++i) {
      const bool is_a = (chosen >> i & 1) != 0;
      if (is_a) u += static_cast<double>(b.size());
      (is_a ? a : b).push_back(i);
    }
    if (a.size() != 3) continue;
    us.push_back(u);
    splits.emplace_back(a, b);
  }
  ASSERT_EQ(us.size(), 35u);
  for (size_t i = 0; i < us.size(); ++i) {
    const double low = std::min(us[i], 12 - us[i]);
    double extreme = 0;
    for (const double u : us) extreme += u <= low ? 1 : 0;
    EXPECT_NEAR(mann_whitney_p(splits[i].first, splits[i].second), std::min(1.0, 2 * extreme / 35),
                1e-12);
  }
}

TEST(MannWhitney, TiesGoByTheNormalApproximation) {
  // Variance 5*5/12*(11 - 6/90), U = 0.5: z = (12.5 - 0.5 - 0.5) / 4.7726.
  EXPECT_NEAR(mann_whitney_p(Sample{1, 2, 3, 4, 5}, Sample{5, 6, 7, 8, 9}), 0.01597, 2e-5);
  EXPECT_EQ(mann_whitney_p(Sample{3, 3, 3}, Sample{3, 3, 3}), 1);
  EXPECT_EQ(mann_whitney_p(Sample{}, Sample{1, 2}), 1);
}

}  // namespace
}  // namespace elenchus::base
