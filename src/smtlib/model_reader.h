#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/answers.h"

namespace elenchus::smtlib {

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
