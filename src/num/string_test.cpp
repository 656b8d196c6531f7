#include "num/string.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "num/literal.h"
#include "num/sequence.h"

namespace elenchus::num {
namespace {

using Text = std::u32string;
using View = std::u32string_view;

constexpr size_t kNoLimit = SIZE_MAX;

const mpz_class kHuge{"123456789012345678901234567890"};

Text replaced(View text, View needle, View by) {
  return str_replace(text, needle, by, kNoLimit).value();
}

Text replaced_all(View text, View needle, View by) {
  return str_replace_all(text, needle, by, kNoLimit).value();
}

TEST(StringTest, Concat) {
  EXPECT_EQ(str_concat({}, 0), U"");
  const View parts[] = {U"ab", U"", U"c"};
  EXPECT_EQ(str_concat(parts, 3), U"abc");
  EXPECT_EQ(str_concat(parts, 2), std::nullopt);
}

TEST(StringTest, OrderIsLexicographicByCodePoint) {
  EXPECT_TRUE(str_less(U"", U"a"));
  EXPECT_FALSE(str_less(U"", U""));
  EXPECT_TRUE(str_less_equal(U"", U""));
  EXPECT_TRUE(str_less(U"a", U"aardvark"));
  EXPECT_TRUE(str_less(U"aardvark", U"aardwolf"));
  EXPECT_FALSE(str_less(U"b", U"aa"));
  EXPECT_TRUE(str_less(U"\uFFFF", U"\U0001F600"));
  EXPECT_FALSE(str_less_equal(U"\U0001F600", U"\uFFFF"));
}

TEST(StringTest, Substr) {
  EXPECT_EQ(str_substr(U"abcd", 1, 2), U"bc");
  EXPECT_EQ(str_substr(U"abcd", 1, 3), U"bcd");
  EXPECT_EQ(str_substr(U"abcd", 1, kHuge), U"bcd");
  EXPECT_EQ(str_substr(U"abcd", 0, 0), U"");
  EXPECT_EQ(str_substr(U"abcd", 0, -1), U"");
  EXPECT_EQ(str_substr(U"abcd", 0, -kHuge), U"");
  EXPECT_EQ(str_substr(U"abcd", -1, 3), U"");
  EXPECT_EQ(str_substr(U"abcd", 3, 9), U"d");
  EXPECT_EQ(str_substr(U"abcd", 4, 1), U"");
  EXPECT_EQ(str_substr(U"abcd", 5, 1), U"");
  EXPECT_EQ(str_substr(U"abcd", kHuge, kHuge), U"");
  EXPECT_EQ(str_substr(U"", 0, 1), U"");
}

TEST(StringTest, At) {
  EXPECT_EQ(str_at(U"a\U0001F600", 1), U"\U0001F600");
  EXPECT_EQ(str_at(U"ab", 2), U"");
  EXPECT_EQ(str_at(U"ab", -1), U"");
  EXPECT_EQ(str_at(U"ab", kHuge), U"");
  EXPECT_EQ(str_at(U"", 0), U"");
}

TEST(StringTest, PrefixSuffixContains) {
  EXPECT_TRUE(str_prefix_of(U"", U""));
  EXPECT_TRUE(str_prefix_of(U"ab", U"abc"));
  EXPECT_FALSE(str_prefix_of(U"abc", U"ab"));
  EXPECT_FALSE(str_prefix_of(U"b", U"ab"));
  EXPECT_TRUE(str_suffix_of(U"", U"a"));
  EXPECT_TRUE(str_suffix_of(U"bc", U"abc"));
  EXPECT_FALSE(str_suffix_of(U"ab", U"abc"));
  EXPECT_FALSE(str_suffix_of(U"abc", U"bc"));
  EXPECT_TRUE(str_contains(U"", U""));
  EXPECT_TRUE(str_contains(U"abc", U"b"));
  EXPECT_TRUE(str_contains(U"abc", U"abc"));
  EXPECT_FALSE(str_contains(U"abc", U"ac"));
  EXPECT_FALSE(str_contains(U"", U"a"));
}

TEST(StringTest, IndexOf) {
  EXPECT_EQ(str_index_of(U"abcab", U"ab", 0), 0);
  EXPECT_EQ(str_index_of(U"abcab", U"ab", 1), 3);
  EXPECT_EQ(str_index_of(U"abcab", U"ab", 3), 3);
  EXPECT_EQ(str_index_of(U"abcab", U"ab", 4), -1);
  EXPECT_EQ(str_index_of(U"abcab", U"x", 0), -1);
  EXPECT_EQ(str_index_of(U"abcab", U"ab", -1), -1);
  EXPECT_EQ(str_index_of(U"abcab", U"ab", kHuge), -1);
  EXPECT_EQ(str_index_of(U"abc", U"", 0), 0);
  EXPECT_EQ(str_index_of(U"abc", U"", 3), 3);
  EXPECT_EQ(str_index_of(U"abc", U"", 4), -1);
  EXPECT_EQ(str_index_of(U"abc", U"", -1), -1);
  EXPECT_EQ(str_index_of(U"", U"", 0), 0);
  EXPECT_EQ(str_index_of(U"", U"", 1), -1);
}

TEST(StringTest, LastIndexOf) {
  EXPECT_EQ(str_last_index_of(U"abcab", U"ab"), 3);
  EXPECT_EQ(str_last_index_of(U"aaa", U"aa"), 1);
  EXPECT_EQ(str_last_index_of(U"abc", U"abc"), 0);
  EXPECT_EQ(str_last_index_of(U"abc", U"x"), -1);
  EXPECT_EQ(str_last_index_of(U"abc", U"abcd"), -1);
  EXPECT_EQ(str_last_index_of(U"abc", U""), 3);
  EXPECT_EQ(str_last_index_of(U"", U""), 0);
}

TEST(StringTest, Replace) {
  EXPECT_EQ(replaced(U"abab", U"ab", U"x"), U"xab");
  EXPECT_EQ(replaced(U"abab", U"c", U"x"), U"abab");
  EXPECT_EQ(replaced(U"abab", U"", U"x"), U"xabab");
  EXPECT_EQ(replaced(U"", U"", U"x"), U"x");
  EXPECT_EQ(replaced(U"", U"a", U"x"), U"");
  EXPECT_EQ(replaced(U"ab", U"ab", U""), U"");
  EXPECT_EQ(str_replace(U"ab", U"b", U"xyz", 4), U"axyz");
  EXPECT_EQ(str_replace(U"ab", U"b", U"xyz", 3), std::nullopt);
}

TEST(StringTest, ReplaceAll) {
  EXPECT_EQ(replaced_all(U"abcab", U"ab", U"x"), U"xcx");
  EXPECT_EQ(replaced_all(U"aaaaa", U"aa", U"b"), U"bba");
  EXPECT_EQ(replaced_all(U"aaa", U"a", U"aa"), U"aaaaaa");
  EXPECT_EQ(replaced_all(U"abc", U"", U"x"), U"abc");
  EXPECT_EQ(replaced_all(U"", U"", U"x"), U"");
  EXPECT_EQ(replaced_all(U"abc", U"d", U"x"), U"abc");
  EXPECT_EQ(replaced_all(U"aba", U"a", U""), U"b");
  EXPECT_EQ(str_replace_all(U"aaa", U"a", U"bb", 6), U"bbbbbb");
  EXPECT_EQ(str_replace_all(U"aaa", U"a", U"bb", 5), std::nullopt);
  const Text many(100000, U'a');
  EXPECT_EQ(str_replace_all(many, U"a", many, 1U << 20), std::nullopt);
}

TEST(StringTest, Codes) {
  EXPECT_EQ(str_to_code(U""), -1);
  EXPECT_EQ(str_to_code(U"ab"), -1);
  EXPECT_EQ(str_to_code(U"A"), 65);
  EXPECT_EQ(str_to_code(Text(1, char32_t{kMaxCharacter})), 196607);
  EXPECT_EQ(str_from_code(65), U"A");
  EXPECT_EQ(str_from_code(0), Text(1, U'\0'));
  EXPECT_EQ(str_from_code(196607), Text(1, char32_t{0x2FFFF}));
  EXPECT_EQ(str_from_code(196608), U"");
  EXPECT_EQ(str_from_code(-1), U"");
  EXPECT_EQ(str_from_code(kHuge), U"");
}

TEST(StringTest, Digits) {
  EXPECT_TRUE(str_is_digit(U"0"));
  EXPECT_TRUE(str_is_digit(U"9"));
  EXPECT_FALSE(str_is_digit(U""));
  EXPECT_FALSE(str_is_digit(U"00"));
  EXPECT_FALSE(str_is_digit(U"/"));
  EXPECT_FALSE(str_is_digit(U":"));
  EXPECT_FALSE(str_is_digit(U"\u0661"));  // a digit for Unicode, not for SMT-LIB
}

TEST(StringTest, Integers) {
  EXPECT_EQ(str_to_int(U""), -1);
  EXPECT_EQ(str_to_int(U"0"), 0);
  EXPECT_EQ(str_to_int(U"00123"), 123);
  EXPECT_EQ(str_to_int(U"-123"), -1);
  EXPECT_EQ(str_to_int(U"+1"), -1);
  EXPECT_EQ(str_to_int(U" 1"), -1);
  EXPECT_EQ(str_to_int(U"1a"), -1);
  EXPECT_EQ(str_to_int(U"1\u0131"), -1);  // the low byte of U+0131 is '1'
  EXPECT_EQ(str_to_int(U"123456789012345678901234567890"), kHuge);
  EXPECT_EQ(str_from_int(0), U"0");
  EXPECT_EQ(str_from_int(120), U"120");
  EXPECT_EQ(str_from_int(-1), U"");
  EXPECT_EQ(str_from_int(kHuge), U"123456789012345678901234567890");
  EXPECT_EQ(str_decimal(-120), U"-120");
  EXPECT_EQ(str_decimal(0), U"0");
}

TEST(StringTest, Update) {
  EXPECT_EQ(str_update(U"abcd", 1, U"xy"), U"axyd");
  EXPECT_EQ(str_update(U"abcd", 3, U"xy"), U"abcx");
  EXPECT_EQ(str_update(U"abcd", 4, U"xy"), U"abcd");
  EXPECT_EQ(str_update(U"abcd", -1, U"xy"), U"abcd");
  EXPECT_EQ(str_update(U"abcd", kHuge, U"xy"), U"abcd");
  EXPECT_EQ(str_update(U"abcd", 1, U""), U"abcd");
  EXPECT_EQ(str_update(U"", 0, U"x"), U"");
}

TEST(StringTest, ReverseAndCase) {
  EXPECT_EQ(str_reverse(U""), U"");
  EXPECT_EQ(str_reverse(U"ab\U0001F600"), U"\U0001F600ba");
  EXPECT_EQ(str_to_lower(U"@AZ[az\u00C4"), U"@az[az\u00C4");
  EXPECT_EQ(str_to_upper(U"`az{AZ\u00E4"), U"`AZ{AZ\u00E4");
}

TEST(StringTest, SearchingARepetitiveTextIsLinear) {
  const Text text(1000000, U'a');
  const Text needle = Text(500000, U'a') + U"b";
  EXPECT_FALSE(str_contains(text, needle));
  EXPECT_EQ(str_last_index_of(text, str_reverse(needle)), -1);
  EXPECT_EQ(str_index_of(text + U"b", needle, 7), 500000);
  EXPECT_EQ(replaced_all(text, needle, U"x").size(), text.size());
  EXPECT_EQ(replaced_all(text, Text(1000, U'a'), U"").size(), 0U);
}

Text small_text(size_t most) {
  const auto size = *rc::gen::inRange<size_t>(0, most + 1);
  return *rc::gen::container<Text>(size, rc::gen::element(U'a', U'b'));
}

RC_GTEST_PROP(StringProperty, SearchAgreesWithTheStandardLibrary, ()) {
  const Text text = small_text(12);
  const Text needle = small_text(4);
  const auto start = *rc::gen::inRange<size_t>(0, text.size() + 2);
  const auto expected = [](size_t at) { return at == Text::npos ? -1 : static_cast<int64_t>(at); };
  RC_ASSERT(str_index_of(text, needle, start) == expected(text.find(needle, start)));
  RC_ASSERT(str_last_index_of(text, needle) == expected(text.rfind(needle)));
}

// By the recursive definition of the standard.
Text replace_all_by_definition(const Text& text, const Text& needle, const Text& by) {
  const size_t at = needle.empty() ? Text::npos : text.find(needle);
  if (at == Text::npos) return text;
  const Text rest = text.substr(at + needle.size());
  return text.substr(0, at) + by + replace_all_by_definition(rest, needle, by);
}

RC_GTEST_PROP(StringProperty, ReplaceAllAgreesWithItsDefinition, ()) {
  const Text text = small_text(12);
  const Text needle = small_text(3);
  const Text by = small_text(2);
  RC_ASSERT(replaced_all(text, needle, by) == replace_all_by_definition(text, needle, by));
}

TEST(SequenceTest, ElementsOfAnyType) {
  using Ints = std::vector<mpz_class>;
  const Ints seq = {1, kHuge, 2, kHuge, 2};
  const Ints needle = {kHuge, 2};
  const Ints by = {7};
  EXPECT_EQ((seq_index_of<mpz_class>(seq, needle, 0)), 1);
  EXPECT_EQ((seq_last_index_of<mpz_class>(seq, needle)), 3);
  EXPECT_EQ((seq_replace<Ints, mpz_class>(seq, needle, by, 9)), (Ints{1, 7, kHuge, 2}));
  EXPECT_EQ((seq_replace_all<Ints, mpz_class>(seq, needle, by, 9)), (Ints{1, 7, 7}));
  EXPECT_EQ((seq_update<Ints, mpz_class>(seq, 4, needle)), (Ints{1, kHuge, 2, kHuge, kHuge}));
  EXPECT_EQ((seq_extract<mpz_class>(seq, 4, 5)).size(), 1U);
  EXPECT_TRUE((seq_suffix_of<mpz_class>(needle, seq)));
}

}  // namespace
}  // namespace elenchus::num
