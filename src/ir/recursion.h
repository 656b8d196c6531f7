#pragma once

#include <cstddef>
#include <optional>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// A recursive definition claims that there is such a function (SMT-LIB 2.6, section 4.2.3: it
// stands for a universally quantified equation), and there may be none: f(x) = f(x) + 1. This is
// the first command of the script with a definition of which it is not plain that it has a
// solution; none where all are plain. Plain is what does not call itself; what does nothing more
// once it has called itself; and what calls itself, under a condition that says so, only with a
// smaller part of a datatype, or with an integer that comes closer to a bound.
std::optional<size_t> doubtful_recursion(const TermStore& store, const Script& script);

}  // namespace elenchus::ir
