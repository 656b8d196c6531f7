#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace elenchus::reduce {

// Delta debugging over `count` items: attempt(items) tries to do without these as well as without
// all that it succeeded with before. Everything at once first, then halves, quarters, single items;
// from the last item to the first, since later ones depend on earlier ones. Before an attempt,
// foresee(items) is told of it and what comes next should it fail, `ahead` in all.
template <typename Attempt, typename Foresee>
void minimize(size_t count, Attempt attempt, size_t ahead, Foresee foresee) {
  std::vector<uint32_t> left(count);
  std::iota(left.begin(), left.end(), 0U);
  const auto items = [&](size_t begin, size_t end) {
    return std::span<const uint32_t>(left).subspan(begin, end - begin);
  };
  for (size_t chunk = count; chunk > 0; chunk /= 2) {
    size_t foreseen = left.size();  // from here on
    for (size_t end = left.size(); end > 0;) {
      const auto begin_of = [&](size_t at) { return at > chunk ? at - chunk : 0; };
      const size_t begin = begin_of(end);
      for (; ahead > 0 && foreseen > 0 && foreseen + ahead * chunk > end;
           foreseen = begin_of(foreseen)) {
        foresee(items(begin_of(foreseen), foreseen));
      }
      if (attempt(items(begin, end))) {
        left.erase(left.begin() + static_cast<ptrdiff_t>(begin),
                   left.begin() + static_cast<ptrdiff_t>(end));
        foreseen = begin;  // what was foreseen had these in it
      }
      end = begin;
    }
    chunk = std::min(chunk, std::max<size_t>(left.size(), 1));
  }
}

template <typename Attempt>
void minimize(size_t count, Attempt attempt) {
  minimize(count, attempt, 0, [](std::span<const uint32_t>) {});
}

}  // namespace elenchus::reduce
