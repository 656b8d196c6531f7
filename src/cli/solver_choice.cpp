#include "cli/solver_choice.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "campaign/option_trials.h"
#include "cli/quantities.h"
#include "cli/say.h"

namespace elenchus::cli {

void add_profiles(CLI::App& command, std::string& folder) {
  command
      .add_option(
          "--profiles", folder,
          "a folder with profiles of further solvers (*.toml), or with other ones for known "
          "solvers")
      ->type_name("DIR");
}

base::Result<solver::Profiles> profiles_with(const std::string& folder) {
  solver::Profiles profiles = solver::Profiles::standard();
  if (folder.empty()) return profiles;
  if (const auto loaded = profiles.load(folder); !loaded) return loaded.error();
  return profiles;
}

void warn_of_refused(std::span<const solver::Solver> solvers) {
  for (const solver::Solver& solver : solvers) {
    if (solver.refused.empty()) continue;
    tell("elenchus: warning: {}: {} {} does not take {}, which is left out\n", solver.name,
         solver.profile->name, solver.version, fmt::join(solver.refused, " "));
  }
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
  warn_of_refused(solvers);
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
