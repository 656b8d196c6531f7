#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "solver/solver.h"

namespace elenchus::cli {

// The solvers that --solver names; without any, every known one on PATH. Never empty.
base::Result<std::vector<solver::Solver>> chosen_solvers(const std::vector<std::string>& specs);

}  // namespace elenchus::cli
