#include "base/chunked_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/rng.h"

namespace elenchus::base {
namespace {

constexpr uint32_t kChunk = 1U << 15;

std::vector<uint32_t> numbers(uint32_t first, size_t count) {
  std::vector<uint32_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

std::vector<uint32_t> copy(std::span<const uint32_t> view) { return {view.begin(), view.end()}; }

TEST(ChunkedArrayTest, AppendOfNothingTakesNoPlace) {
  ChunkedArray<uint32_t> array;
  EXPECT_EQ(array.append({}), 0U);
  EXPECT_EQ(array.size(), 0U);
  EXPECT_TRUE(array.view(0, 0).empty());
}

TEST(ChunkedArrayTest, ElementsDoNotMove) {
  ChunkedArray<uint32_t> array;
  const uint32_t first = array.append(numbers(5, 10));
  const auto view = array.view(first, 10);
  for (uint32_t i = 0; i < 5 * kChunk; ++i) array.push_back(i);
  EXPECT_EQ(array.view(first, 10).data(), view.data());
  EXPECT_EQ(copy(view), numbers(5, 10));
}

TEST(ChunkedArrayTest, RunsAreContiguousAtEveryChunkBoundary) {
  for (const uint32_t before : {0U, 1U, kChunk - 1, kChunk, kChunk + 1}) {
    for (const uint32_t length : {1U, 2U, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk + 5}) {
      ChunkedArray<uint32_t> array;
      for (uint32_t i = 0; i < before; ++i) array.push_back(i);
      const auto run = numbers(7'000'000, length);
      const uint32_t first = array.append(run);
      ASSERT_GE(first, before);
      ASSERT_EQ(array.size(), first + length);
      ASSERT_EQ(copy(array.view(first, length)), run) << before << ' ' << length;
      for (uint32_t i = 0; i < before; ++i) ASSERT_EQ(array[i], i);
      // What comes next leaves the run alone.
      array.append(numbers(1, 3));
      ASSERT_EQ(copy(array.view(first, length)), run);
    }
  }
}

TEST(ChunkedArrayTest, AppendsElementsOfItsOwn) {
  ChunkedArray<uint32_t> array;
  const auto run = numbers(3, 2 * kChunk);
  const uint32_t first = array.append(run);
  const uint32_t again = array.append(array.view(first, 2 * kChunk));
  EXPECT_EQ(copy(array.view(again, 2 * kChunk)), run);
}

// A long run needs one block where short ones left several, and the other way round.
TEST(ChunkedArrayTest, LongRunsAfterTruncation) {
  ChunkedArray<uint32_t> array;
  const uint32_t kept = array.append(numbers(1, 100));
  const uint32_t mark = array.size();
  for (int round = 0; round < 4; ++round) {
    for (uint32_t i = 0; i < 4 * kChunk; ++i) array.push_back(i);
    array.truncate(mark);
    for (const uint32_t length : {2 * kChunk, kChunk + 1, 5 * kChunk}) {
      const auto run = numbers(length, length);
      const uint32_t first = array.append(run);
      const uint32_t second = array.append(run);
      ASSERT_EQ(copy(array.view(first, length)), run);
      ASSERT_EQ(copy(array.view(second, length)), run);
    }
    array.truncate(mark);
    ASSERT_EQ(copy(array.view(kept, 100)), numbers(1, 100));
  }
}

// Against a list of the runs that must be there.
TEST(ChunkedArrayTest, AgreesWithVectorsUnderRandomUse) {
  struct Run {
    uint32_t first;
    std::vector<uint32_t> values;
  };
  constexpr uint32_t kLengths[] = {1, 2, 3, 255, 1'000, 20'000, kChunk, kChunk + 1, 3 * kChunk};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    ChunkedArray<uint32_t> array;
    std::vector<Run> runs;
    uint32_t next = 0;
    for (int step = 0; step < 60; ++step) {
      if (!runs.empty() && rng.one_in(5)) {
        const size_t keep = rng.below(runs.size() + 1);
        runs.resize(keep);
        array.truncate(runs.empty()
                           ? 0
                           : runs.back().first + static_cast<uint32_t>(runs.back().values.size()));
        continue;
      }
      const uint32_t length = rng.pick(std::span<const uint32_t>(kLengths));
      const uint32_t before = array.size();
      Run run{0, numbers(next, length)};
      next += length;
      run.first = length == 1 ? array.push_back(run.values[0]) : array.append(run.values);
      ASSERT_GE(run.first, before);
      ASSERT_EQ(array.size(), run.first + length);
      runs.push_back(std::move(run));
    }
    for (const Run& run : runs) {
      ASSERT_EQ(copy(array.view(run.first, static_cast<uint32_t>(run.values.size()))), run.values);
    }
  }
}

}  // namespace
}  // namespace elenchus::base
