#pragma once

#include <string_view>

#include "base/result.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::smtlib {

struct ParseOptions {
  // Operators, sorts and commands that we do not know are errors instead of being carried through.
  bool strict = false;
};

// Reads and sort-checks a script: SMT-LIB 2.6 and 2.7, what Z3 and cvc5 add, and the leniencies of
// z3 that real files depend on. Terms go into `store`. Reading ends at (exit). An error has its
// place in the text.
base::Result<ir::Script> parse_script(ir::TermStore& store, std::string_view text,
                                      const ParseOptions& options = {});

}  // namespace elenchus::smtlib
