#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ir/free_variables.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// What to replace by what: variables, or closed terms such as constants, by terms of the same sort.
using Substitution = std::vector<std::pair<TermId, TermId>>;

// The term with all free occurrences of the keys replaced at once. Bound variables are renamed
// where a replacement would be captured.
TermId substitute(TermStore& store, FreeVariables& free, TermId term, const Substitution& map);

// The term with other arguments of the same sorts.
TermId with_args(TermStore& store, TermId term, std::span<const TermId> args);

}  // namespace elenchus::ir
