#include "smtlib/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace elenchus::smtlib {
namespace {

using testing::ElementsAre;

const char* name_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd: return "end";
    case TokenKind::kOpen: return "open";
    case TokenKind::kClose: return "close";
    case TokenKind::kSymbol: return "symbol";
    case TokenKind::kQuotedSymbol: return "quoted";
    case TokenKind::kKeyword: return "keyword";
    case TokenKind::kNumeral: return "numeral";
    case TokenKind::kDecimal: return "decimal";
    case TokenKind::kHex: return "hex";
    case TokenKind::kBinary: return "binary";
    case TokenKind::kField: return "field";
    case TokenKind::kString: return "string";
    case TokenKind::kError: return "error";
  }
  return "";
}

// "kind text" for each token, up to the end or the first error.
std::vector<std::string> tokens(std::string_view text) {
  Lexer lexer(text);
  std::vector<std::string> result;
  for (;;) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::kEnd) return result;
    result.push_back(name_of(token.kind) + std::string(" ") + std::string(token.text));
    if (token.kind == TokenKind::kError) return result;
  }
}

std::vector<uint32_t> offsets(std::string_view text) {
  Lexer lexer(text);
  std::vector<uint32_t> result;
  for (;;) {
    const Token token = lexer.next();
    result.push_back(token.offset);
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kError) return result;
  }
}

TEST(Lexer, NothingInNothing) {
  EXPECT_THAT(tokens(""), ElementsAre());
  EXPECT_THAT(tokens(" \t\r\n\f\v"), ElementsAre());
  EXPECT_THAT(tokens("; only a comment"), ElementsAre());
  EXPECT_THAT(tokens(std::string_view()), ElementsAre());
}

TEST(Lexer, EndComesAgainAndAgain) {
  Lexer lexer("a");
  EXPECT_EQ(lexer.next().kind, TokenKind::kSymbol);
  EXPECT_EQ(lexer.next().kind, TokenKind::kEnd);
  EXPECT_EQ(lexer.next().kind, TokenKind::kEnd);
}

TEST(Lexer, ParenthesesNeedNoSpace) {
  EXPECT_THAT(tokens("(a(b)1)\"s\"|q|"),
              ElementsAre("open (", "symbol a", "open (", "symbol b", "close )", "numeral 1",
                          "close )", "string s", "quoted q"));
}

TEST(Lexer, CommentsEndWithTheLine) {
  EXPECT_THAT(tokens("a ; b ( | \" \n c;d"), ElementsAre("symbol a", "symbol c"));
  EXPECT_THAT(tokens("a;x\r\nb"), ElementsAre("symbol a", "symbol b"));
}

TEST(Lexer, SymbolsHaveAllTheirCharacters) {
  EXPECT_THAT(
      tokens("~!@$%^&*_-+=<>.?/ a0 -1 +oo <="),
      ElementsAre("symbol ~!@$%^&*_-+=<>.?/", "symbol a0", "symbol -1", "symbol +oo", "symbol <="));
}

TEST(Lexer, QuotedSymbolsLoseTheirBars) {
  EXPECT_THAT(tokens("|a b| || |a\n;b(\"|"),
              ElementsAre("quoted a b", "quoted ", "quoted a\n;b(\""));
}

// z3 writes a bar inside a quoted symbol as \|.
TEST(Lexer, ABackslashTakesABarAlong) {
  EXPECT_THAT(tokens(R"(|a\|b| |\\| |\a|)"),
              ElementsAre(R"(quoted a\|b)", R"(quoted \\)", R"(quoted \a)"));
  EXPECT_THAT(tokens(R"(|a\|)"), ElementsAre("error quoted symbol without an end"));
  EXPECT_THAT(tokens("|a\\"), ElementsAre("error quoted symbol without an end"));
}

TEST(Lexer, KeywordsKeepTheirColon) {
  EXPECT_THAT(tokens(":named :a-b :"), ElementsAre("keyword :named", "keyword :a-b", "keyword :"));
}

TEST(Lexer, Numbers) {
  EXPECT_THAT(tokens("0 007 12345678901234567890123"),
              ElementsAre("numeral 0", "numeral 007", "numeral 12345678901234567890123"));
  EXPECT_THAT(tokens("0.0 1.50 2."), ElementsAre("decimal 0.0", "decimal 1.50", "decimal 2."));
  EXPECT_THAT(tokens("1x"), ElementsAre("error malformed number"));
  EXPECT_THAT(tokens("1.5.2"), ElementsAre("error malformed number"));
  EXPECT_THAT(tokens("1e5"), ElementsAre("error malformed number"));
}

TEST(Lexer, LiteralsOfBits) {
  EXPECT_THAT(tokens("#x0aF #b0110"), ElementsAre("hex 0aF", "binary 0110"));
  EXPECT_THAT(tokens("#f3m17 #f-1m5"), ElementsAre("field 3m17", "field -1m5"));
  const char* const message =
      "error malformed literal: #x needs hexadecimal digits, #b zeros and ones";
  for (const char* bad : {"#", "#x", "#b", "#xg", "#b2", "#b01a", "#q1", "#f", "#x )"}) {
    EXPECT_THAT(tokens(bad), ElementsAre(message)) << bad;
  }
}

TEST(Lexer, StringsKeepWhatWasWritten) {
  EXPECT_THAT(tokens("\"\" \"a\"\"b\" \"\\u{41}\n;|\""),
              ElementsAre("string ", "string a\"\"b", "string \\u{41}\n;|"));
  EXPECT_THAT(tokens("\"abc"), ElementsAre("error string without an end"));
  EXPECT_THAT(tokens("\"abc\"\""), ElementsAre("error string without an end"));
}

TEST(Lexer, OtherBytesAreErrors) {
  EXPECT_THAT(tokens("a '"), ElementsAre("symbol a", "error unexpected character"));
  EXPECT_THAT(tokens("{"), ElementsAre("error unexpected character"));
  EXPECT_THAT(tokens("\xff"), ElementsAre("error unexpected character"));
  EXPECT_THAT(tokens(std::string_view("\0", 1)), ElementsAre("error NUL byte"));
  EXPECT_THAT(tokens(std::string_view("|a\0b|", 5)), ElementsAre(std::string("quoted a\0b", 10)));
}

TEST(Lexer, AByteOrderMarkIsPassedOver) {
  EXPECT_THAT(tokens("\xEF\xBB\xBF(a)"), ElementsAre("open (", "symbol a", "close )"));
  EXPECT_THAT(offsets("\xEF\xBB\xBF(a)"), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(tokens("\xEF\xBB"), ElementsAre("error unexpected character"));
}

TEST(Lexer, OffsetsAreThoseOfTheFirstByte) {
  EXPECT_THAT(offsets("( |a b| #x0 \"s\" :k ;c\n 12"), ElementsAre(0, 2, 8, 12, 16, 23, 25));
  EXPECT_THAT(offsets("a \"b"), ElementsAre(0, 2));
}

TEST(Lexer, PeekSkipsSpaceAndComments) {
  Lexer lexer("  ; c\n )x");
  EXPECT_EQ(lexer.peek(), ')');
  EXPECT_EQ(lexer.offset(), 7U);
  EXPECT_EQ(lexer.next().kind, TokenKind::kClose);
  EXPECT_EQ(lexer.peek(), 'x');
  lexer.next();
  EXPECT_EQ(lexer.peek(), '\0');
}

TEST(Lexer, RewindReadsOnceMore) {
  Lexer lexer("(a b)");
  lexer.next();
  const uint32_t inside = lexer.offset();
  EXPECT_EQ(lexer.next().text, "a");
  EXPECT_EQ(lexer.next().text, "b");
  lexer.rewind(inside);
  EXPECT_EQ(lexer.next().text, "a");
  EXPECT_EQ(lexer.text(1, 4), "a b");
}

TEST(Lexer, SkipsOneExpression) {
  Lexer lexer(" (a (b |)| \")\" ; )\n) c) d");
  ASSERT_TRUE(lexer.skip_expression());
  EXPECT_EQ(lexer.next().text, "d");
  Lexer atoms("x 1");
  ASSERT_TRUE(atoms.skip_expression());
  ASSERT_TRUE(atoms.skip_expression());
  EXPECT_FALSE(atoms.skip_expression());
}

TEST(Lexer, SaysWhyAnExpressionDoesNotEnd) {
  const auto reason = [](std::string_view text) {
    Lexer lexer(text);
    EXPECT_FALSE(lexer.skip_expression()) << text;
    return std::string(lexer.error().text) + " at " + std::to_string(lexer.error().offset);
  };
  EXPECT_EQ(reason(""), "unexpected end of file at 0");
  EXPECT_EQ(reason("(a (b)"), "unexpected end of file at 6");
  EXPECT_EQ(reason(") a"), "unexpected ')' at 0");
  EXPECT_EQ(reason("(a #x)"),
            "malformed literal: #x needs hexadecimal digits, #b zeros and ones at 3");
}

TEST(Lexer, DepthCostsNothing) {
  const std::string deep = std::string(1'000'000, '(') + std::string(1'000'000, ')');
  Lexer lexer(deep);
  EXPECT_TRUE(lexer.skip_expression());
  EXPECT_EQ(lexer.next().kind, TokenKind::kEnd);
}

TEST(Lexer, LocationsCountLinesAndBytesFromOne) {
  const Lexer lexer(
      "ab\n\nc\xC3\xA4"
      "d");
  const auto at = [&](uint32_t offset) {
    const base::Location where = lexer.location(offset);
    return std::to_string(where.line) + ":" + std::to_string(where.column);
  };
  EXPECT_EQ(at(0), "1:1");
  EXPECT_EQ(at(2), "1:3");  // the line break belongs to the line that it ends
  EXPECT_EQ(at(3), "2:1");
  EXPECT_EQ(at(4), "3:1");
  EXPECT_EQ(at(7), "3:4");
  EXPECT_EQ(at(8), "3:5");
}

}  // namespace
}  // namespace elenchus::smtlib
