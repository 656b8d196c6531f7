#include "base/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace elenchus::base {
namespace {

struct Ranked {
  double u = 0;         // pairs in which a is larger, ties by half
  double tie_term = 0;  // sum of t^3 - t over groups of t equal values
};

Ranked rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  Ranked result;
  double ranks_of_a = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end].first == all[i].first) ++end;
    const double mean_rank = (static_cast<double>(i + 1) + static_cast<double>(end)) / 2;
    for (size_t k = i; k < end; ++k) ranks_of_a += all[k].second ? mean_rank : 0;
    const auto ties = static_cast<double>(end - i);
    result.tie_term += ties * ties * ties - ties;
    i = end;
  }
  const auto n = static_cast<double>(a.size());
  result.u = ranks_of_a - n * (n + 1) / 2;
  return result;
}

// The probability of at most u under the hypothesis, by counting: the number of ways to get a value
// is the number of partitions of it into at most n parts of at most m each.
double exact_lower_tail(size_t n, size_t m, double u) {
  const size_t most = n * m;
  // ways[k]: subsets of ranks whose U is k, built up one element of the first sample at a time.
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(most + 1, 0));
  ways[0][0] = 1;
  for (size_t rank = 1; rank <= n + m; ++rank) {
    for (size_t taken = std::min(rank, n); taken >= 1; --taken) {
      // The element of rank `rank` as the taken-th of the sample exceeds rank - taken of the
      // others.
      const size_t above = rank - taken;
      for (size_t k = most + 1; k-- > above;) ways[taken][k] += ways[taken - 1][k - above];
    }
  }
  double total = 0;
  double tail = 0;
  for (size_t k = 0; k <= most; ++k) {
    total += ways[n][k];
    if (static_cast<double>(k) <= u) tail += ways[n][k];
  }
  return tail / total;
}

double normal_upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

}  // namespace

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
  constexpr size_t kExactUpTo = 20;
  if (a.empty() || b.empty()) return 1;
  const Ranked ranked = rank(a, b);
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const double smaller = std::min(ranked.u, n * m - ranked.u);
  if (ranked.tie_term == 0 && a.size() <= kExactUpTo && b.size() <= kExactUpTo) {
    return std::min(1.0, 2 * exact_lower_tail(a.size(), b.size(), smaller));
  }
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ranked.tie_term / (all * (all - 1)));
  if (variance <= 0) return 1;  // all values are equal
  const double distance = std::max(0.0, n * m / 2 - smaller - 0.5);
  return std::min(1.0, 2 * normal_upper_tail(distance / std::sqrt(variance)));
}

}  // namespace elenchus::base
