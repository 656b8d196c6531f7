#include "solver/outcome.h"

#include <algorithm>

namespace elenchus::solver {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSat: return "sat";
    case Outcome::kUnsat: return "unsat";
    case Outcome::kUnknown: return "unknown";
    case Outcome::kTimeout: return "timeout";
    case Outcome::kMemout: return "memout";
    case Outcome::kCrash: return "crash";
    case Outcome::kRejected: return "rejected";
  }
  return "?";
}

bool has_decided(const Run& run) {
  return std::any_of(run.checks.begin(), run.checks.end(),
                     [](const CheckResult& check) { return is_decided(check.outcome); });
}

}  // namespace elenchus::solver
