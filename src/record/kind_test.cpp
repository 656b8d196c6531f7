#include "record/kind.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/outcome.h"

namespace elenchus::record {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(ELENCHUS_SOURCE_DIR "/") + file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(KindsTest, AreRankedAsMaintainersDo) {
  EXPECT_EQ(rank_of("refutation-unsound"), 1);
  EXPECT_LT(rank_of("solution-unsound"), rank_of("invalid-model"));
  EXPECT_LT(rank_of("invalid-model"), rank_of("crash"));
  EXPECT_LT(rank_of("crash"), rank_of("self-check"));
  EXPECT_LT(rank_of("disagreement"), rank_of("nobody knows"));
  EXPECT_LT(rank_of("nobody knows"), kKnownRank);
}

TEST(KindsTest, HaveOneName) {
  std::set<std::string_view> names;
  for (const KindInfo& kind : kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&info(kind.kind), &kind);
    EXPECT_EQ(find_kind(kind.name), &kind);
    EXPECT_EQ(to_string(kind.kind), kind.name);
    EXPECT_FALSE(kind.has(kProven) && kind.has(kUnsettled)) << kind.name;
  }
  EXPECT_EQ(find_kind("nobody knows"), nullptr);
}

TEST(OutcomesTest, HaveNamesAndColoursOfThePage) {
  EXPECT_STREQ(to_string(Outcome::kRejected), "rejected");
  const std::string style = text_of("data/web/page.css");
  for (const OutcomeInfo& outcome : kOutcomeTable) {
    EXPECT_THAT(style, HasSubstr(std::string(outcome.colour) + ":")) << outcome.name;
  }
}

}  // namespace
}  // namespace elenchus::record
