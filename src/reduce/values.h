#pragma once

#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::reduce {

// The plainest values of the sort, plainest first; none for sorts whose values cannot be written.
std::vector<ir::TermId> plain_values(ir::TermStore& store, const ir::Script& script,
                                     ir::SortId sort);

// Whether nothing plainer is to be had: a literal or another value without arguments.
bool is_plain(const ir::TermStore& store, ir::TermId term);

}  // namespace elenchus::reduce
