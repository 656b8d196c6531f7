#pragma once

#include <span>

namespace elenchus::base {

// The Mann-Whitney U test of two samples: how likely it is that they differ in location as much as
// they do, or more, if they come from the same distribution (two-sided).
struct MannWhitney {
  double u = 0;  // of the first sample
  double p = 1;
};

// By the normal approximation with corrections for ties and continuity, as is usual from about
// eight values each; 1 where a sample is empty or all values are equal.
MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second);

}  // namespace elenchus::base
