#pragma once

#include <string_view>
#include <utility>

#include "ir/apply.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::reduce {

constexpr bool is_definition(ir::CommandKind kind) {
  return kind >= ir::CommandKind::kDefineFun && kind <= ir::CommandKind::kDefineFunsRec;
}

constexpr bool declares_functions(ir::CommandKind kind) {
  return kind >= ir::CommandKind::kDeclareFun && kind <= ir::CommandKind::kDefineFunsRec;
}

constexpr bool is_declaration(ir::CommandKind kind) {
  return kind >= ir::CommandKind::kDeclareSort && kind <= ir::CommandKind::kDeclareDatatypes;
}

// Every term that the command holds, bodies of definitions included.
template <typename Visit>
void for_each_root(const ir::TermStore& store, const ir::Script& script, const ir::Command& command,
                   Visit visit) {
  if (ir::has_term(command.kind)) visit(command.term);
  const bool terms = ir::has_term_items(command.kind);
  if (!terms && !is_definition(command.kind)) return;
  for (const uint32_t item : script.items(command)) {
    visit(terms ? ir::TermId{item} : store.fun(ir::FunId{item}).body);
  }
}

// Whether the term is a use of a name that (! t :named f) gave: what it means is written elsewhere.
inline bool is_named_call(const ir::TermStore& store, ir::TermId term) {
  return store.op(term) == ir::Op::kCall &&
         store.fun(store.callee(term)).kind == ir::FunKind::kNamed;
}

using ir::has_function_indices;

// (set-option :global-declarations true): sets `keeps`, when the command is that option.
inline void note_global_declarations(std::string_view text, bool& keeps) {
  const bool is_global = text.starts_with("(set-option :global-declarations ") ||
                         text.starts_with("(set-option :global-decls ");
  if (is_global) keeps = text.ends_with(" true)");
}

}  // namespace elenchus::reduce
