#include "campaign/lanes.h"

#include <gtest/gtest.h>

namespace elenchus::campaign {
namespace {

TEST(Lanes, TermsHaveATenthAtFirst) {
  const Lanes lanes({});
  EXPECT_NEAR(lanes.share_of_terms(), 0.1, 1e-9);
  EXPECT_TRUE(lanes.are_terms_due());
}

TEST(Lanes, TermsAreDueUntilTheyHaveHadTheirShare) {
  Lanes lanes({});
  lanes.report(Lane::kChecks, 0, 100);
  int turns = 0;
  for (; lanes.are_terms_due() && turns < 100; ++turns) lanes.report(Lane::kTerms, 0, 1);
  EXPECT_GT(turns, 5);
  EXPECT_LT(turns, 40);
  EXPECT_FALSE(lanes.are_terms_due());
}

TEST(Lanes, TheShareFollowsWhatTheyBringWithinBounds) {
  Lanes rich({});
  rich.report(Lane::kTerms, 1000, 100);
  rich.report(Lane::kChecks, 0, 100);
  EXPECT_DOUBLE_EQ(rich.share_of_terms(), 0.15);
  Lanes poor({});
  poor.report(Lane::kTerms, 0, 100);
  poor.report(Lane::kChecks, 1000, 100);
  EXPECT_DOUBLE_EQ(poor.share_of_terms(), 0.05);
}

TEST(Lanes, WhatIsLongAgoCountsLess) {
  Lanes lanes({});
  lanes.report(Lane::kTerms, 100, 100);
  lanes.report(Lane::kChecks, 100, 900);
  EXPECT_DOUBLE_EQ(lanes.share_of_terms(), 0.15);
  for (int i = 0; i < 200; ++i) {
    lanes.report(Lane::kTerms, 0, 100);
    lanes.report(Lane::kChecks, 10, 100);
  }
  EXPECT_LT(lanes.share_of_terms(), 0.1);
}

TEST(Lanes, WhatWasLearntIsTakenUp) {
  Lanes lanes({});
  lanes.report(Lane::kTerms, 40, 100);
  lanes.report(Lane::kChecks, 80, 200);
  Lanes later({});
  later.restore(lanes.notes());
  EXPECT_DOUBLE_EQ(later.share_of_terms(), lanes.share_of_terms());
  EXPECT_EQ(later.notes(), lanes.notes());
  for (const char* bad : {"", "1 2 3", "1 2 3 x", "-1 2 3 4", "1 2 3 4 5"}) {
    later.restore(bad);
    EXPECT_EQ(later.notes(), lanes.notes()) << bad;
  }
}

TEST(Lanes, OneAloneHasAll) {
  const Lanes terms({"terms"});
  EXPECT_DOUBLE_EQ(terms.share_of_terms(), 1);
  const Lanes checks({"checks"});
  EXPECT_FALSE(checks.are_terms_due());
}

}  // namespace
}  // namespace elenchus::campaign
