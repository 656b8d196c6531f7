#pragma once

#include "base/result.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/printer.h"
#include "solver/outcome.h"

namespace elenchus::solver {

struct QueryOptions {
  bool want_models = true;
  bool want_cores = false;
};

// The script as a query: without what it says about itself (a :status that is no longer true makes
// solvers abort, a :source of several lines is more than cvc5 can read from a pipe), without
// options that change the search, without requests for models, values and the like (the runner asks
// for itself), without (exit) and what comes after; and with the options that what is wanted needs.
// The printer's store must be the script's.
base::Result<Query> make_query(smtlib::ScriptPrinter& printer, const ir::TermStore& store,
                               const ir::Script& script, const QueryOptions& options = {});

}  // namespace elenchus::solver
