#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gen/vocabulary.h"
#include "mutate/engine.h"
#include "mutate/slice.h"

namespace elenchus::mutate {

struct EditSettings {
  uint32_t length = 1000;
  gen::VocabularySettings vocabulary;
  // One visit in so many says (set-logic ALL), and may then use every theory. 0: never.
  uint32_t widen_one_in = 4;
  // While there are single edits left and some of them behaved unlike the seed: one mutant in so
  // many is a pair that begins with such an edit. 0: pairs only when all single edits are made.
  uint32_t pair_one_in = 8;
  // Single edits from which pairs start, and pairs that each of them is good for.
  uint32_t max_bases = 32;
  uint32_t pairs_of_base = 200;
  // Pieces of earlier seeds that are kept to be put into later ones. 0: none.
  uint32_t stock = 512;
  // Random assignments that are tried for a seed that comes without a model.
  uint32_t guesses = 8;
  // A mutant has at most so many times the seed's nodes; but never less than `min_size`.
  uint32_t growth = 4;
  uint32_t min_size = 200;
  // Evaluation steps for one mutant: what holds under a model of the seed is satisfiable.
  uint64_t evaluation_steps = 20'000;
  // Mutants of other parts come last. None: there is one part.
  std::shared_ptr<const Slice> slice = nullptr;
};

std::unique_ptr<Engine> make_edit(const EditSettings& settings);

// The kinds of edits, as mutants name them.
std::vector<std::string_view> edit_kinds();

}  // namespace elenchus::mutate
