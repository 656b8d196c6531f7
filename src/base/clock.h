#pragma once

#include <chrono>

namespace elenchus::base {

// Seconds on a clock that nobody sets. Only differences mean something.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace elenchus::base
