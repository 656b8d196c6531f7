#pragma once

#include <cstdint>
#include <span>

#include "ir/logic.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// Everyone, as a set of readers.
inline constexpr uint16_t kAnyone = ir::kEveryReader;

// A literal, or an application of constructors of values to values.
bool is_value(const ir::TermStore& store, ir::TermId term);

// Who takes the operator on these arguments, as far as the arguments matter: linear logics want
// constants in products and quotients; some solvers want values in constant arrays, characters in
// ranges, numerals in exponents. No one, where the logic forbids it.
uint16_t readers_of_application(const ir::TermStore& store, const ir::Logic& logic, ir::Op op,
                                std::span<const ir::TermId> args);

// Who reads `and`, `or` and `xor` of so many arguments; of other operators, everyone.
uint16_t readers_of_junction(const ir::OpTable& table, ir::Op op, size_t arguments);

}  // namespace elenchus::gen
