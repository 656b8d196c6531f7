#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/finding.h"
#include "solver/solver.h"

namespace elenchus::docket {

// How the witness of a wrong unsat makes the script true, step by step; empty for other findings.
std::string evaluation_of(ir::TermStore& store, const ir::Script& script,
                          const oracle::Finding& finding);

// The model that a report shows: of a witness only what the script still has a use for.
std::string shown_model(const ir::TermStore& store, const ir::Script& script,
                        const oracle::Finding& finding);

// Whether the script has no symbol that a model would have to say something about.
bool leaves_nothing_open(const ir::Script& script);

// Why the finding is one, for the script as it was reduced.
std::string proof_of(const ir::Script& script, const oracle::Finding& finding);

// A sort of floats in the script that the solver supports only with options which it disclaims, as
// one writes it; empty where there is none.
std::string odd_format_in(const ir::TermStore& store, const ir::Script& script,
                          const solver::Profile& profile);

// Says that the solver refuses this when it is told to refuse what nobody should report.
std::string beyond_own_rules(const solver::Solver& strict, std::string_view message);

// With how many of the solver's random seeds a bug shows.
struct Stability {
  uint64_t tried = 0;
  uint64_t shown = 0;
};

// `shows` is asked for the solver with other random seeds; solvers without one are not tried.
Stability stability_of(const solver::Solver& solver,
                       const std::function<bool(const solver::Solver&)>& shows);

}  // namespace elenchus::docket
