#include "base/text.h"

namespace elenchus::base {

std::string shown(std::string_view text, size_t most) {
  std::string result(text.substr(0, most));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (text.size() > most) result += "...";
  return result;
}

}  // namespace elenchus::base
