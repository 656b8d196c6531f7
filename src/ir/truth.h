#pragma once

#include <cstdint>

namespace elenchus::ir {

// What the answer to a check-sat must be, as far as anybody knows.
enum class Truth : uint8_t { kUnknown, kSat, kUnsat };

constexpr const char* to_string(Truth truth) {
  switch (truth) {
    case Truth::kUnknown: return "unknown";
    case Truth::kSat: return "sat";
    case Truth::kUnsat: return "unsat";
  }
  return "unknown";
}

}  // namespace elenchus::ir
