#include "base/check.h"

#include <string>

namespace elenchus::base {

void check_failed(const char* file, int line, const char* condition, std::string_view detail) {
  std::string text = file;
  text += ':';
  text += std::to_string(line);
  text += ": ";
  text += condition;
  if (!detail.empty()) {
    text += ": ";
    text += detail;
  }
  throw CheckFailure(text);
}

}  // namespace elenchus::base
