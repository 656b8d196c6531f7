#pragma once

#include <cstddef>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/model_check.h"

namespace elenchus::oracle {

// How each claim of the command number `check` of the script, a check-sat, gets its value under the
// model: the claim, then what it follows from, down to the constants. Up to `most` steps for each
// claim. Where the model leaves something out, it has some value.
std::vector<ExplainedStep> explain_claims(ir::TermStore& store, const ir::Script& script,
                                          size_t check, const ir::Model& model, size_t most);

// The same of one term.
std::vector<ExplainedStep> explain_term(ir::TermStore& store, ir::TermId term,
                                        const ir::Model& model, size_t most);

}  // namespace elenchus::oracle
