#include "ir/symbol.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/rng.h"

namespace elenchus::ir {
namespace {

using namespace std::string_view_literals;

std::string written(SymbolTable& symbols, std::string_view text) {
  std::string out;
  append_symbol(out, symbols, symbols.intern(text));
  return out;
}

TEST(SymbolTest, OneIdPerText) {
  SymbolTable symbols;
  // Equal beginnings, zero bytes and lengths round the word size.
  const std::vector<std::string_view> texts = {
      ""sv,         "a"sv,         "a\0"sv,        "\0"sv,        "\0\0"sv,     "1234567"sv,
      "12345678"sv, "123456789"sv, "12345678\0"sv, "12345678x"sv, "12345679x"sv};
  std::vector<SymbolId> ids;
  ids.reserve(texts.size());
  for (const auto text : texts) ids.push_back(symbols.intern(text));
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_TRUE(ids[i].valid());
    EXPECT_EQ(symbols.intern(texts[i]), ids[i]);
    EXPECT_EQ(symbols.find(texts[i]), ids[i]);
    EXPECT_EQ(symbols.text(ids[i]), texts[i]);
    for (size_t j = 0; j < i; ++j) EXPECT_NE(ids[i], ids[j]);
  }
}

// Texts inside a longer one are told apart by their own bytes alone, the last one included, after
// which nothing may be read.
TEST(SymbolTest, InternsTextsInsideALongerOne) {
  constexpr std::string_view kWhole = "a ab abcdefgh abcdefghi a ab abcdefghj b";
  SymbolTable symbols;
  for (int round = 0; round < 2; ++round) {
    for (size_t at = 0; at < kWhole.size();) {
      const std::string_view text = kWhole.substr(at, kWhole.find(' ', at) - at);
      const SymbolId symbol = symbols.intern_again(text, kWhole.size() - at);
      EXPECT_EQ(symbols.text(symbol), text);
      EXPECT_EQ(symbols.intern(text), symbol);
      at += text.size() + 1;
    }
    symbols.truncate(2);
  }
}

TEST(SymbolTest, FindDoesNotIntern) {
  SymbolTable symbols;
  EXPECT_FALSE(symbols.find("x").valid());
  symbols.intern("y");
  EXPECT_FALSE(symbols.find("x").valid());
  EXPECT_EQ(symbols.size(), 2U);
}

TEST(SymbolTest, TextsDoNotMove) {
  SymbolTable symbols;
  const SymbolId first = symbols.intern("first");
  const std::string_view text = symbols.text(first);
  for (int i = 0; i < 50'000; ++i) symbols.intern("symbol_" + std::to_string(i));
  EXPECT_EQ(symbols.text(first).data(), text.data());
  EXPECT_EQ(text, "first");
}

TEST(SymbolTest, BarsWhereSmtLibNeedsThem) {
  SymbolTable symbols;
  for (const char* simple : {"x", "+", "<=", "x1", "~!@$%^&*_-+=<>.?/", "lets", "Forall", "__"}) {
    EXPECT_EQ(written(symbols, simple), simple);
  }
  for (const char* odd : {"",        "1x",     "a b",    "a\"b", "(",        ";",  ":x", "#b1",
                          "let",     "forall", "exists", "par",  "as",       "_",  "!",  "match",
                          "NUMERAL", "BINARY", "STRING", "a'b",  "\xc3\xa9", "x\n"}) {
    EXPECT_EQ(written(symbols, odd), "|" + std::string(odd) + "|");
  }
}

TEST(SymbolTest, TruncationForgetsAndGivesTheSameIdsAgain) {
  SymbolTable symbols;
  symbols.intern("kept");
  const uint32_t mark = symbols.size();
  std::vector<std::string> texts = {
      "", "x", std::string(70'000, 'a'), "y", std::string(65'536, 'b'), "", std::string(10, 'c')};
  for (int i = 0; i < 20'000; ++i) texts.push_back("symbol_" + std::to_string(i));
  std::vector<SymbolId> ids;
  ids.reserve(texts.size());
  for (const auto& text : texts) ids.push_back(symbols.intern(text));
  for (int round = 0; round < 3; ++round) {
    symbols.truncate(mark);
    EXPECT_EQ(symbols.size(), mark);
    for (const auto& text : texts) ASSERT_FALSE(symbols.find(text).valid());
    EXPECT_EQ(symbols.text(symbols.find("kept")), "kept");
    for (size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(symbols.intern(texts[i]), ids[i]);
    }
    for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(symbols.text(ids[i]), texts[i]);
  }
}

TEST(SymbolTest, TruncationToEverySize) {
  SymbolTable symbols;
  const std::vector<std::string> texts = {
      "", "a", std::string(65'536, 'x'), "b", std::string(65'535, 'y'), "c", "dd"};
  for (const auto& text : texts) symbols.intern(text);
  for (uint32_t size = symbols.size(); size > 0; --size) {
    symbols.truncate(size);
    ASSERT_EQ(symbols.size(), size);
    for (uint32_t id = 1; id < size; ++id) ASSERT_EQ(symbols.text(SymbolId{id}), texts[id - 1]);
    // There is room again, and it is not the room of those that stay.
    symbols.intern("something else");
    for (uint32_t id = 1; id < size; ++id) ASSERT_EQ(symbols.text(SymbolId{id}), texts[id - 1]);
    symbols.truncate(size);
  }
}

TEST(SymbolTest, AgreesWithAMapUnderRandomUse) {
  base::Rng rng(1);
  SymbolTable symbols;
  std::vector<std::string> model = {""};  // by id; 0 is none
  std::unordered_map<std::string, uint32_t> ids;
  for (int step = 0; step < 20'000; ++step) {
    if (rng.one_in(500)) {
      const auto size = static_cast<uint32_t>(rng.between(1, symbols.size()));
      symbols.truncate(size);
      for (size_t id = size; id < model.size(); ++id) ids.erase(model[id]);
      model.resize(size);
      continue;
    }
    const std::string text(rng.below(300), static_cast<char>('a' + rng.below(26)));
    const auto [entry, is_new] = ids.emplace(text, static_cast<uint32_t>(model.size()));
    if (is_new) model.push_back(text);
    ASSERT_EQ(symbols.intern(text).value, entry->second);
    const auto any = static_cast<uint32_t>(rng.between(1, symbols.size() - 1));
    ASSERT_EQ(symbols.text(SymbolId{any}), model[any]);
  }
}

}  // namespace
}  // namespace elenchus::ir
