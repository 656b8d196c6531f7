#include "triage/listing.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "triage/export.h"

namespace elenchus::triage {
namespace {

record::Bug bug(std::string signature, std::string known = {}) {
  record::Bug made;
  made.kind = "invalid-model";
  made.solver = "z3";
  made.signature = std::move(signature);
  made.known = std::move(known);
  return made;
}

TEST(ListingTest, BugsToReportComeBeforeThoseLikeThemAndKnownOnes) {
  const Listing listing =
      listing_of({bug("invalid-model z3: bvmul bvsmod"), bug("invalid-model z3: div", "#12"),
                  bug("invalid-model z3: str.len"), bug("invalid-model z3: bvsmod")});
  EXPECT_EQ(listing.groups, 3U);
  EXPECT_EQ(listing.chief, (std::vector<size_t>{3, 1, 2, 3}));
  EXPECT_TRUE(listing.is_known(1));
  EXPECT_FALSE(listing.is_chief(0));
  EXPECT_EQ(shown_order(listing), (std::vector<size_t>{2, 3, 0, 1}));
}

TEST(ListingTest, CampaignsMakeOneList) {
  record::Bug twice = bug("invalid-model z3: bvmul");
  twice.count = 3;
  twice.rank = 3;
  record::Bug marked = twice;
  marked.state = "fixed";
  record::Bug grave = bug("refutation-unsound z3: bvmul");
  grave.rank = 1;
  const Gathered all = gathered({{twice}, {grave, marked}});
  ASSERT_EQ(all.bugs.size(), 2U);
  EXPECT_EQ(all.bugs[0].rank, 1);
  EXPECT_EQ(all.bugs[1].count, 6U);
  EXPECT_EQ(all.bugs[1].state, "fixed");
  EXPECT_EQ(all.campaign, (std::vector<size_t>{1, 1}));
  EXPECT_TRUE(listing_of(all.bugs).is_settled(1));
}

// One that needs too many options is not like one that does not: it must not stand for it.
TEST(ListingTest, WhatThePolicyDoesNotReportComesLast) {
  record::Bug outside = bug("refutation-unsound z3: bvmul");
  outside.outside_policy = "it needs 3 options";
  const Listing listing = listing_of(
      {outside, bug("invalid-model z3: div", "#12"), bug("refutation-unsound z3: bvmul bvsmod")});
  EXPECT_EQ(listing.groups, 3U);
  EXPECT_EQ(shown_order(listing), (std::vector<size_t>{2, 1, 0}));
  EXPECT_EQ(reporting_order(listing.bugs), std::vector<size_t>{2});
}

// Who has reported one of a group has told of all of it.
TEST(ListingTest, WhatIsLikeAMarkedOneIsNotProposed) {
  const record::Bug plain = bug("refutation-unsound z3: bvmul");
  record::Bug more = bug("refutation-unsound z3: bvmul bvsmod");
  EXPECT_EQ(reporting_order(std::vector{plain, more}), std::vector<size_t>{0});
  more.state = "reported";
  EXPECT_TRUE(reporting_order(std::vector{plain, more}).empty());
}

TEST(ListingTest, NoBugsAreAListing) {
  const Listing listing = listing_of(std::vector<record::Bug>());
  EXPECT_EQ(listing.groups, 0U);
  EXPECT_TRUE(shown_order(listing).empty());
}

}  // namespace
}  // namespace elenchus::triage
