#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/measure.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// The formulas within these formulas that stand for themselves: no variable that somebody else
// binds, no constant; none that is deeper or has more nodes.
std::vector<ir::TermId> fragments_of(const ir::TermStore& store, ir::Measures& measures,
                                     std::span<const ir::TermId> formulas, uint32_t max_depth,
                                     uint32_t max_nodes);

}  // namespace elenchus::mutate
