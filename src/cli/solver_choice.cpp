#include "cli/solver_choice.h"

namespace elenchus::cli {

base::Result<std::vector<solver::Solver>> chosen_solvers(const std::vector<std::string>& specs) {
  const solver::Profiles& profiles = solver::Profiles::standard();
  std::vector<solver::Solver> solvers;
  for (const std::string& spec : specs) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver solver, solver::find_solver(profiles, spec));
    solvers.push_back(std::move(solver));
  }
  if (specs.empty()) solvers = solver::find_all_solvers(profiles);
  if (solvers.empty()) {
    return base::Error{base::ErrorKind::kUnsupported,
                       "no solver found; install one (apt-get install z3 cvc5) or name it with "
                       "--solver",
                       {}};
  }
  return solvers;
}

}  // namespace elenchus::cli
