#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "mutate/engine.h"
#include "mutate/steps.h"

namespace elenchus::mutate {

// What is in force at the last check of a script: declarations without levels, and formulas in
// which definitions and names are written out.
struct Flat {
  ir::Script frame;  // all but assertions and checks, in order
  std::vector<ir::TermId> claims;
  ir::SymbolId tactic;  // of that check, if it has one that keeps answers
  // How the script asks, where it asks in several steps and no level holds a declaration.
  Steps steps;
};

// Skips scripts that cannot be taken apart so.
std::variant<Flat, Skip> flatten(ir::TermStore& store, const ir::Script& script);

// The same for engines that promise answers: skips also what may have none that a model could show,
// recursive definitions that may have no solution.
std::variant<Flat, Skip> flatten_known(ir::TermStore& store, const ir::Script& script);

// The frame with these assertions and a check-sat.
ir::Script with_assertions(const ir::Script& frame, std::span<const ir::TermId> assertions);

// Names another logic, where the script names one: without a name it is one of ALL.
void set_logic(ir::TermStore& store, ir::Script& script, std::string_view name);

// The name of a logic for mutants of the script: its own, one with sums in place of differences, or
// once in so many times (0: never) one of everything.
std::string drawn_logic(const ir::TermStore& store, const ir::Script& script, base::Rng& rng,
                        uint32_t widen_one_in);

// Nodes of all claims, as trees.
uint64_t size_of(const ir::TermStore& store, std::span<const ir::TermId> claims);
// Different terms in all claims.
uint64_t distinct_terms(const ir::TermStore& store, std::span<const ir::TermId> claims);

// Adds the declaration of a function to a frame.
void add_declaration(ir::Script& frame, ir::FunId fun);

}  // namespace elenchus::mutate
