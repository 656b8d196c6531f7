#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/op.h"
#include "ir/sort.h"

namespace elenchus::ir {

enum class Arithmetic : uint8_t { kDifference, kLinear, kNonlinear };

// What the name of a logic admits. Solvers are strict about it: z3 and cvc5 refuse products of
// variables in linear logics, quantifiers in QF_ ones, and sorts of theories that are not named.
struct Logic {
  bool everything = false;  // ALL, or a name that we cannot read: nothing is excluded
  bool quantifiers = true;
  bool functions = false;  // UF
  bool arrays = false;
  bool bit_vectors = false;
  bool floats = false;
  bool strings = false;
  bool datatypes = false;
  bool sets = false;
  bool fields = false;
  bool separation = false;
  bool ints = false;
  bool reals = false;
  bool calculates = false;  // names an arithmetic: without, strings have integers but no sums
  bool transcendentals = false;
  bool higher_order = false;
  Arithmetic arithmetic = Arithmetic::kLinear;

  bool admits(Theory theory) const;
  // Whether there are terms of such a sort, not looking at the sorts below it.
  bool admits(SortKind kind) const;
  bool is_linear() const { return !everything && arithmetic != Arithmetic::kNonlinear; }
  bool is_difference() const { return !everything && arithmetic == Arithmetic::kDifference; }
};

// "QF_AUFLIA", "ALL", "HO_UFNIRA"...; an empty name is ALL.
Logic parse_logic(std::string_view name);

// Whether the logic has reals and no integers: there, `1` is a Real (SMT-LIB theory Reals).
bool numerals_are_real(std::string_view logic);

// The name of the logic with sums: difference logics become linear, and QF_S, which only counts
// characters, QF_SLIA. Others stay.
std::string with_sums(std::string_view logic);
// With products: linear logics become nonlinear, others everything.
std::string with_products(std::string_view logic);
// ALL, or HO_ALL for a logic of higher order.
std::string_view everything(std::string_view logic);

}  // namespace elenchus::ir
