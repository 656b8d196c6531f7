#pragma once

#include "ir/readers.h"

namespace elenchus::ir {

// Whether a reader has the habit, by itself or by one of its dialects.
bool has_habit(const Reader& reader, Habit habit);

}  // namespace elenchus::ir
