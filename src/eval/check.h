#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "eval/evaluator.h"
#include "ir/model.h"
#include "ir/script.h"

namespace elenchus::eval {

// Something that a check-sat asks for: an assertion that is in force, or an assumption.
struct Claim {
  ir::TermId term;
  size_t command = 0;  // of the script
};

// The commands of the script that check satisfiability.
std::vector<size_t> checks_of(const ir::Script& script);

// What the check command asks for, after push, pop and resets; past the last command, what is
// asserted at the end.
std::vector<Claim> claims_at(const ir::Script& script, size_t check);

// Definitions of a model that use each other in a circle mean nothing.
base::Result<void> check_definitions(const ir::TermStore& terms, const ir::Model& model);

enum class Verdict : uint8_t { kValid, kInvalid, kUnknown };
const char* to_string(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::kValid;
  Claim claim;         // the first one that is false, or else unknown
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
Judgement judge(std::span<const Claim> claims, Evaluator& strict, Evaluator& lenient);

}  // namespace elenchus::eval
