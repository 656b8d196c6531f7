#include "reduce/ddmin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

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

// Every attempt was foreseen, and no more than `ahead` are foreseen at a time.
TEST(Minimize, ForeseesWhatItAttempts) {
  const std::set<uint32_t> needed = {0, 3, 8, 9, 20};
  for (const size_t ahead : {1, 2, 5}) {
    std::set<std::vector<uint32_t>> foreseen;
    const auto list = [](std::span<const uint32_t> chosen) {
      return std::vector<uint32_t>(chosen.begin(), chosen.end());
    };
    std::set<uint32_t> left;
    size_t pending = 0;
    minimize(
        21,
        [&](std::span<const uint32_t> chosen) {
          EXPECT_TRUE(foreseen.contains(list(chosen)));
          EXPECT_LE(pending, ahead);
          --pending;
          const bool is_needed = std::any_of(chosen.begin(), chosen.end(),
                                             [&](uint32_t i) { return needed.contains(i); });
          if (!is_needed) pending = 0;
          if (is_needed && chosen.size() == 1) left.insert(chosen[0]);
          return !is_needed;
        },
        ahead,
        [&](std::span<const uint32_t> chosen) {
          foreseen.insert(list(chosen));
          ++pending;
        });
    EXPECT_EQ(left, needed);
  }
}

TEST(Minimize, TakesFewAttempts) {
  EXPECT_EQ(left_of(1000, {}).second, 1);
  EXPECT_LE(left_of(1024, {500}).second, 22);
  EXPECT_LE(left_of(16, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}).second, 31);
}

}  // namespace
}  // namespace elenchus::reduce
