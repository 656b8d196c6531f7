#pragma once

#include <cstdint>
#include <memory>

#include "gen/vocabulary.h"
#include "mutate/engine.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

struct DiverSettings {
  uint32_t length = 200;  // mutants of one visit to a seed
  // Then the seed makes room for mutants of it. The paper has 1000, which no seed has in a visit:
  // of 200, a quarter lets it retire, and changes add up.
  uint32_t mutants_per_seed = 50;
  uint32_t tries = 50;           // replacements of one occurrence
  uint32_t expansions = 5;       // operators of a replacement
  uint32_t leaf_one_in = 8;      // replacements without operators
  uint32_t boundary_one_in = 8;  // leaves that are neither of the script nor of the model
  uint32_t pool = 8;             // the seed and mutants that serve as seeds
  uint32_t join_one_in = 16;     // mutants that join the pool
  uint32_t max_spots = 4000;     // occurrences of a seed that are considered, at any depth
  // Nodes of a changed assertion, as a tree; half more than the largest of the seed if that is
  // more.
  uint32_t max_nodes = 4000;
  uint32_t max_seed_nodes = 100'000;   // of a seed, shared ones counted once: the paper's 200 KB
  uint32_t guesses = 64;               // random assignments that are tried where there is no model
  uint32_t model_steps = 400'000;      // of finding out whether a model holds
  uint32_t guess_steps = 50'000;       // the same for all random assignments together
  uint32_t evaluation_steps = 20'000;  // of all replacements of one occurrence
  bool is_weighted = true;             // occurrences with more room are chosen more often
  bool may_complicate = true;          // fresh variables in place of leaves
  uint32_t widen_one_in = 4;           // seeds that get (set-logic ALL); 0: never
  uint32_t mirror_one_in = 4;          // mutants that are unsat by construction; 0: never
  uint32_t steps_one_in = 2;           // mutants in the seed's own steps, if it has some; 0: never
  gen::VocabularySettings vocabulary;
  TypefuzzSettings beside_core;  // what is done to unsat seeds, beside their core
};

std::unique_ptr<Engine> make_diver(const DiverSettings& settings);

}  // namespace elenchus::mutate
