#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "solver/solver.h"

namespace CLI {
class App;
}

namespace elenchus::cli {

// --profiles DIR, wherever solvers are named.
void add_profiles(CLI::App& command, std::string& folder);

// The profiles that the program has, and those of the folder, if one is named.
base::Result<solver::Profiles> profiles_with(const std::string& folder);

// The solvers that --solver names; without any, every known one on PATH. Never empty.
base::Result<std::vector<solver::Solver>> chosen_solvers(const std::vector<std::string>& specs,
                                                         const solver::Profiles& profiles);

// Says on standard error which of the profiles' options were left out, since the solvers do not
// take them.
void warn_of_refused(std::span<const solver::Solver> solvers);

// What --timeout and --memory say.
base::Result<solver::RunLimits> run_limits(const std::string& timeout, const std::string& memory);

// The value of a --policy that is about the solvers that the user names; empty: anything goes.
base::Result<void> check_choice(const std::string& policy,
                                const std::vector<solver::Solver>& solvers);

}  // namespace elenchus::cli
