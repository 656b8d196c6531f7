#pragma once

#include <cstdint>
#include <memory>

#include "mutate/engine.h"

namespace elenchus::mutate {

struct FusionSettings {
  uint32_t length = 100;           // mutants of one visit to a pair of seeds
  uint32_t pool = 16;              // most fusions of a pair of seeds
  uint32_t max_pairs = 6;          // of variables that a mutant fuses
  uint32_t multiply_one_in = 4;    // fusions in linear logics that may leave them; 0: never
  uint32_t together_one_in = 8;    // mutants with all formulas in one assertion; 0: never
  uint32_t loose_one_in = 4;       // fusions of unsat seeds that do not say what z is
  uint32_t distribute_one_in = 4;  // disjunctions that are written as several; 0: never
  uint32_t max_nodes = 20'000;     // of both seeds together, as trees
  uint32_t guesses = 64;           // random assignments that are tried where there is no model
  uint64_t evaluation_steps = 100'000;
};

std::unique_ptr<Engine> make_fusion(const FusionSettings& settings);

}  // namespace elenchus::mutate
