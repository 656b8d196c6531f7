#include "base/text.h"

#include <gtest/gtest.h>

namespace elenchus::base {
namespace {

TEST(Shown, IsShortAndHarmless) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("a\033[2Jb\nc"), "a?[2Jb?c");
  EXPECT_EQ(shown("abcdef", 3), "abc...");
}

TEST(Lines, EndWithOrWithoutAnEnd) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ(lines_of(""), Lines());
  EXPECT_EQ(lines_of("a"), Lines({"a"}));
  EXPECT_EQ(lines_of("a\n"), Lines({"a"}));
  EXPECT_EQ(lines_of("\na\r\n\nb"), Lines({"", "a\r", "", "b"}));
  EXPECT_EQ(first_line("a\nb"), "a");
  EXPECT_EQ(first_line("a"), "a");
}

TEST(Lines, AreTakenOffOneByOne) {
  std::string_view text = "a\r\nb\r";
  EXPECT_EQ(take_plain_line(text), "a");
  EXPECT_EQ(text, "b\r");
  EXPECT_EQ(take_plain_line(text), "b");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_line(text), "");
}

TEST(Trimmed, IsWhatIsBetweenBlanks) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(ReadNumber, TheWholeTextIsOne) {
  uint32_t number = 0;
  EXPECT_TRUE(read_number("17", number));
  EXPECT_EQ(number, 17U);
  EXPECT_TRUE(read_number("ff", number, 16));
  EXPECT_EQ(number, 255U);
  double real = 0;
  EXPECT_TRUE(read_number("1.5", real));
  EXPECT_EQ(real, 1.5);
  for (const std::string_view text : {"", " 1", "1 ", "-1", "1.5", "4294967296"}) {
    EXPECT_FALSE(read_number(text, number)) << text;
  }
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
