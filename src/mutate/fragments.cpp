#include "mutate/fragments.h"

#include "ir/free_variables.h"
#include "ir/walk.h"

namespace elenchus::mutate {

using ir::Op;
using ir::TermId;

std::vector<TermId> fragments_of(const ir::TermStore& store, ir::Measures& measures,
                                 std::span<const TermId> formulas, uint32_t max_depth,
                                 uint32_t max_nodes) {
  std::vector<TermId> fragments;
  ir::FreeVariables free(store);
  ir::Walker walker(store);
  for (const TermId formula : formulas) {
    walker.walk(formula, [&](TermId term) {
      const Op op = store.op(term);
      const bool is_constant = op == Op::kTrue || op == Op::kFalse;
      if (store.sort(term) != ir::kBoolSort || op == Op::kAnnotated || is_constant) return;
      const ir::Measure measure = measures.of(term);
      if (measure.depth > max_depth || measure.size > max_nodes) return;
      if (free.of(term).empty() && !free.exhausted()) fragments.push_back(term);
    });
  }
  return fragments;
}

}  // namespace elenchus::mutate
