#pragma once

#include <string_view>

namespace elenchus::ir {

// Whether the logic has reals and no integers: there, `1` is a Real (SMT-LIB theory Reals).
bool numerals_are_real(std::string_view logic);

}  // namespace elenchus::ir
