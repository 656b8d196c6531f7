#include "record/bug.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/kind.h"

namespace elenchus::record {
namespace {

TEST(BugTest, EachViewShowsItsFields) {
  Bug bug;
  bug.id = "z3-crash-1";
  bug.solver = "z3";
  bug.answers = {{"z3", "4.8", "z3 -in", "crash"}};
  bug.count = 3;
  const auto manifest = to_json(bug, kManifest);
  EXPECT_EQ(manifest["id"], "z3-crash-1");
  EXPECT_EQ(manifest["answers"][0]["answer"], "crash");
  EXPECT_FALSE(manifest.contains("count"));
  const auto listed = to_json(bug, kListed);
  EXPECT_EQ(listed["count"], 3);
  EXPECT_FALSE(listed.contains("evidence"));
  EXPECT_EQ(to_json(bug, kSarif).size(), 8U);
}

// What is written down in a manifest is all that the others show, but for what a campaign counts.
TEST(BugTest, NoViewShowsWhatNeitherManifestNorCampaignHas) {
  const Bug bug;
  const auto manifest = to_json(bug, kManifest);
  const std::vector<std::string> counted = {"rank", "count", "first_seen", "last_seen", "examples",
                                            "path", "state", "reference",  "note"};
  for (const View view : {kListed, kDetails, kRow, kCard, kSarif}) {
    const auto shown = to_json(bug, view);
    for (const auto& [name, value] : shown.items()) {
      const bool is_counted = std::find(counted.begin(), counted.end(), name) != counted.end();
      EXPECT_NE(manifest.contains(name), is_counted) << name;
    }
  }
}

TEST(BugTest, RanksByWhatItIsAndWhatItNeeds) {
  Bug bug;
  bug.kind = "invalid-model";
  const int plain = rank_of(bug);
  EXPECT_EQ(plain, rank_of("invalid-model"));
  bug.probable = "solution-unsound";
  EXPECT_EQ(rank_of(bug), rank_of("solution-unsound"));
  bug.disclaimed = {"--experimental"};
  EXPECT_GT(rank_of(bug), rank_of("disagreement"));
  EXPECT_LT(rank_of(bug), kKnownRank);
  bug.known = "issue 1";
  EXPECT_EQ(rank_of(bug), kKnownRank);
}

TEST(BugTest, CountsForWhatWasTested) {
  Bug bug;
  bug.solver = "z3";
  EXPECT_EQ(tested_solver(bug), "z3");
  bug.tested = "/opt/z3";
  EXPECT_EQ(tested_solver(bug), "/opt/z3");
}

}  // namespace
}  // namespace elenchus::record
