#include "smtlib/lexer.h"

#include <algorithm>
#include <cstring>

namespace elenchus::smtlib {
constexpr Lexer::Classes::Classes() {
  const auto add = [this](std::string_view characters, int bits) {
    for (const char c : characters) of[static_cast<uint8_t>(c)] |= static_cast<uint8_t>(bits);
  };
  add(" \t\n\r\f\v", kSpace);
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ~!@$%^&*_-+=<>.?/",
      kSymbolStart | kSymbolChar);
  add("0123456789", kSymbolChar | kDigit | kHexDigit);
  add("abcdefABCDEF", kHexDigit);
}

constinit const Lexer::Classes Lexer::classes_;

size_t Lexer::byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

Lexer::Lexer(std::string_view text)
    : begin_(text.data()), end_(text.data() + text.size()), at_(text.data()) {
  at_ += byte_order_mark(text);
}

void Lexer::skip_comments() {
  while (at_ < end_ && *at_ == ';') {
    const void* newline = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
    at_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    at_ = skip_while(at_, end_, kSpace);
  }
}

Token Lexer::lex_other(const char* start) {
  if (classes_.is(*start, kDigit)) return lex_number(start);
  switch (*start) {
    case ':':
      at_ = skip_while(start + 1, end_, kSymbolChar);
      return token(TokenKind::kKeyword, start, at_, start);
    case '#': return lex_hash(start);
    case '"': return lex_string(start);
    case '|': return lex_quoted(start);
    default: return fail(start, *start == '\0' ? "NUL byte" : "unexpected character");
  }
}

Token Lexer::lex_number(const char* start) {
  at_ = skip_while(start, end_, kDigit);
  if (at_ == end_ || *at_ != '.') {
    if (at_ < end_ && classes_.is(*at_, kSymbolChar)) return fail(start, "malformed number");
    return token(TokenKind::kNumeral, start, at_, start);
  }
  at_ = skip_while(at_ + 1, end_, kDigit);
  if (at_ < end_ && classes_.is(*at_, kSymbolChar)) return fail(start, "malformed number");
  return token(TokenKind::kDecimal, start, at_, start);
}

Token Lexer::lex_hash(const char* start) {
  const char form = end_ - start > 1 ? start[1] : '\0';
  const char* digits = start + 2;
  if (form == 'x') {
    at_ = skip_while(digits, end_, kHexDigit);
    if (at_ > digits && !(at_ < end_ && classes_.is(*at_, kSymbolChar))) {
      return token(TokenKind::kHex, digits, at_, start);
    }
  } else if (form == 'b') {
    at_ = digits;
    while (at_ < end_ && (*at_ == '0' || *at_ == '1')) ++at_;
    if (at_ > digits && !(at_ < end_ && classes_.is(*at_, kSymbolChar))) {
      return token(TokenKind::kBinary, digits, at_, start);
    }
  } else if (form == 'f') {
    at_ = skip_while(digits, end_, kSymbolChar);
    if (at_ > digits) return token(TokenKind::kField, digits, at_, start);
  }
  return fail(start, "malformed literal: #x needs hexadecimal digits, #b zeros and ones");
}

Token Lexer::lex_string(const char* start) {
  const char* at = start + 1;
  for (;;) {
    const void* quote = std::memchr(at, '"', static_cast<size_t>(end_ - at));
    if (quote == nullptr) return fail(start, "string without an end");
    at = static_cast<const char*>(quote) + 1;
    if (at == end_ || *at != '"') break;
    ++at;
  }
  at_ = at;
  return token(TokenKind::kString, start + 1, at - 1, start);
}

Token Lexer::lex_quoted(const char* start) {
  const char* at = start + 1;
  // A backslash takes the next character along: z3 allows \| inside.
  while (at < end_ && *at != '|') at += *at == '\\' && at + 1 < end_ ? 2 : 1;
  if (at >= end_) return fail(start, "quoted symbol without an end");
  at_ = at + 1;
  return token(TokenKind::kQuotedSymbol, start + 1, at, start);
}

bool Lexer::skip_expression() {
  size_t depth = 0;
  do {
    const Token token = next();
    if (token.kind == TokenKind::kOpen) {
      ++depth;
    } else if (token.kind == TokenKind::kClose) {
      if (depth == 0) {
        error_ = {TokenKind::kError, "unexpected ')'", token.offset};
        return false;
      }
      --depth;
    } else if (token.kind == TokenKind::kEnd) {
      error_ = {TokenKind::kError, "unexpected end of file", token.offset};
      return false;
    } else if (token.kind == TokenKind::kError) {
      error_ = token;
      return false;
    }
  } while (depth > 0);
  return true;
}

bool Lexer::skip_balanced() {
  size_t depth = 0;
  while (at_ < end_) {
    const char c = *at_++;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return true;
  }
  return false;
}

base::Location Lexer::location(uint32_t offset) const {
  const size_t mark = std::min<size_t>(start(), offset);
  const std::string_view before(begin_ + mark, offset - mark);
  const size_t last = before.rfind('\n');
  const size_t column = last == std::string_view::npos ? before.size() : before.size() - last - 1;
  return {static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1),
          static_cast<uint32_t>(column + 1)};
}

}  // namespace elenchus::smtlib
