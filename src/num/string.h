#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The theory of Unicode strings of SMT-LIB 2.6, on strings of characters 0..kMaxCharacter. Every
// function is total: positions, lengths and codes may be any integer. What can grow takes a
// `max_length` and gives nothing when the result would be longer.
namespace elenchus::num {

std::optional<std::u32string> str_concat(std::span<const std::u32string_view> parts,
                                         size_t max_length);

// Lexicographic by code point.
bool str_less(std::u32string_view left, std::u32string_view right);
bool str_less_equal(std::u32string_view left, std::u32string_view right);

// The longest substring from `start` on of at most `length` characters; empty when `start` is not
// in [0, |text| - 1] or `length` is not positive. The result is a view into the text.
std::u32string_view str_substr(std::u32string_view text, const mpz_class& start,
                               const mpz_class& length);

// One character, or empty when the position is out of range.
std::u32string_view str_at(std::u32string_view text, const mpz_class& position);

bool str_prefix_of(std::u32string_view prefix, std::u32string_view text);
bool str_suffix_of(std::u32string_view suffix, std::u32string_view text);
bool str_contains(std::u32string_view text, std::u32string_view needle);

// The first occurrence at or after `start`, or -1. An empty needle occurs at every position,
// |text| included.
int64_t str_index_of(std::u32string_view text, std::u32string_view needle, const mpz_class& start);

// The last occurrence, or -1 (z3). An empty needle occurs at |text|.
int64_t str_last_index_of(std::u32string_view text, std::u32string_view needle);

// The first occurrence replaced. An empty needle occurs first at 0: `by` is prepended.
std::optional<std::u32string> str_replace(std::u32string_view text, std::u32string_view needle,
                                          std::u32string_view by, size_t max_length);

// All occurrences replaced, from the left, without overlaps. An empty needle changes nothing.
std::optional<std::u32string> str_replace_all(std::u32string_view text, std::u32string_view needle,
                                              std::u32string_view by, size_t max_length);

bool str_is_digit(std::u32string_view text);

// The code of the only character, or -1.
int64_t str_to_code(std::u32string_view text);
std::u32string str_from_code(const mpz_class& code);

// The number that the digits denote; -1 when there are none, or other characters.
mpz_class str_to_int(std::u32string_view text);
// Decimal digits without leading zeros; empty for negative numbers.
std::u32string str_from_int(const mpz_class& value);
// The same with a sign: z3's str.from_ubv and str.from_sbv of the number a bit-vector stands for.
std::u32string str_decimal(const mpz_class& value);

// cvc5: the characters from `start` on overwritten by those of `by`, as far as the text goes. A
// start that is out of range changes nothing.
std::u32string str_update(std::u32string_view text, const mpz_class& start, std::u32string_view by);
std::u32string str_reverse(std::u32string_view text);
// Only the letters of ASCII change.
std::u32string str_to_lower(std::u32string_view text);
std::u32string str_to_upper(std::u32string_view text);

}  // namespace elenchus::num
