#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/solver.h"

namespace elenchus::solver {

// What a program printed.
struct Printed {
  std::string out;
  std::string err;
  int signal = 0;  // that ended it
  double seconds = 0;
  double cpu_seconds = 0;
};

// What a solver's program prints when it is started with these arguments and nothing else, and
// reads this input. Nothing when it cannot be started or takes too long.
Printed output_of(const Solver& solver, std::span<const std::string> arguments,
                  std::string_view input = {});

// The same for a question that may cost more than one about itself; what it printed before it took
// too long or too much is lost.
Printed output_of(const Solver& solver, std::span<const std::string> arguments,
                  std::string_view input, const RunLimits& limits);

}  // namespace elenchus::solver
