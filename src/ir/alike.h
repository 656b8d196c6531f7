#pragma once

#include "ir/ids.h"
#include "ir/sort.h"

namespace elenchus::ir {

// Whether z3 takes two sorts for one: it reads (Set A) as (Array A Bool), wherever it stands.
bool are_alike(const SortTable& sorts, SortId one, SortId other);

}  // namespace elenchus::ir
