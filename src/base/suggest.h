#pragma once

#include <span>
#include <string>
#include <string_view>

namespace elenchus::base {

// Which of the names a misspelt word probably means; empty where none is near.
std::string nearest(std::string_view word, std::span<const std::string> names);

// The same as the end of a message: "; did you mean 'x'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace elenchus::base
