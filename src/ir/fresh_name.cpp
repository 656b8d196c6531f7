#include "ir/fresh_name.h"

#include <string>

namespace elenchus::ir {

bool is_taken(const TermStore& store, SymbolId name) {
  return store.is_function_name(name) || store.is_variable_name(name) ||
         !store.ops().named(name).empty();
}

SymbolId fresh_name(TermStore& store, std::string_view prefix, uint32_t& next) {
  SymbolId name;
  do {
    name = store.symbols().intern(std::string(prefix) + std::to_string(next++));
  } while (is_taken(store, name));
  return name;
}

FunId fresh_constant(TermStore& store, std::string_view prefix, uint32_t& next, SortId sort) {
  const SymbolId name = fresh_name(store, prefix, next);
  return store.declare(name, FunKind::kDeclared, {}, sort);
}

SymbolId untaken_name(TermStore& store, std::string_view name) {
  std::string text(name);
  while (is_taken(store, store.symbols().intern(text))) text += '_';
  return store.symbols().intern(text);
}

}  // namespace elenchus::ir
