#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The canonical text of literals. A literal term is known by this text, so that equal values are
// one term, printing is a copy, and nothing is converted that is never evaluated.
namespace elenchus::num {

// Wider bit-vector literals are refused, and earlier where the width is a number and not the length
// of the text: a short script must not exhaust memory.
inline constexpr uint32_t kMaxLiteralWidth = 1U << 24;
inline constexpr uint32_t kMaxNumberedWidth = 1U << 16;

// The last character of the theory of strings.
inline constexpr uint32_t kMaxCharacter = 0x2FFFF;

// "007" -> "7". The text consists of digits.
std::string_view canonical_numeral(std::string_view digits);

// The number that the digits mean, or `limit` when it is no less.
uint32_t small_value(std::string_view digits, uint32_t limit);

// "01.50" -> "1.5", "2.000" -> "2.0". The text is digits, a dot, digits (maybe none).
std::string canonical_decimal(std::string_view text);

// From the binary digits: "#x" and lower-case digits when the width is a multiple of four, else
// "#b".
std::string bits_literal(std::string_view binary);

// From hexadecimal digits.
std::string hex_literal(std::string_view hex);

// The value (reduced modulo 2^width, as solvers read `(_ bvN w)`) in `width` bits. Nothing when
// width is 0 or exceeds kMaxNumberedWidth.
std::optional<std::string> bits_literal_of_number(std::string_view digits, uint32_t width);

// The width of a canonical bit-vector literal.
uint32_t literal_width(std::string_view literal);

// The text between the quotes of a string literal, with `""` for a quote and the escapes of SMT-LIB
// 2.6, to its canonical form: printable ASCII as it is, everything else and the backslash as
// \u{...}. A byte above 127 stands for the character of that number, as z3 reads it.
std::string canonical_string(std::string_view raw);

// The same for what a solver printed. No solver escapes printable characters, but old releases of
// z3 print a backslash as it is: \u{41} is then six characters, and not an A.
std::string canonical_printed_string(std::string_view raw);
// The same where nothing is an escape.
std::string canonical_raw_string(std::string_view raw);

// The characters of a canonical string, and back.
std::u32string decode_string(std::string_view canonical);
std::string encode_string(std::u32string_view characters);

}  // namespace elenchus::num
