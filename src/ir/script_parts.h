#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"

// What commands hold and declare.
namespace elenchus::ir {

constexpr bool is_definition(CommandKind kind) {
  return kind >= CommandKind::kDefineFun && kind <= CommandKind::kDefineFunsRec;
}

constexpr bool declares_functions(CommandKind kind) {
  return kind >= CommandKind::kDeclareFun && kind <= CommandKind::kDefineFunsRec;
}

// A function or a constant that may mean anything.
constexpr bool declares_open_function(CommandKind kind) {
  return kind == CommandKind::kDeclareFun || kind == CommandKind::kDeclareConst;
}

constexpr bool is_declaration(CommandKind kind) {
  return kind >= CommandKind::kDeclareSort && kind <= CommandKind::kDeclareDatatypes;
}

// Every term that the command holds, bodies of definitions included.
template <typename Visit>
void for_each_root(const TermStore& store, const Script& script, const Command& command,
                   Visit visit) {
  if (has_term(command.kind)) visit(command.term);
  const bool terms = has_term_items(command.kind);
  if (!terms && !is_definition(command.kind)) return;
  for (const uint32_t item : script.items(command)) {
    visit(terms ? TermId{item} : store.fun(FunId{item}).body);
  }
}

// The constructors of a datatype, each with its selectors.
template <typename Visit>
void for_each_function_of(const Datatype& datatype, Visit visit) {
  for (const Constructor& constructor : datatype.constructors) {
    visit(constructor.fun);
    for (const FunId selector : constructor.selectors) visit(selector);
  }
}

// Constructors of a datatype of a copy, for those of the original: each function is what `copied`
// says, and belongs to the copy.
template <typename Copied>
std::vector<Constructor> copied_constructors(TermStore& store, DatatypeId copy,
                                             std::span<const Constructor> originals,
                                             Copied copied) {
  const auto owned = [&](FunId fun) {
    const FunId made = copied(fun);
    store.fun(made).datatype = copy;
    return made;
  };
  std::vector<Constructor> constructors;
  for (const Constructor& original : originals) {
    Constructor& made = constructors.emplace_back();
    made.fun = owned(original.fun);
    for (const FunId selector : original.selectors) made.selectors.push_back(owned(selector));
  }
  return constructors;
}

// Every function that the command declares, those of datatypes included.
template <typename Visit>
void for_each_declared(const TermStore& store, const Script& script, const Command& command,
                       Visit visit) {
  for (const uint32_t item : script.items(command)) {
    if (declares_functions(command.kind)) visit(FunId{item});
    if (command.kind == CommandKind::kDeclareDatatypes) {
      for_each_function_of(store.datatype(DatatypeId{item}), visit);
    }
  }
}

// Whether the term is a use of a name that (! t :named f) gave: what it means is written elsewhere.
inline bool is_named_call(const TermStore& store, TermId term) {
  return store.op(term) == Op::kCall && store.fun(store.callee(term)).kind == FunKind::kNamed;
}

}  // namespace elenchus::ir
