#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::oracle {

// Other scripts that ask the same, for questioning a solver a second time.

// A script with a single check-sat that asks what the command number `check` of the script asks:
// the declarations and assertions in force there, assumptions asserted. Nothing where declarations
// outlive their level (:global-declarations).
std::optional<ir::Script> flattened(const ir::TermStore& store, const ir::Script& script,
                                    size_t check);

// The flat script with further assertions before its check-sat.
ir::Script with_assertions(const ir::Script& flat, std::span<const ir::TermId> terms);

// What a script declares, in one level, with its logic and nothing else.
ir::Script declarations_of(const ir::Script& script);

// The flat script with only those of its assertions whose number is in `kept`, which is sorted.
ir::Script with_only(const ir::Script& flat, std::span<const size_t> kept);

// The same in two pieces: the second half of the assertions comes after a push, then the check-sat,
// then a pop and a check-sat of the first half. Nothing when there is but one assertion.
std::optional<ir::Script> in_pieces(const ir::Script& flat);

// The flat script with a name for each assertion: "elenchus_0" for the first, and so on, with
// underscores behind where that is taken. Those that have such a name already get another. Nothing
// when names of others are in an assertion.
std::optional<ir::Script> with_names(ir::TermStore& store, const ir::Script& flat);

// The numbers of the assertions of such a script that a core names, "(elenchus_0 elenchus_3)",
// sorted.
std::vector<size_t> assertions_in_core(std::string_view core);

// A core as a solver prints it, in one line.
std::string in_a_line(std::string_view core);

// Equations that fix the script's constants to what the model says, where that can be written down.
std::vector<ir::TermId> fixing_equations(ir::TermStore& store, const ir::Script& script,
                                         const ir::Model& model);

}  // namespace elenchus::oracle
