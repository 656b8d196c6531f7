#pragma once

#include "base/rng.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// The script with requests about its last answer, each with the option that it needs: values of
// claims and their parts, the assignment of named formulas, the unsat core, the assumptions that
// failed, a proof. Solvers keep other books for them, and their own code answers. The same where
// there is nothing to ask about.
ir::Script with_requests(ir::TermStore& store, const ir::Script& script, base::Rng& rng);

}  // namespace elenchus::mutate
