#include "cli/solver_choice.h"

#include <CLI/CLI.hpp>

#include "campaign/option_trials.h"
#include "cli/quantities.h"

namespace elenchus::cli {

void add_profiles(CLI::App& command, std::string& folder) {
  command
      .add_option("--profiles", folder,
                  "a folder with further profiles of solvers (*.toml); one with a known name "
                  "replaces that")
      ->type_name("DIR");
}

base::Result<solver::Profiles> profiles_with(const std::string& folder) {
  solver::Profiles profiles = solver::Profiles::standard();
  if (folder.empty()) return profiles;
  if (const auto loaded = profiles.load(folder); !loaded) return loaded.error();
  return profiles;
}

base::Result<std::vector<solver::Solver>> chosen_solvers(const std::vector<std::string>& specs,
                                                         const solver::Profiles& profiles) {
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

base::Result<solver::RunLimits> run_limits(const std::string& timeout, const std::string& memory) {
  solver::RunLimits limits;
  ELENCHUS_ASSIGN_OR_RETURN(limits.seconds, parse_duration(timeout));
  ELENCHUS_ASSIGN_OR_RETURN(limits.memory, parse_size(memory));
  return limits;
}

base::Result<void> check_choice(const std::string& policy,
                                const std::vector<solver::Solver>& solvers) {
  if (policy.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const campaign::Policy tier, campaign::policy_of(policy));
  return campaign::check_policy(tier, solvers);
}

}  // namespace elenchus::cli
