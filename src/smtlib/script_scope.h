#pragma once

#include "ir/script.h"
#include "smtlib/scope.h"

namespace elenchus::smtlib {

// Makes the scope what it is before the script's command number `end`.
void replay_declarations(Scope& scope, const ir::TermStore& store, const ir::Script& script,
                         size_t end);

}  // namespace elenchus::smtlib
