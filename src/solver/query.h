#pragma once

#include <string_view>

#include "base/result.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/printer.h"
#include "solver/outcome.h"

namespace elenchus::solver {

struct QueryOptions {
  bool want_models = true;
  bool want_cores = false;
  bool want_proofs = false;
  bool keep_requests = false;  // for formulas, such as (get-qe F)
};

// The script as a query: without what it says about itself (a :status that is no longer true makes
// solvers abort, a :source of several lines is more than cvc5 can read from a pipe), without
// options that change the search, without requests for models, values and the like (the runner asks
// for itself), without (exit) and what comes after; and with the options that what is wanted needs.
// Requests about the last answer that come right after it are the query's questions.
// The printer's store must be the script's.
base::Result<Query> make_query(smtlib::ScriptPrinter& printer, const ir::TermStore& store,
                               const ir::Script& script, const QueryOptions& options = {});

// Requests that have an answer after sat only, or after unsat only, are asked after no other. A
// solver may leave where it has none to give.
bool suits(std::string_view question, Outcome answer);

}  // namespace elenchus::solver
