#include "config/toml_reader.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace elenchus::config {
namespace {

struct Read {
  std::string name = "none";
  uint8_t size = 7;
  double share = 0.5;
  bool flag = false;
  std::vector<std::string> words;
  std::vector<std::string> names;
};

std::string read(std::string_view text, Read& into) {
  const auto table = parse_toml(text);
  if (!table) return base::describe(table.error(), "f");
  base::Error error;
  {
    TomlReader reader(*table, "", error);
    reader.read("name", into.name);
    reader.read("size", into.size);
    reader.read("share", into.share);
    reader.read("flag", into.flag);
    reader.read_one_or_more("words", into.words);
    reader.table("inner", [&](TomlReader& inner) { inner.read("name", into.name); });
    reader.tables("item", [&](TomlReader& item, const toml::node&) {
      item.read("name", into.names.emplace_back());
    });
  }
  return error.message.empty() ? "" : base::describe(error, "f");
}

std::string message(std::string_view text) {
  Read ignored;
  return read(text, ignored);
}

TEST(TomlReader, ReadsWhatIsThere) {
  Read got;
  EXPECT_EQ(read("size = 3\nflag = true\nwords = 'a'\n[[item]]\nname = 'x'\n[[item]]\n", got), "");
  EXPECT_EQ(got.name, "none");
  EXPECT_EQ(got.size, 3);
  EXPECT_TRUE(got.flag);
  EXPECT_EQ(got.words, std::vector<std::string>{"a"});
  EXPECT_EQ(got.names, (std::vector<std::string>{"x", ""}));
  EXPECT_EQ(read("words = ['b', 'c']\n[inner]\nname = 'y'", got), "");
  EXPECT_EQ(got.words, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(got.name, "y");
}

TEST(TomlReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(message("name = 3"), "f:1:8: error: 'name' must be a string");
  EXPECT_EQ(message("\nsize = 'x'"), "f:2:8: error: 'size' must be a whole number");
  EXPECT_EQ(message("size = -1"), "f:1:8: error: 'size' must be 0 or more");
  EXPECT_EQ(message("size = 300"), "f:1:8: error: 'size' must be smaller");
  EXPECT_EQ(message("share = 'x'"), "f:1:9: error: 'share' must be a number");
  EXPECT_EQ(message("flag = 'x'"), "f:1:8: error: 'flag' must be true or false");
  EXPECT_EQ(message("words = [1]"), "f:1:10: error: 'words' must be a list of strings");
  EXPECT_EQ(message("words = 1"), "f:1:9: error: 'words' must be a list");
  EXPECT_EQ(message("item = 1"), "f:1:8: error: 'item' must be a list");
  EXPECT_EQ(message("inner = 1"), "f:1:9: error: 'inner' must be a table");
  EXPECT_EQ(message("[inner]\nname = 1"), "f:2:8: error: inner: 'name' must be a string");
}

TEST(TomlReader, UnknownKeysAreRefusedAfterAllElse) {
  EXPECT_EQ(message("nam = 'x'"), "f:1:7: error: unknown key 'nam'");
  EXPECT_EQ(message("nam = 'x'\nsize = 'x'"), "f:2:8: error: 'size' must be a whole number");
  EXPECT_EQ(message("[inner]\nnam = 'x'"), "f:2:7: error: inner: unknown key 'nam'");
}

TEST(TomlReader, TextThatIsNoTomlIsRefused) {
  EXPECT_TRUE(message("a =\n").starts_with("f:1:")) << message("a =\n");
}

}  // namespace
}  // namespace elenchus::config
