#include "base/text.h"

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

TEST(Shown, IsShortAndHarmless) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("a\033[2Jb\nc"), "a?[2Jb?c");
  EXPECT_EQ(shown("abcdef", 3), "abc...");
}

TEST(ShellWord, IsQuotedWhereAShellWouldTakeItApart) {
  EXPECT_EQ(shell_word("--time=10m"), "--time=10m");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("z3 sat.euf=true"), "'z3 sat.euf=true'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(rm x)"), "'$(rm x)'");
}

}  // namespace
}  // namespace elenchus::base
