#pragma once

#include <compare>
#include <cstdint>

namespace elenchus::base {

// A typed 32-bit handle. The value 0 means "none".
template <typename Tag>
struct Id {
  uint32_t value = 0;

  constexpr bool valid() const { return value != 0; }
  friend constexpr bool operator==(Id, Id) = default;
  // clang-tidy takes the 0 of rewritten comparisons for a null pointer.
  friend constexpr auto operator<=>(Id, Id) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace elenchus::base
