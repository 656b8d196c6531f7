#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/truth.h"
#include "lab/solver_lab.h"

namespace elenchus::campaign {

// What solvers say of a seed's last check-sat.
struct SeedFacts {
  std::vector<ir::Model> models;       // as they gave them, not judged
  std::vector<ir::Model> assignments;  // models of its negation
  // Unsat only where two solvers with different profiles say so.
  ir::Truth status = ir::Truth::kUnknown;
  // Of a seed that is unsat: claims of the flattened script of which two solvers say so again.
  std::vector<ir::TermId> core;
};

// Asks solvers, in random order, until `most` of them gave a model; where there is none, for one of
// the negation.
SeedFacts ask_about(ir::TermStore& terms, lab::SolverLab& lab, const ir::Script& script,
                    uint32_t most, base::Rng& rng);

}  // namespace elenchus::campaign
