#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elenchus::gen {

// Names of logics that benchmarks and solvers have, in order.
std::span<const std::string_view> known_logics();

// Whether the name is composed as the names of logics are, known or not: [HO_][QF_], then theories
// in their order (A, UF, BV, FF, FP, DT, S), then an arithmetic; or ALL.
bool is_logic_name(std::string_view name);

// Known names that are spelled much like this one, the nearest first; at most three.
std::vector<std::string> similar_logics(std::string_view name);

}  // namespace elenchus::gen
