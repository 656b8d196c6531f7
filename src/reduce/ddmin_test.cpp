#include "reduce/ddmin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace elenchus::reduce {
namespace {

using testing::ElementsAre;

// What is left of `count` items when these are needed, and how many attempts it took.
std::pair<std::set<uint32_t>, int> left_of(uint32_t count, const std::set<uint32_t>& needed) {
  std::set<uint32_t> left;
  for (uint32_t i = 0; i < count; ++i) left.insert(i);
  int attempts = 0;
  minimize(count, [&](std::span<const uint32_t> chosen) {
    ++attempts;
    for (const uint32_t i : chosen) {
      EXPECT_TRUE(left.contains(i));
      if (needed.contains(i)) return false;
    }
    for (const uint32_t i : chosen) left.erase(i);
    return true;
  });
  return {left, attempts};
}

TEST(Minimize, LeavesWhatIsNeeded) {
  EXPECT_THAT(left_of(0, {}).first, ElementsAre());
  EXPECT_THAT(left_of(1, {}).first, ElementsAre());
  EXPECT_THAT(left_of(1, {0}).first, ElementsAre(0));
  EXPECT_THAT(left_of(7, {6}).first, ElementsAre(6));
  EXPECT_THAT(left_of(100, {0, 13, 14, 99}).first, ElementsAre(0, 13, 14, 99));
}

TEST(Minimize, TakesFewAttempts) {
  EXPECT_EQ(left_of(1000, {}).second, 1);
  EXPECT_LE(left_of(1024, {500}).second, 22);
  EXPECT_LE(left_of(16, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}).second, 31);
}

}  // namespace
}  // namespace elenchus::reduce
