#include "base/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace elenchus::base {
namespace {

struct Observation {
  double value;
  bool is_first;
};

}  // namespace

MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second) {
  MannWhitney result;
  if (first.empty() || second.empty()) return result;
  std::vector<Observation> all;
  all.reserve(first.size() + second.size());
  for (const double value : first) all.push_back({value, true});
  for (const double value : second) all.push_back({value, false});
  std::sort(all.begin(), all.end(),
            [](const Observation& a, const Observation& b) { return a.value < b.value; });

  double rank_sum = 0;  // of the first sample; equal values share their mean rank
  double ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end].value == all[i].value) ++end;
    const double rank = 0.5 * static_cast<double>(i + 1 + end);
    for (size_t k = i; k < end; ++k) rank_sum += all[k].is_first ? rank : 0;
    const auto equal = static_cast<double>(end - i);
    ties += equal * equal * equal - equal;
    i = end;
  }

  const auto n1 = static_cast<double>(first.size());
  const auto n2 = static_cast<double>(second.size());
  const double n = n1 + n2;
  result.u = rank_sum - n1 * (n1 + 1) / 2;
  const double variance = n1 * n2 / 12 * (n + 1 - ties / (n * (n - 1)));
  if (!(variance > 0)) return result;
  const double distance = std::max(std::abs(result.u - n1 * n2 / 2) - 0.5, 0.0);
  result.p = std::min(std::erfc(distance / std::sqrt(2 * variance)), 1.0);
  return result;
}

}  // namespace elenchus::base
