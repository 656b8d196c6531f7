#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/measure.h"
#include "ir/term_cache.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// How deep formulas are nested in connectives that join several, as STORM's public implementation
// counts: atoms, however deep their terms are, and their negations have depth 0.
class ConnectiveDepths {
 public:
  explicit ConnectiveDepths(const ir::TermStore& store) : store_(store), cache_(store) {}
  uint32_t of(ir::TermId formula);

 private:
  const ir::TermStore& store_;
  ir::TermCache<uint32_t> cache_;
};

// The formulas within these formulas that stand for themselves: no variable that somebody else
// binds, no constant; none that is deeper in connectives or has more nodes.
std::vector<ir::TermId> fragments_of(const ir::TermStore& store, ir::Measures& measures,
                                     ConnectiveDepths& depths, std::span<const ir::TermId> formulas,
                                     uint32_t max_depth, uint32_t max_nodes);

}  // namespace elenchus::mutate
