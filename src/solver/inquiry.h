#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/solver.h"

namespace elenchus::solver {

// What a solver's program prints on standard output when it is started with these arguments and
// nothing else, and reads this input. Empty when it cannot be started or takes too long.
std::string output_of(const Solver& solver, std::span<const std::string> arguments,
                      std::string_view input = {});

}  // namespace elenchus::solver
