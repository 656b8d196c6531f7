#include "base/paged_array.h"

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

TEST(PagedArray, IsEmptyUntilWritten) {
  PagedArray<int, 2> array;
  EXPECT_EQ(array[0], 0);
  EXPECT_EQ(array[4'000'000], 0);
  array[4'000'000] = 7;
  array[3] = 5;
  EXPECT_EQ(array[4'000'000], 7);
  EXPECT_EQ(array[3], 5);
  EXPECT_EQ(array[4], 0);
}

TEST(PagedArray, ElementsNeverMove) {
  PagedArray<int, 2> array;
  int& first = array[1];
  for (uint32_t i = 0; i < 1000; ++i) array[i] = static_cast<int>(i);
  EXPECT_EQ(&first, &array[1]);
  EXPECT_EQ(first, 1);
}

// At every size, within a page, at its end and beyond all pages.
TEST(PagedArray, TruncatingForgetsTheRest) {
  constexpr uint32_t kCount = 19;
  for (uint32_t size = 0; size < kCount + 10; ++size) {
    PagedArray<int, 2> array;
    for (uint32_t i = 0; i < kCount; ++i) array[i] = 1;
    array.truncate(size);
    for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(array[i], i < size ? 1 : 0) << size;
  }
}

TEST(PagedArray, TruncatingLeavesGapsAlone) {
  PagedArray<int, 2> array;
  array[100] = 1;
  array.truncate(50);  // a page that was never touched
  EXPECT_EQ(array[100], 0);
  EXPECT_EQ(array[49], 0);
  array.clear();
  EXPECT_EQ(array[100], 0);
}

}  // namespace
}  // namespace elenchus::base
