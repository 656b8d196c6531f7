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

// Splits SMT-LIB text into tokens. The text must outlive it and be shorter than 4 GiB.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  Token next();

  // The next character that is neither space nor comment, without consuming it; 0 at the end.
  char peek();

  uint32_t offset() const { return static_cast<uint32_t>(at_ - begin_); }
  void rewind(uint32_t offset) { at_ = begin_ + offset; }
  std::string_view text(uint32_t from, uint32_t to) const {
    return {begin_ + from, static_cast<size_t>(to - from)};
  }

  // Skips one s-expression of any depth. False when it does not end, or no s-expression is there;
  // then `error()` is the reason.
  bool skip_expression();
  const Token& error() const { return error_; }

  // Costs a scan of the text: for messages only.
  base::Location location(uint32_t offset) const;

 private:
  void skip_space();
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
