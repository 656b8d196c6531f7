#include "cli/launch.h"

#include "cli/input.h"
#include "cli/solver_choice.h"

namespace elenchus::cli {

base::Result<campaign::Launch> launch_for(const campaign::Settings& settings, std::string& file) {
  campaign::Launch launch;
  ELENCHUS_ASSIGN_OR_RETURN(launch.profiles, profiles_with(settings.profiles));
  file = settings.operators;
  ELENCHUS_ASSIGN_OR_RETURN(launch.ops, operators_with(file));
  if (!settings.operators_only.empty()) {
    file = settings.operators_only;
    ELENCHUS_ASSIGN_OR_RETURN(OperatorChoice choice, operator_set_in(file));
    launch.ops = std::move(choice.table);
    launch.only = std::move(choice.names);
  }
  file = settings.history;
  ELENCHUS_ASSIGN_OR_RETURN(launch.knowledge, knowledge_in(file));
  for (const std::string& path : settings.correlations) {
    file = path;
    ELENCHUS_ASSIGN_OR_RETURN(auto learnt, correlations_in(file));
    launch.learnt.push_back(std::move(learnt));
  }
  file.clear();
  return launch;
}

}  // namespace elenchus::cli
