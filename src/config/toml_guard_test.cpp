#include "config/toml_guard.h"

#include <gtest/gtest.h>

#include <string>

namespace elenchus::config {
namespace {

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(TomlGuard, LongKeysAreRefusedWithTheirPlace) {
  for (const std::string& text : {"x = 1\na" + repeated(".a", 60000) + " = 1",
                                  "x = 1\n[a" + repeated(" . \"a\"", 60000) + "]",
                                  "x = 1\ny = {a" + repeated(".'a'", 60000) + " = 1}"}) {
    const auto checked = check_toml(text);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().where.line, 2U);
  }
}

TEST(TomlGuard, OrdinaryTextsPass) {
  EXPECT_TRUE(check_toml("").has_value());
  EXPECT_TRUE(check_toml("seeds = [" + repeated("\"a.b.smt2\", ", 5000) + "]").has_value());
  EXPECT_TRUE(check_toml(repeated("a.b.c = 1.5\n", 5000)).has_value());
}

}  // namespace
}  // namespace elenchus::config
