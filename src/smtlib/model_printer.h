#pragma once

#include <string>

#include "base/result.h"
#include "ir/model.h"
#include "ir/term_store.h"

namespace elenchus::smtlib {

// The model as solvers print theirs and parse_model() reads it: definitions in parentheses, after
// the elements of uninterpreted sorts. What it says of operators whose value is open is left out.
base::Result<std::string> print_model(const ir::TermStore& store, const ir::Model& model);

}  // namespace elenchus::smtlib
