#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace elenchus::reduce {

// Delta debugging over `count` items: attempt(items) tries to do without these as well as without
// all that it succeeded with before. Everything at once first, then halves, quarters, single items;
// from the last item to the first, since later ones depend on earlier ones.
template <typename Attempt>
void minimize(size_t count, Attempt attempt) {
  std::vector<uint32_t> left(count);
  std::iota(left.begin(), left.end(), 0U);
  for (size_t chunk = count; chunk > 0; chunk /= 2) {
    for (size_t end = left.size(); end > 0;) {
      const size_t begin = end > chunk ? end - chunk : 0;
      if (attempt(std::span<const uint32_t>(left).subspan(begin, end - begin))) {
        left.erase(left.begin() + static_cast<ptrdiff_t>(begin),
                   left.begin() + static_cast<ptrdiff_t>(end));
      }
      end = begin;
    }
    chunk = std::min(chunk, std::max<size_t>(left.size(), 1));
  }
}

}  // namespace elenchus::reduce
