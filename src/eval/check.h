#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/evaluator.h"
#include "ir/model.h"
#include "ir/timeline.h"

namespace elenchus::eval {

// Definitions of a model that use each other in a circle mean nothing.
base::Result<void> check_definitions(const ir::TermStore& terms, const ir::Model& model);

enum class Verdict : uint8_t { kValid, kInvalid, kUnknown };
const char* to_string(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::kValid;
  ir::Claim claim;     // the first one that is false, or else unknown
  std::string reason;  // why it is unknown
  // What had to be given some value: functions that the model leaves out, and what the standard
  // leaves open.
  std::vector<ir::FunId> completed;
  std::vector<std::string> chosen;
};

// Whether all claims hold under the model. What the model and the standard leave open may have any
// value: a claim that is true for the value that we choose is true, one that is false for it is
// unknown. Evaluators are given, so that the caller can ask for values afterwards: `strict` does
// not complete the model, `lenient` does.
Judgement judge(std::span<const ir::Claim> claims, Evaluator& strict, Evaluator& lenient);

}  // namespace elenchus::eval
