#pragma once

#include "ir/term_store.h"

// Names that (! t :named n) gives.
namespace elenchus::ir {

// (! t :named n), without a function that other terms could refer to.
inline TermId named(TermStore& store, TermId term, SymbolId name) {
  const uint32_t attribute[] = {store.symbols().intern(":named").value, name.value};
  const TermId args[] = {term};
  return store.make(Op::kAnnotated, store.sort(term), store.index_list(attribute).value, args);
}

// The same, with the function of that name.
inline TermId declared_and_named(TermStore& store, TermId term, SymbolId name) {
  const FunId fun = store.declare(name, FunKind::kNamed, {}, store.sort(term));
  store.define(fun, {}, term);
  return named(store, term, name);
}

// The name that the term itself gives to its argument, if it is such an annotation.
inline SymbolId given_name(const TermStore& store, TermId term) {
  if (store.op(term) != Op::kAnnotated) return {};
  const auto attribute = store.indices(term);
  const bool is_name = store.symbols().text(SymbolId{attribute[0]}) == ":named";
  return is_name ? SymbolId{attribute[1]} : SymbolId{};
}

}  // namespace elenchus::ir
