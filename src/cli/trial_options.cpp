#include "cli/trial_options.h"

#include <CLI/CLI.hpp>

#include "cli/common_options.h"
#include "cli/input.h"
#include "cli/solver_choice.h"

namespace elenchus::cli {

void add_trial_options(CLI::App& command, TrialOptions& options) {
  add_limits(command, options.timeout, options.memory);
  add_operators(command, options.operators);
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
