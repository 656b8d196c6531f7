#include "docket/diagnosing.h"

#include <gtest/gtest.h>

namespace elenchus::docket {
namespace {

store::Manifest bug(const std::string& id, const std::string& kind, const std::string& operators) {
  store::Manifest one;
  one.id = id;
  one.kind = kind;
  one.solver = "z3";
  one.signature = kind + " z3: " + operators;
  return one;
}

TEST(WaitingListTest, EachGroupHasATurnBeforeAnyHasTwo) {
  WaitingList list(solver::Profiles::standard(), 5);
  list.add(bug("a", "refutation-unsound", "select"));
  list.add(bug("b", "refutation-unsound", "bvmul select"));
  list.add(bug("c", "invalid-model", "str.len"));
  EXPECT_EQ(list.take(true), "a");
  EXPECT_EQ(list.take(true), "c");
  EXPECT_EQ(list.take(true), "b");
  EXPECT_EQ(list.take(true), std::nullopt);
}

TEST(WaitingListTest, AfterTestingTimeIsLimited) {
  WaitingList list(solver::Profiles::standard(), 5);
  list.add(bug("a", "refutation-unsound", "select"));
  list.spend(6);
  EXPECT_EQ(list.take(false), std::nullopt);
  EXPECT_EQ(list.take(true), "a");
}

}  // namespace
}  // namespace elenchus::docket
