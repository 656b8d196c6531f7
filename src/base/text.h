#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/result.h"

namespace elenchus::base {

// A piece of somebody's input, fit to be part of a message: cut when it is long, and without
// characters that would do things to a terminal.
std::string shown(std::string_view text, size_t most = 80);

// Takes the first line off the front of the text, and its end with it.
std::string_view take_line(std::string_view& text);
// The same for files that may come from elsewhere: without a carriage return before the end.
std::string_view take_plain_line(std::string_view& text);
std::string_view first_line(std::string_view text);
// The end of the last line may be missing.
std::vector<std::string_view> lines_of(std::string_view text);

// Without blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);

// Whether the whole text is a number, which is then `into`. `base` is for whole numbers only.
template <typename Number, typename... Base>
bool read_number(std::string_view text, Number& into, Base... base) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, into, base...);
  return read.ec == std::errc() && read.ptr == end;
}

// A word of a command line as a shell takes it.
std::string shell_word(std::string_view word);

// Words as a shell would see them: blanks separate, quotes and backslashes protect.
Result<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace elenchus::base
