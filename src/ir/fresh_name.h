#pragma once

#include <cstdint>
#include <string_view>

#include "ir/term_store.h"

namespace elenchus::ir {

// Whether a function, a variable or an operator has the name.
bool is_taken(const TermStore& store, SymbolId name);

// A name that no function, variable or operator has: the prefix and the first number from `next`
// on that will do. The one after it is the next to be tried.
SymbolId fresh_name(TermStore& store, std::string_view prefix, uint32_t& next);

// A constant of such a name.
FunId fresh_constant(TermStore& store, std::string_view prefix, uint32_t& next, SortId sort);

// The name, with as many underscores behind as it takes to be new.
SymbolId untaken_name(TermStore& store, std::string_view name);

}  // namespace elenchus::ir
