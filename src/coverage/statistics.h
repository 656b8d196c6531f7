#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace elenchus::coverage {

// What a solver's own statistics say of the code that ran, where there is no instrumented build:
// one number for each statistic that is not zero together with the magnitude of its value (the
// power of two). Times and memory are left out, since they are never the same twice. Reads what z3,
// cvc4 and cvc5 print for (get-info :all-statistics). Sorted, each once.
std::vector<uint64_t> statistic_keys(std::string_view text);

// The same with exact values: what tells two runs apart, however little they differ.
std::vector<uint64_t> exact_statistic_keys(std::string_view text);

}  // namespace elenchus::coverage
