#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace elenchus::smtlib {

enum class TokenKind : uint8_t {
  kEnd,
  kOpen,
  kClose,
  kSymbol,        // text without bars
  kQuotedSymbol,  // the same, written with bars: never a reserved word
  kKeyword,       // text with the colon
  kNumeral,
  kDecimal,
  kHex,     // text without #x
  kBinary,  // text without #b
  kField,   // text without #f
  kString,  // the text between the quotes, as written
  kError,   // text: what is wrong
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  uint32_t offset = 0;
};

inline bool is_symbol(const Token& token) {
  return token.kind == TokenKind::kSymbol || token.kind == TokenKind::kQuotedSymbol;
}

// Splits SMT-LIB text into tokens. The text must outlive it and be shorter than 4 GiB.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  Token next() {
    skip_space();
    const char* start = at_;
    if (at_ == end_) return token(TokenKind::kEnd, start, start, start);
    const char c = *start;
    if (c == '(') {
      ++at_;
      return token(TokenKind::kOpen, start, at_, start);
    }
    if (c == ')') {
      ++at_;
      return token(TokenKind::kClose, start, at_, start);
    }
    if (classes_.is(c, kSymbolStart)) {
      at_ = skip_while(start + 1, end_, kSymbolChar);
      return token(TokenKind::kSymbol, start, at_, start);
    }
    return lex_other(start);
  }

  // The next character that is neither space nor comment, without consuming it; 0 at the end.
  char peek() {
    skip_space();
    return at_ == end_ ? '\0' : *at_;
  }

  uint32_t offset() const { return static_cast<uint32_t>(at_ - begin_); }
  // Where the text starts, after a byte order mark.
  uint32_t start() const {
    return static_cast<uint32_t>(byte_order_mark({begin_, static_cast<size_t>(end_ - begin_)}));
  }
  void rewind(uint32_t offset) { at_ = begin_ + offset; }
  std::string_view text(uint32_t from, uint32_t to) const {
    return {begin_ + from, static_cast<size_t>(to - from)};
  }

  // How many bytes there are from the start of a token's text on.
  size_t readable(const Token& token) const {
    return static_cast<size_t>(end_ - token.text.data());
  }

  // Skips one s-expression of any depth. False when it does not end, or no s-expression is there;
  // then `error()` is the reason.
  bool skip_expression();
  // The same for text between parentheses that need not consist of tokens; strings and comments are
  // not looked for.
  bool skip_balanced();
  const Token& error() const { return error_; }

  // The length of the mark that some editors put before a text. It is no part of the first line.
  static size_t byte_order_mark(std::string_view text);

  // Costs a scan of the text: for messages only.
  base::Location location(uint32_t offset) const;

 private:
  enum CharClass : uint8_t {
    kSpace = 1,
    kSymbolChar = 2,
    kSymbolStart = 4,  // a symbol's character that is no digit
    kDigit = 8,
    kHexDigit = 16,
  };

  // What each byte can be part of.
  struct Classes {
    uint8_t of[256] = {};
    constexpr Classes();
    bool is(char c, uint8_t mask) const { return (of[static_cast<uint8_t>(c)] & mask) != 0; }
  };
  static const Classes classes_;

  void skip_space() {
    at_ = skip_while(at_, end_, kSpace);
    if (at_ < end_ && *at_ == ';') skip_comments();
  }
  void skip_comments();
  // Works on copies: the compiler cannot know that the text is not our own members.
  static const char* skip_while(const char* at, const char* end, uint8_t mask) {
    while (at < end && classes_.is(*at, mask)) ++at;
    return at;
  }
  Token lex_other(const char* start);
  Token token(TokenKind kind, const char* first, const char* last, const char* start) const {
    return {
        kind, {first, static_cast<size_t>(last - first)}, static_cast<uint32_t>(start - begin_)};
  }
  Token fail(const char* where, std::string_view message) const {
    return {TokenKind::kError, message, static_cast<uint32_t>(where - begin_)};
  }
  Token lex_number(const char* start);
  Token lex_hash(const char* start);
  Token lex_string(const char* start);
  Token lex_quoted(const char* start);

  const char* begin_;
  const char* end_;
  const char* at_;
  Token error_;
};

}  // namespace elenchus::smtlib
