#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace elenchus::share {

// Bugs and scripts that are fetched with one statement.
inline constexpr size_t kFetchedAtOnce = 20;

// Rows by their ids, in lists that are fetched with one statement each.
inline std::vector<std::vector<int64_t>> fetched_in_pieces(const std::vector<int64_t>& ids) {
  std::vector<std::vector<int64_t>> pieces;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i % kFetchedAtOnce == 0) pieces.emplace_back();
    pieces.back().push_back(ids[i]);
  }
  return pieces;
}

}  // namespace elenchus::share
