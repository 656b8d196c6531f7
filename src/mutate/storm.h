#pragma once

#include <cstdint>
#include <memory>

#include "mutate/engine.h"
#include "mutate/tactics.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

// The bounds of the paper's algorithm 1, with the values of its public implementation.
struct StormSettings {
  uint32_t length = 200;          // instances of one visit to a seed
  uint32_t max_depth = 20;        // of formulas, in connectives
  uint32_t max_assertions = 20;   // of an instance
  uint32_t enrichment = 1000;     // most formulas of the construction pool; fewer for small seeds
  uint32_t initial_percent = 30;  // of an instance's formulas, from the initial pool
  uint32_t assignments = 3;       // per seed: models that were given, then random ones
  uint32_t other_one_in = 4;      // connectives other than the paper's `and` and `not`; 0: never
  uint32_t tactic_one_in = 16;    // check-sat-using, where some solver has tactics; 0: never
  uint32_t mirror_one_in = 8;     // instances that are unsat by construction; 0: never
  uint32_t steps_one_in = 2;      // instances in the seed's own steps, if it has some; 0: never
  uint32_t max_nodes = 4000;      // of an instance, as trees
  uint32_t evaluation_steps = 5'000;  // of one formula
  uint32_t pool_steps = 20'000;       // of all: then only formulas that are cheap count
  uint32_t minimising_tries = 8;      // instances for each bound, on the way to a smaller one
  TacticSettings tactics;
  TypefuzzSettings beside_core;  // what is done to unsat seeds, beside their core
};

std::unique_ptr<Engine> make_storm(const StormSettings& settings);

}  // namespace elenchus::mutate
