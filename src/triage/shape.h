#pragma once

#include <string>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::triage {

// What the script asserts, up to names, values and the order of arguments that may be swapped:
// "(= (bvmul x1 x1) c)". Symbols are numbered by where they stand, literals are all `c`, widths do
// not count. Scripts with equal shapes are the same but for a renaming. A large one ends in a hash.
std::string shape(const ir::TermStore& store, const ir::Script& script);

}  // namespace elenchus::triage
