#include "num/literal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace elenchus::num {
namespace {

TEST(LiteralTest, Numerals) {
  EXPECT_EQ(canonical_numeral("0"), "0");
  EXPECT_EQ(canonical_numeral("000"), "0");
  EXPECT_EQ(canonical_numeral("007"), "7");
  EXPECT_EQ(canonical_numeral("700"), "700");
  EXPECT_EQ(canonical_numeral("00123456789012345678901234567890"),
            "123456789012345678901234567890");
}

TEST(LiteralTest, SmallValues) {
  EXPECT_EQ(small_value("0", 10), 0U);
  EXPECT_EQ(small_value("0009", 10), 9U);
  EXPECT_EQ(small_value("10", 10), 10U);
  EXPECT_EQ(small_value("11", 10), 10U);
  EXPECT_EQ(small_value("4294967294", UINT32_MAX), UINT32_MAX - 1);
  EXPECT_EQ(small_value("4294967296", UINT32_MAX), UINT32_MAX);
  EXPECT_EQ(small_value(std::string(100, '9'), 1U << 20), 1U << 20);
}

TEST(LiteralTest, Decimals) {
  const std::pair<const char*, const char*> cases[] = {
      {"01.50", "1.5"}, {"2.000", "2.0"},  {"2.", "2.0"},      {"0.0", "0.0"},
      {"00.00", "0.0"}, {"0.010", "0.01"}, {"10.01", "10.01"}, {"100.0", "100.0"},
  };
  for (const auto& [text, canonical] : cases) EXPECT_EQ(canonical_decimal(text), canonical);
}

TEST(LiteralTest, BitsAreHexadecimalWhereTheWidthAllows) {
  EXPECT_EQ(bits_literal("1"), "#b1");
  EXPECT_EQ(bits_literal("101"), "#b101");
  EXPECT_EQ(bits_literal("1010"), "#xa");
  EXPECT_EQ(bits_literal("00000000"), "#x00");
  EXPECT_EQ(bits_literal("11111"), "#b11111");
  EXPECT_EQ(hex_literal("AbC09"), "#xabc09");
}

TEST(LiteralTest, WidthOfLiterals) {
  EXPECT_EQ(literal_width("#b0"), 1U);
  EXPECT_EQ(literal_width("#b10101"), 5U);
  EXPECT_EQ(literal_width("#x0"), 4U);
  EXPECT_EQ(literal_width("#xabcd"), 16U);
}

TEST(LiteralTest, BitsOfNumbersAreReducedToTheWidth) {
  EXPECT_EQ(bits_literal_of_number("5", 3), "#b101");
  EXPECT_EQ(bits_literal_of_number("5", 2), "#b01");
  EXPECT_EQ(bits_literal_of_number("0", 1), "#b0");
  EXPECT_EQ(bits_literal_of_number("256", 8), "#x00");
  EXPECT_EQ(bits_literal_of_number("511", 8), "#xff");
  EXPECT_EQ(bits_literal_of_number("18446744073709551617", 68), "#x10000000000000001");
  EXPECT_EQ(bits_literal_of_number("18446744073709551617", 64), "#x0000000000000001");
}

TEST(LiteralTest, WidthsThatAreRefused) {
  EXPECT_FALSE(bits_literal_of_number("1", 0).has_value());
  EXPECT_FALSE(bits_literal_of_number("1", kMaxNumberedWidth + 1).has_value());
  EXPECT_FALSE(bits_literal_of_number("1", UINT32_MAX).has_value());
  const auto widest = bits_literal_of_number("1", kMaxNumberedWidth);
  ASSERT_TRUE(widest.has_value());
  EXPECT_EQ(literal_width(*widest), kMaxNumberedWidth);
}

RC_GTEST_PROP(LiteralTest, AllWaysToWriteBitsAgree, (uint64_t number)) {
  const auto width = *rc::gen::inRange<uint32_t>(1, 65);
  std::string binary;
  for (uint32_t i = width; i-- > 0;) binary += ((number >> i) & 1) != 0 ? '1' : '0';
  const std::string literal = bits_literal(binary);
  RC_ASSERT(literal_width(literal) == width);
  RC_ASSERT(bits_literal_of_number(std::to_string(number), width) == literal);
  if (width % 4 == 0) RC_ASSERT(hex_literal(literal.substr(2)) == literal);
}

TEST(LiteralTest, StringEscapes) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"abc ~", "abc ~"},
      {"say \"\"hi\"\"", "say \"\"hi\"\""},
      // The same character in all of its spellings.
      {"\\u0041\\u{41}\\u{041}\\u{00041}", "AAAA"},
      {"\\u00e9\\u{E9}\xe9", "\\u{e9}\\u{e9}\\u{e9}"},
      {"\n\t\x7f", "\\u{a}\\u{9}\\u{7f}"},
      {"\\u0022", "\"\""},
      {"\\u{2FFFF}\\u{0}", "\\u{2ffff}\\u{0}"},
      // What looks like an escape and is none stands for itself.
      {"\\", "\\u{5c}"},
      {"\\n", "\\u{5c}n"},
      {"\\x41", "\\u{5c}x41"},
      {"\\u", "\\u{5c}u"},
      {"\\u{", "\\u{5c}u{"},
      {"\\u{}", "\\u{5c}u{}"},
      {"\\u{30000}", "\\u{5c}u{30000}"},
      {"\\u{000041}", "\\u{5c}u{000041}"},
      {"\\u{41", "\\u{5c}u{41"},
      {"\\u{4g}", "\\u{5c}u{4g}"},
      {"\\u004", "\\u{5c}u004"},
      {"\\u004g", "\\u{5c}u004g"},
      {"\\\\u0041", "\\u{5c}A"},
  };
  for (const auto& [raw, canonical] : cases) EXPECT_EQ(canonical_string(raw), canonical) << raw;
}

TEST(LiteralTest, StringsDecodeToCharacters) {
  EXPECT_EQ(decode_string("a\"\"\\u{2ffff}"), (std::u32string{U'a', U'"', char32_t{0x2ffff}}));
  EXPECT_EQ(decode_string(canonical_string("\\u{30000}")), U"\\u{30000}");
  EXPECT_EQ(encode_string(U"\\u{41}"), "\\u{5c}u{41}");
}

// Texts in which escapes and their ruins are frequent.
rc::Gen<std::string> raw_text() {
  const auto piece = rc::gen::element<std::string>("\\", "u", "{", "}", "0", "4", "1", "f", "G",
                                                   "\"\"", "\\u", "\\u{", "\x80", "\n", " ");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& part : pieces) text += part;
                        return text;
                      });
}

RC_GTEST_PROP(LiteralTest, CanonicalStringsAreFixedAndKeepTheirCharacters, ()) {
  const std::string raw = *raw_text();
  const std::string canonical = canonical_string(raw);
  RC_ASSERT(canonical_string(canonical) == canonical);
  RC_ASSERT(decode_string(canonical) == decode_string(raw));
  RC_ASSERT(encode_string(decode_string(canonical)) == canonical);
  for (const char c : canonical) RC_ASSERT(c >= 0x20 && c <= 0x7e);
}

RC_GTEST_PROP(LiteralTest, AnyCharactersComeBack, ()) {
  const auto characters =
      *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 0x30000));
  const std::u32string text(characters.begin(), characters.end());
  RC_ASSERT(decode_string(encode_string(text)) == text);
}

TEST(LiteralTest, PrintedStrings) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"a", "a"},
      {"a\"\"b", "a\"\"b"},
      {"\\u{7}", "\\u{7}"},
      {"\\u0007", "\\u{7}"},
      {"\\u{2ffff}", "\\u{2ffff}"},
      {"\\", "\\u{5c}"},
      {"\\u{5c}", "\\u{5c}"},
      {"\\u{5c}u{41}", "\\u{5c}u{41}"},
      {"\\n", "\\u{5c}n"},
      // No solver escapes a printable character: these are as many characters as one sees.
      {"\\u{41}", "\\u{5c}u{41}"},
      {"\\u0041", "\\u{5c}u0041"},
      {"\\u{20}\\u{7e}\\u{7f}", "\\u{5c}u{20}\\u{5c}u{7e}\\u{7f}"},
      {"\\u{", "\\u{5c}u{"},
  };
  for (const auto& [text, canonical] : cases) EXPECT_EQ(canonical_printed_string(text), canonical);
}

RC_GTEST_PROP(LiteralTest, CanonicalStringsArePrintedStrings, ()) {
  const auto codes =
      *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(0U, kMaxCharacter));
  const std::string text = encode_string(std::u32string(codes.begin(), codes.end()));
  RC_ASSERT(canonical_printed_string(text) == text);
}

}  // namespace
}  // namespace elenchus::num
