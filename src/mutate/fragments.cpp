#include "mutate/fragments.h"

#include <algorithm>

#include "ir/free_variables.h"
#include "ir/walk.h"

namespace elenchus::mutate {

using ir::Op;
using ir::TermId;

uint32_t ConnectiveDepths::of(TermId formula) {
  return cache_.at(formula, [this](TermId term) {
    uint32_t deepest = 0;
    uint32_t formulas = 0;
    const auto args = store_.args(term);
    for (const TermId arg : args) {
      if (store_.sort(arg) != ir::kBoolSort) continue;
      deepest = std::max(deepest, cache_.get(arg));
      ++formulas;
    }
    const bool is_connective = formulas > 1 && formulas == args.size();
    return deepest + (is_connective ? 1U : 0U);
  });
}

std::vector<TermId> fragments_of(const ir::TermStore& store, ir::Measures& measures,
                                 ConnectiveDepths& depths, std::span<const TermId> formulas,
                                 uint32_t max_depth, uint32_t max_nodes) {
  std::vector<TermId> fragments;
  ir::FreeVariables free(store);
  ir::Walker walker(store);
  for (const TermId formula : formulas) {
    walker.walk(formula, [&](TermId term) {
      const Op op = store.op(term);
      const bool is_constant = op == Op::kTrue || op == Op::kFalse;
      if (store.sort(term) != ir::kBoolSort || op == Op::kAnnotated || is_constant) return;
      if (depths.of(term) > max_depth || measures.of(term).size > max_nodes) return;
      if (free.of(term).empty() && !free.exhausted()) fragments.push_back(term);
    });
  }
  return fragments;
}

}  // namespace elenchus::mutate
