#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::docket {

// What is known of the right answer beyond what the finding itself shows.
struct Voices {
  std::string probable;                   // the graver kind that it probably is; empty: none
  std::string why;                        // it is, in a line
  std::vector<std::string> confirmed_by;  // solvers that confirm the right answer, and how
};

// Asks around. A wrong model is probably a wrong sat where the script leaves nothing to a model,
// where another solver answers unsat, and where nobody says sat and the solver itself answers unsat
// to the formula with all values of the model but one, whichever that is. A wrong unsat is
// confirmed by those that answer sat to the formula with the values of the witness. Solvers from
// number `own_count` on are not asked.
Voices hear_others(ir::TermStore& store, oracle::Lab& lab, size_t own_count,
                   const ir::Script& script, const oracle::Finding& finding);

}  // namespace elenchus::docket
