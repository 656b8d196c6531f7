#pragma once

#include "ir/script.h"
#include "smtlib/scope.h"

namespace elenchus::smtlib {

// Adds what can be used at the script's command number `end`.
void add_declarations(Scope& scope, const ir::TermStore& store, const ir::Script& script,
                      size_t end);

// Whether a function declared before the command number `end` has z3's finite sets in its sort.
bool declares_finite_sets(const ir::TermStore& store, const ir::Script& script, size_t end);

}  // namespace elenchus::smtlib
