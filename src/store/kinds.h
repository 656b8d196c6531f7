#pragma once

#include <span>
#include <string_view>

namespace elenchus::store {

// A kind of bug, as maintainers rank them.
struct Kind {
  std::string_view name;
  std::string_view meaning;
};

// All kinds, the gravest first.
std::span<const Kind> kinds();

// The place of a kind in kinds(), from 1 on; a kind that is not there comes last.
int rank_of(std::string_view kind);

// The rank of bugs that are known upstream, whatever their kind: behind all others.
inline constexpr int kKnownRank = 100;

}  // namespace elenchus::store
