#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace elenchus::base {

// "1 bug", "3 bugs".
inline std::string counted(uint64_t count, std::string_view thing) {
  std::string text = std::to_string(count);
  text.append(" ").append(thing);
  if (count != 1) text += 's';
  return text;
}

}  // namespace elenchus::base
