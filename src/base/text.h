#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace elenchus::base {

// A piece of somebody's input, fit to be part of a message: cut when it is long, and without
// characters that would do things to a terminal.
std::string shown(std::string_view text, size_t most = 80);

// A word of a command line as a shell takes it.
std::string shell_word(std::string_view word);

// Words as a shell would see them: blanks separate, quotes and backslashes protect.
Result<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace elenchus::base
