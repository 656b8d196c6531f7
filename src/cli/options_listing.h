#pragma once

#include <span>
#include <string>

#include "solver/solver.h"

namespace elenchus::cli {

// What `elenchus solvers --options` shows: the catalogue of each solver with counts, as text or as
// a JSON list.
std::string options_as_text(std::span<const solver::Solver> solvers);
std::string options_as_json(std::span<const solver::Solver> solvers);

}  // namespace elenchus::cli
