#pragma once

#include "base/rng.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// A closed value of the sort that solvers are likely to stumble over: zeros and ones, powers of two
// and their neighbours, the ends of the range, NaN, infinities and subnormals, empty and odd
// strings, empty containers. None for sorts without literals of their own (uninterpreted ones,
// functions, unknown ones).
ir::TermId interesting_constant(ir::TermStore& store, base::Rng& rng, ir::SortId sort);

// A value close to that of a literal: one more, one less, negated, a character more. None when the
// term is not a literal, or of a sort where nothing is close.
ir::TermId neighbour(ir::TermStore& store, base::Rng& rng, ir::TermId literal);

}  // namespace elenchus::gen
