#include "oracle/finding.h"

namespace elenchus::oracle {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::kRefutationUnsound: return "refutation-unsound";
    case Kind::kSolutionUnsound: return "solution-unsound";
    case Kind::kInvalidModel: return "invalid-model";
    case Kind::kCrash: return "crash";
    case Kind::kWrongCore: return "wrong-core";
    case Kind::kInconsistentOptions: return "inconsistent-options";
    case Kind::kInconsistent: return "inconsistent";
    case Kind::kSelfCheck: return "self-check";
    case Kind::kIncomplete: return "incomplete";
    case Kind::kSlow: return "slow";
    case Kind::kDisagreement: return "disagreement";
  }
  return "unknown";
}

}  // namespace elenchus::oracle
