#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "campaign/lab.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/truth.h"

namespace elenchus::campaign {

// What solvers say of a seed's last check-sat.
struct SeedFacts {
  std::vector<ir::Model> models;  // as they gave them, not judged
  // Unsat only where two solvers with different profiles say so.
  ir::Truth status = ir::Truth::kUnknown;
};

// Asks solvers, in random order, until `most` of them gave a model. Where the seed has none, models
// of its negation: assignments, if not models.
SeedFacts ask_about(ir::TermStore& terms, SolverLab& lab, const ir::Script& script, uint32_t most,
                    base::Rng& rng);

}  // namespace elenchus::campaign
