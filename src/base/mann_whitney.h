#pragma once

#include <span>

namespace elenchus::base {

// The two-sided p-value of the Mann-Whitney U test: how likely samples of these sizes differ at
// least so much when both come from the same distribution. Exact for small samples without ties,
// else by the normal approximation with corrections for ties and continuity. 1 where a sample is
// empty.
double mann_whitney_p(std::span<const double> a, std::span<const double> b);

}  // namespace elenchus::base
