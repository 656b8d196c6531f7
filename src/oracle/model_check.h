#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "eval/check.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "smtlib/model_reader.h"

namespace elenchus::oracle {

// What a model check may cost, and how much of it is told.
struct ModelCheckSettings {
  uint64_t steps = eval::Settings{}.steps;
  size_t explanation_steps = 12;  // lines of explanation of a false claim; 0: none
  bool explain_unknown = false;
};

// A line of an explanation.
struct ExplainedStep {
  uint32_t depth = 0;
  std::string term;
  std::string value;
};

// Whether a model makes everything true that a check-sat asks for, and why.
struct ModelVerdict {
  eval::Verdict verdict = eval::Verdict::kUnknown;
  size_t claims = 0;  // how many there were
  ir::Claim claim;    // the first one that is false, or else unknown
  std::string claim_text;
  std::string reason;                  // why it is unknown
  std::vector<std::string> completed;  // constants that the model leaves out
  std::vector<std::string> chosen;     // values that the standard leaves open
  // The claims are true, but somewhere a function of some solvers is applied outside its domain, or
  // may be. A solver may refuse that as a whole.
  bool leaves_domains = false;
  std::vector<ExplainedStep> explanation;
};

// Checks the claims of the command number `check` of the script, a check-sat, under the model.
base::Result<ModelVerdict> check_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                       const ir::Model& model,
                                       const ModelCheckSettings& settings = {});

// A model that a solver gave, read and checked.
struct JudgedModel {
  ir::Model model;
  ModelVerdict verdict;
};

// Reads a model as a solver printed it, strings taken in this way.
using ModelReading = std::function<base::Result<ir::Model>(smtlib::Strings)>;

// The same for a model that is to be read. One that is false, but not so when its strings are taken
// in the other way, is unknown.
base::Result<JudgedModel> check_printed_model(ir::TermStore& store, const ir::Script& script,
                                              size_t check, const ModelReading& read,
                                              const ModelCheckSettings& settings = {});

// "(> x 5) is false" and "x = 5": the explanation as indented lines.
std::string text_of(const ExplainedStep& step);

}  // namespace elenchus::oracle
