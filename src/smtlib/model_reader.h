#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"

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

// How to take a string that a solver printed. Old releases of z3 print a backslash as it is, so
// that \u{e9} may be one character, which is likely, or six.
enum class Strings : uint8_t { kEscaped, kRaw };

// Reads a model as z3, cvc4, cvc5, boolector, yices and mathsat print it, from a part of a text.
// Names mean what they mean in the script before its command number `check`. Terms and the
// functions that the model brings go into the store.
base::Result<ir::Model> parse_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                    std::string_view text, const AnswerText& part,
                                    Strings strings = Strings::kEscaped);

// The first model in the text. Fails where there is none, or where the solver complained before it.
base::Result<ir::Model> read_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                   std::string_view text, Strings strings = Strings::kEscaped);

}  // namespace elenchus::smtlib
