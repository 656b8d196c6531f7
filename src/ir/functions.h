#pragma once

#include <vector>

#include "ir/apply.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::ir {

// The functions that the term itself names, its arguments aside: what it calls, the function that
// it is as a value, the constructor of a case, and functions among its indices, as in (_ map f),
// (_ as-array f) and (_ is c).
template <typename Visit>
void for_each_function(const TermStore& store, TermId term, Visit visit) {
  const Op op = store.op(term);
  if (op == Op::kCall || op == Op::kFunRef || op == Op::kMatchCase) {
    // A case for whatever is left has no constructor.
    if (const FunId fun = store.callee(term); fun.valid()) visit(fun);
    return;
  }
  if (!has_function_indices(store, term)) return;
  for (const uint32_t index : store.indices(term)) {
    if ((index & kSymbolIndex) == 0) visit(FunId{index});
  }
}

// Whether `wanted` holds of a function that the term itself names.
template <typename Wanted>
bool names_function(const TermStore& store, TermId term, Wanted wanted) {
  bool found = false;
  for_each_function(store, term, [&](FunId fun) { found = found || wanted(fun); });
  return found;
}

// Whether `wanted` holds of a function that the term or a part of it names, parts that the walker
// has seen aside; stops there.
template <typename Wanted>
bool any_function_in(const TermStore& store, Walker& walker, TermId root, Wanted wanted) {
  return walker.find(root, [&](TermId term) { return names_function(store, term, wanted); });
}

// All functions that the term and its parts name, each once, in ascending order. Bodies of
// definitions are not looked into.
std::vector<FunId> functions_in(const TermStore& store, TermId root);

}  // namespace elenchus::ir
