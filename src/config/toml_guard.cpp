#include "config/toml_guard.h"

#include <cctype>
#include <cstdint>

namespace elenchus::config {

base::Result<void> check_toml(std::string_view text) {
  constexpr size_t kMostBytes = size_t{16} << 20;
  constexpr uint32_t kMostDots = 1000;
  if (text.size() > kMostBytes) {
    return base::Error{base::ErrorKind::kLimit, "a file of settings of more than 16 MB", {}};
  }
  base::Location at{1, 1};
  uint32_t dots = 0;
  for (const char c : text) {
    const bool is_of_key = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                           c == '-' || c == '.' || c == '"' || c == '\'' || c == ' ' || c == '\t';
    if (!is_of_key) dots = 0;
    if (c == '.' && ++dots > kMostDots) {
      return base::Error{base::ErrorKind::kLimit, "a key of more than 1000 parts", at};
    }
    ++at.column;
    if (c == '\n') at = {at.line + 1, 1};
  }
  return {};
}

}  // namespace elenchus::config
