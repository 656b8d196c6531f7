#include "base/system_error.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

TEST(SystemErrorTest, WhatWeRunOutOfIsALimitWithAdvice) {
  for (const int number : {EMFILE, ENFILE, EAGAIN, ENOMEM}) {
    const Error error = system_error("cannot make a pipe", number);
    EXPECT_TRUE(is_exhaustion(number));
    EXPECT_EQ(error.kind, ErrorKind::kLimit) << error.message;
    EXPECT_NE(error.message.find("; "), std::string::npos) << error.message;
  }
  EXPECT_NE(system_error("", EMFILE).message.find("ulimit -n"), std::string::npos);
  EXPECT_NE(system_error("", EAGAIN).message.find("ulimit -u"), std::string::npos);
}

TEST(SystemErrorTest, OtherErrorsAreNoLimits) {
  const Error error = system_error("cannot run z3", ENOENT);
  EXPECT_FALSE(is_exhaustion(ENOENT));
  EXPECT_EQ(error.kind, ErrorKind::kIo);
  EXPECT_EQ(error.message, "cannot run z3: No such file or directory");
}

}  // namespace
}  // namespace elenchus::base
