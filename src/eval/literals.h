#pragma once

#include "eval/value.h"
#include "ir/term_store.h"

namespace elenchus::eval {

// The value of a literal.
Value literal_value(const ir::TermStore& terms, ValueStore& values, ir::TermId literal);

}  // namespace elenchus::eval
