#include "num/string.h"

#include <algorithm>
#include <vector>

#include "num/literal.h"
#include "num/sequence.h"

namespace elenchus::num {
namespace {

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

template <typename Change>
std::u32string changed(std::u32string_view text, Change change) {
  std::u32string result(text);
  std::transform(result.begin(), result.end(), result.begin(), change);
  return result;
}

}  // namespace

std::optional<std::u32string> str_concat(std::span<const std::u32string_view> parts,
                                         size_t max_length) {
  const std::vector<std::span<const char32_t>> spans(parts.begin(), parts.end());
  return seq_concat<std::u32string, char32_t>(spans, max_length);
}

bool str_less(std::u32string_view left, std::u32string_view right) { return left < right; }

bool str_less_equal(std::u32string_view left, std::u32string_view right) { return left <= right; }

std::u32string_view str_substr(std::u32string_view text, const mpz_class& start,
                               const mpz_class& length) {
  const auto part = seq_extract<char32_t>(text, start, length);
  return {part.data(), part.size()};
}

std::u32string_view str_at(std::u32string_view text, const mpz_class& position) {
  return str_substr(text, position, 1);
}

bool str_prefix_of(std::u32string_view prefix, std::u32string_view text) {
  return seq_prefix_of<char32_t>(prefix, text);
}

bool str_suffix_of(std::u32string_view suffix, std::u32string_view text) {
  return seq_suffix_of<char32_t>(suffix, text);
}

bool str_contains(std::u32string_view text, std::u32string_view needle) {
  return seq_contains<char32_t>(text, needle);
}

int64_t str_index_of(std::u32string_view text, std::u32string_view needle, const mpz_class& start) {
  return seq_index_of<char32_t>(text, needle, start);
}

int64_t str_last_index_of(std::u32string_view text, std::u32string_view needle) {
  return seq_last_index_of<char32_t>(text, needle);
}

std::optional<std::u32string> str_replace(std::u32string_view text, std::u32string_view needle,
                                          std::u32string_view by, size_t max_length) {
  return seq_replace<std::u32string, char32_t>(text, needle, by, max_length);
}

std::optional<std::u32string> str_replace_all(std::u32string_view text, std::u32string_view needle,
                                              std::u32string_view by, size_t max_length) {
  return seq_replace_all<std::u32string, char32_t>(text, needle, by, max_length);
}

bool str_is_digit(std::u32string_view text) { return text.size() == 1 && is_digit(text[0]); }

int64_t str_to_code(std::u32string_view text) {
  return text.size() == 1 ? static_cast<int64_t>(text[0]) : -1;
}

std::u32string str_from_code(const mpz_class& code) {
  const auto character = index_within(code, kMaxCharacter);
  return character ? std::u32string(1, static_cast<char32_t>(*character)) : std::u32string();
}

mpz_class str_to_int(std::u32string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return -1;
  std::string digits(text.size(), '0');
  std::transform(text.begin(), text.end(), digits.begin(),
                 [](char32_t c) { return static_cast<char>(c); });
  return mpz_class(digits, 10);
}

std::u32string str_from_int(const mpz_class& value) {
  return sgn(value) < 0 ? std::u32string() : str_decimal(value);
}

std::u32string str_decimal(const mpz_class& value) {
  const std::string digits = value.get_str();
  return {digits.begin(), digits.end()};
}

std::u32string str_update(std::u32string_view text, const mpz_class& start,
                          std::u32string_view by) {
  return seq_update<std::u32string, char32_t>(text, start, by);
}

std::u32string str_reverse(std::u32string_view text) { return {text.rbegin(), text.rend()}; }

std::u32string str_to_lower(std::u32string_view text) {
  return changed(text, [](char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; });
}

std::u32string str_to_upper(std::u32string_view text) {
  return changed(text, [](char32_t c) { return c >= U'a' && c <= U'z' ? c - 32 : c; });
}

}  // namespace elenchus::num
