#include "num/literal.h"

#include <gmpxx.h>

#include "base/check.h"

namespace elenchus::num {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct Escape {
  uint32_t character;
  size_t length;
};

// \ud3d2d1d0, or \u{d...} with one to five digits and at most 0x2FFFF. Anything else that starts
// with a backslash stands for itself (SMT-LIB theory of strings, "string literals").
std::optional<Escape> read_escape(std::string_view text) {
  if (text.size() < 3 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  const bool braced = text[2] == '{';
  const size_t first = braced ? 3 : 2;
  const size_t most = braced ? 5 : 4;
  uint32_t value = 0;
  size_t digits = 0;
  while (digits < most && first + digits < text.size()) {
    const int digit = hex_value(text[first + digits]);
    if (digit < 0) break;
    value = value * 16 + static_cast<uint32_t>(digit);
    ++digits;
  }
  if (!braced) return digits == 4 ? std::optional<Escape>({value, 6}) : std::nullopt;
  const size_t close = first + digits;
  if (digits == 0 || close >= text.size() || text[close] != '}' || value > kMaxCharacter) {
    return std::nullopt;
  }
  return Escape{value, close + 1};
}

void append_character(std::string& out, uint32_t c) {
  if (c >= 0x20 && c <= 0x7e && c != '\\') {
    out += static_cast<char>(c);
    if (c == '"') out += '"';
    return;
  }
  out += "\\u{";
  int shift = 20;
  while (shift > 0 && (c >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += kHexDigits[(c >> shift) & 15];
  out += '}';
}

// Calls `use` for each character of a literal's inside.
template <typename Use>
void for_each_character(std::string_view raw, Use use) {
  for (size_t i = 0; i < raw.size();) {
    if (raw[i] == '\\') {
      if (const auto escape = read_escape(raw.substr(i))) {
        use(escape->character);
        i += escape->length;
        continue;
      }
    }
    use(static_cast<unsigned char>(raw[i]));
    i += raw[i] == '"' && i + 1 < raw.size() && raw[i + 1] == '"' ? 2 : 1;
  }
}

}  // namespace

std::string_view canonical_numeral(std::string_view digits) {
  const size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return "0";
  return digits.substr(first);
}

uint32_t small_value(std::string_view digits, uint32_t limit) {
  uint64_t value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<uint32_t>(digit - '0');
    if (value >= limit) return limit;
  }
  return static_cast<uint32_t>(value);
}

std::string canonical_decimal(std::string_view text) {
  const size_t dot = text.find('.');
  ELENCHUS_CHECK(dot != std::string_view::npos, "a decimal has a dot");
  std::string_view fraction = text.substr(dot + 1);
  while (fraction.size() > 1 && fraction.back() == '0') fraction.remove_suffix(1);
  std::string result(canonical_numeral(text.substr(0, dot)));
  result += '.';
  result += fraction.empty() ? std::string_view("0") : fraction;
  return result;
}

std::string bits_literal(std::string_view binary) {
  if (binary.size() % 4 != 0) return "#b" + std::string(binary);
  std::string result = "#x";
  for (size_t i = 0; i < binary.size(); i += 4) {
    int digit = 0;
    for (size_t k = 0; k < 4; ++k) digit = digit * 2 + (binary[i + k] - '0');
    result += kHexDigits[digit];
  }
  return result;
}

std::string hex_literal(std::string_view hex) {
  std::string result = "#x";
  for (const char c : hex) result += kHexDigits[hex_value(c)];
  return result;
}

std::optional<std::string> bits_literal_of_number(std::string_view digits, uint32_t width) {
  if (width == 0 || width > kMaxNumberedWidth) return std::nullopt;
  mpz_class value{std::string(digits), 10};
  mpz_fdiv_r_2exp(value.get_mpz_t(), value.get_mpz_t(), width);
  const bool hex = width % 4 == 0;
  const std::string text = value.get_str(hex ? 16 : 2);
  const size_t length = hex ? width / 4 : width;
  return (hex ? "#x" : "#b") + std::string(length - text.size(), '0') + text;
}

uint32_t literal_width(std::string_view literal) {
  const auto digits = static_cast<uint32_t>(literal.size() - 2);
  return literal[1] == 'x' ? 4 * digits : digits;
}

std::string canonical_string(std::string_view raw) {
  std::string result;
  result.reserve(raw.size());
  for_each_character(raw, [&](uint32_t c) { append_character(result, c); });
  return result;
}

std::string canonical_printed_string(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    const auto escape = raw[i] == '\\' ? read_escape(raw.substr(i)) : std::nullopt;
    const bool would_be_printed = escape && escape->character >= 0x20 &&
                                  escape->character <= 0x7e && escape->character != '\\';
    if (would_be_printed) {
      append_character(text, '\\');
    } else {
      text += raw[i];
    }
  }
  return canonical_string(text);
}

std::string canonical_raw_string(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (const char c : raw) {
    if (c == '\\') {
      append_character(text, '\\');
    } else {
      text += c;
    }
  }
  return canonical_string(text);
}

std::u32string decode_string(std::string_view canonical) {
  std::u32string result;
  for_each_character(canonical, [&](uint32_t c) { result += static_cast<char32_t>(c); });
  return result;
}

std::string encode_string(std::u32string_view characters) {
  std::string result;
  for (const char32_t c : characters) append_character(result, c);
  return result;
}

}  // namespace elenchus::num
