#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "gen/vocabulary.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

struct TacticSettings {
  uint16_t solvers = ir::kDebianReaders;  // in use, as readers of the table
  uint32_t plain_one_in = 4;              // checks that stay as they are; 0: none
  // What all solvers in use that have tactics list; one that a solver lacks costs it the test.
  // Empty where nobody was asked.
  std::vector<std::string> known;
};

// Whether somebody among the solvers reads tactics. The others are asked the plain question.
bool has_tactics(const ir::OpTable& ops, uint16_t solvers);

// A tactic of z3 that ends in a decision, or in `unknown`: never in an answer that by its own
// description may be wrong.
std::string random_tactic(base::Rng& rng, const TacticSettings& settings = {});

// Whether the tactic consists of nothing else than what random_tactic() might use.
bool is_known_tactic(std::string_view text);

// The script's last check is asked by the tactic.
void ask_by(ir::Script& script, ir::SymbolId tactic);

// The mutants of another engine, asked by (check-sat-using TACTIC) where they say (check-sat) and
// some solver in use has tactics.
std::unique_ptr<Engine> make_tactics(std::unique_ptr<Engine> inner, const TacticSettings& settings);

}  // namespace elenchus::mutate
