#pragma once

#include <span>

#include "ir/apply.h"
#include "ir/signature.h"

namespace elenchus::ir {

// The result sort by a rule of its own, or none when the operator does not take these arguments.
SortId apply_rule(TermStore& store, Rule rule, const Head& head, std::span<const SortId> args);

}  // namespace elenchus::ir
