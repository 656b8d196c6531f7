#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elenchus::diagnose {

// Readers of what solvers print of their own preprocessing. They take any text.

// Each s-expression on the top level, up to one that does not end.
std::vector<std::string_view> expressions_in(std::string_view text);

// "(goals (goal F G :precision precise :depth 2))", as z3 prints what a tactic makes: the formulas
// of each goal, of which one has to hold. None where there is no such text.
std::optional<std::vector<std::vector<std::string_view>>> goals_in(std::string_view text);

// What stands between two lines of comment, as cvc5 prints it; empty where they are not there.
std::string_view section_of(std::string_view text, std::string_view start, std::string_view end);

// The script with constants that are declared and made equal to their definitions in the place of
// defined ones, so that a model can speak of them. None where a function is defined.
std::optional<std::string> with_equations(std::string_view script);

}  // namespace elenchus::diagnose
