#include "base/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

const std::vector<std::string> kNames = {"fuzz", "bugs", "judge", "reduce", "report", "z3"};

TEST(Suggest, FindsWhatWasMeant) {
  EXPECT_EQ(nearest("fuz", kNames), "fuzz");
  EXPECT_EQ(nearest("fzuz", kNames), "fuzz");  // exchanged letters are one mistake
  EXPECT_EQ(nearest("judgee", kNames), "judge");
  EXPECT_EQ(nearest("reprot", kNames), "report");
  EXPECT_EQ(nearest("z", kNames), "z3");
}

TEST(Suggest, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(nearest("dashboard", kNames), "");
  EXPECT_EQ(nearest("xy", kNames), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'f'), kNames), "");
}

TEST(Suggest, EndsAMessage) {
  EXPECT_EQ(did_you_mean("bgus", kNames), "; did you mean 'bugs'?");
  EXPECT_EQ(did_you_mean("nothing-like-it", kNames), "");
}

}  // namespace
}  // namespace elenchus::base
