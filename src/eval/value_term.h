#pragma once

#include "eval/value.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::eval {

// A closed term of the sort that has this value, made of literals and constructors; none for values
// that no term denotes without further definitions: closures, regular expressions, elements that no
// constant stands for.
ir::TermId term_of(ir::TermStore& terms, const ValueStore& values, const Value& value,
                   ir::SortId sort);

// Whether every solver reads such a term: no functions of a model, no lambdas, no complements and
// no numbers that only some can write.
bool is_plain(const ir::TermStore& terms, ir::Walker& walker, ir::TermId value);

}  // namespace elenchus::eval
