#include "solver/outcome.h"

#include <algorithm>

namespace elenchus::solver {

bool has_decided(const Run& run) {
  return std::any_of(run.checks.begin(), run.checks.end(),
                     [](const CheckResult& check) { return is_decided(check.outcome); });
}

bool crashed_only_in_session(const Run& run) {
  return run.session_run != nullptr && run.session_run->outcome == Outcome::kCrash &&
         run.outcome != Outcome::kCrash && !run.internal_error;
}

double spent_cpu_seconds(const Run& run) {
  return run.cpu_seconds + (run.session_run == nullptr ? 0 : run.session_run->cpu_seconds);
}

}  // namespace elenchus::solver
