#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "smtlib/lexer.h"

namespace elenchus::smtlib {

// One answer of a solver in a text, and the model after it.
struct AnswerText {
  std::string_view answer;  // sat, unsat, unknown; empty where a model stands alone
  uint32_t model_start = 0;
  uint32_t model_end = 0;  // no model when it is where the model starts
  // Where the solver reported an error before this answer: it may have left something out.
  base::Location trouble = {};

  bool has_model() const { return model_end > model_start; }
};

// Splits what a solver printed. Definitions that stand without parentheses around them make one
// model.
base::Result<std::vector<AnswerText>> split_answers(std::string_view text);

// --- For readers of what solvers print. ---

// A list that is no model: (error "..."), (:reason-unknown ...), (objectives ...).
bool is_other_output(const Token& head);

// What echo prints, `success` and `unsupported`, warnings.
void skip_line(Lexer& lexer, std::string_view text);

// Skips an expression that may contain other characters than SMT-LIB's, as in
// (_ real_algebraic_number <1*x^2 + (-2), (1, 2)>).
bool skip_printed(Lexer& lexer);

}  // namespace elenchus::smtlib
