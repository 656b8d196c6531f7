#pragma once

#include <cstdint>
#include <memory>

#include "gen/vocabulary.h"
#include "mutate/engine.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

struct DiverSettings {
  uint32_t length = 200;               // mutants of one visit to a seed
  uint32_t mutants_per_seed = 1000;    // then the seed makes room for mutants of it
  uint32_t tries = 50;                 // replacements of one occurrence
  uint32_t expansions = 5;             // operators of a replacement
  uint32_t pool = 8;                   // the seed and mutants that serve as seeds
  uint32_t join_one_in = 16;           // mutants that join the pool
  uint32_t max_spots = 4000;           // occurrences of a seed that are considered
  uint32_t max_nodes = 4000;           // of a mutant, as trees
  uint32_t guesses = 64;               // random assignments that are tried where there is no model
  uint32_t model_steps = 100'000;      // of finding out whether a model holds
  uint32_t guess_steps = 50'000;       // the same for all random assignments together
  uint32_t evaluation_steps = 20'000;  // of all replacements of one occurrence
  bool is_weighted = true;             // occurrences with more room are chosen more often
  bool may_complicate = true;          // fresh variables in place of leaves
  uint32_t widen_one_in = 4;           // seeds that get (set-logic ALL); 0: never
  uint32_t mirror_one_in = 4;          // mutants that are unsat by construction; 0: never
  gen::VocabularySettings vocabulary;
  TypefuzzSettings beside_core;  // what is done to unsat seeds, beside their core
};

std::unique_ptr<Engine> make_diver(const DiverSettings& settings);

}  // namespace elenchus::mutate
