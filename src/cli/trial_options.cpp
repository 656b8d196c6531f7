#include "cli/trial_options.h"

#include <CLI/CLI.hpp>

#include "cli/input.h"
#include "cli/solver_choice.h"

namespace elenchus::cli {

void add_trial_options(CLI::App& command, TrialOptions& options) {
  command.add_option("--timeout", options.timeout, "time limit of a check-sat")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_option("--memory", options.memory, "memory limit of a solver")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_option("--operators", options.operators, "a file that declares further operators")
      ->type_name("FILE");
  add_profiles(command, options.profiles);
}

base::Result<docket::ReplaySettings> replay_settings(const TrialOptions& options,
                                                     std::string& file) {
  docket::ReplaySettings settings;
  file.clear();
  ELENCHUS_ASSIGN_OR_RETURN(settings.limits, run_limits(options.timeout, options.memory));
  file = options.operators;
  ELENCHUS_ASSIGN_OR_RETURN(settings.ops, operators_with(file));
  file.clear();
  return settings;
}

}  // namespace elenchus::cli
