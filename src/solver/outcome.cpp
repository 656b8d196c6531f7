#include "solver/outcome.h"

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

}  // namespace elenchus::solver
