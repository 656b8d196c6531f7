#include "base/clock.h"

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

TEST(SteadyAfter, IsAsFarAwayAsWasAskedFor) {
  const auto start = SteadyClock::now();
  EXPECT_EQ(seconds_between(start, steady_after(2.5, start)), 2.5);
  EXPECT_EQ(steady_after(-1, start), start);
}

// More nanoseconds than a clock has would be a time that is over.
TEST(SteadyAfter, WhatTheClockCannotCountIsFarAway) {
  const auto start = SteadyClock::now();
  for (const double seconds : {1e10, 1e18, 1e300}) {
    EXPECT_GE(seconds_between(start, steady_after(seconds, start)), 1e9) << seconds;
  }
}

}  // namespace
}  // namespace elenchus::base
