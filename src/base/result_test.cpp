#include "base/result.h"
#include "base/check.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace elenchus::base {
namespace {

Error broken() { return {ErrorKind::kParse, "no digits", {3, 7}}; }

Result<int> half(int n) {
  if (n % 2 != 0) return Error{ErrorKind::kType, "odd", {1, 2}};
  return n / 2;
}

Result<std::string> quarter(int n, int* steps) {
  ELENCHUS_ASSIGN_OR_RETURN(const int once, half(n));
  ++*steps;
  ELENCHUS_ASSIGN_OR_RETURN(const int twice, half(once));
  ++*steps;
  return std::to_string(twice);
}

TEST(ResultTest, AssignOrReturnStopsAtTheFirstError) {
  int steps = 0;
  const auto good = quarter(12, &steps);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, "3");
  EXPECT_EQ(steps, 2);

  steps = 0;
  const auto bad = quarter(6, &steps);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(steps, 1);
  EXPECT_EQ(bad.error().kind, ErrorKind::kType);
  EXPECT_EQ(bad.error().message, "odd");
  EXPECT_EQ(bad.error().where.line, 1U);
  EXPECT_EQ(bad.error().where.column, 2U);
}

Result<int> follow(Result<std::unique_ptr<int>> from) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::unique_ptr<int> pointer, std::move(from));
  return *pointer;
}

TEST(ResultTest, ValuesThatOnlyMove) {
  EXPECT_EQ(*follow(std::make_unique<int>(5)), 5);
  EXPECT_EQ(follow(broken()).error().message, "no digits");
}

TEST(ResultTest, ValuesCanBeChangedInPlace) {
  Result<std::string> result = std::string("a");
  *result += "b";
  result->push_back('c');
  EXPECT_EQ(result.value(), "abc");
}

TEST(ResultTest, WithoutValue) {
  const Result<void> good;
  EXPECT_TRUE(good.has_value());
  EXPECT_TRUE(static_cast<bool>(good));
  const Result<void> bad = broken();
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.error().message, "no digits");
}

TEST(ResultDeathTest, ValueOfAnErrorAbortsWithItsMessage) {
  const Result<int> bad = broken();
  EXPECT_THROW(static_cast<void>(bad.value()), CheckFailure);
}

TEST(ResultTest, DescribeGivesThePlaceWhenThereIsOne) {
  EXPECT_EQ(describe(broken(), "a.smt2"), "a.smt2:3:7: error: no digits");
  EXPECT_EQ(describe({ErrorKind::kIo, "cannot open"}, "b.smt2"), "b.smt2: error: cannot open");
}

TEST(ResultTest, KindsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    names.insert(to_string(static_cast<ErrorKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(ErrorKind::kInternal) + 1);
}

}  // namespace
}  // namespace elenchus::base
