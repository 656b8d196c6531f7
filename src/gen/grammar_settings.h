#pragma once

#include <cstdint>
#include <vector>

#include "gen/vocabulary.h"
#include "ir/ids.h"

namespace elenchus::gen {

// Each `..._one_in`: how rarely, on average; 0 means never. Percentages of 0 mean never, too.
struct GrammarSettings {
  VocabularySettings vocabulary;

  // Sizes. The nodes of all assertions, written out as trees, and operators over operators.
  uint32_t size = 60;
  uint32_t depth = 6;
  uint32_t assertions = 5;  // at most
  uint32_t variables = 3;   // of each sort, at most
  uint32_t sharing = 15;    // percent of arguments that are terms made before
  uint32_t leaves = 15;     // percent of arguments that are leaves although there is room
  uint32_t constants = 30;  // percent of leaves that are values at some boundary

  // The swarm: for each script, operators are switched off or boosted.
  uint32_t off_one_in = 3;
  uint32_t boosted_one_in = 6;
  uint32_t boost = 8;

  uint32_t quantifier_one_in = 6;  // of Boolean terms, in scripts that have quantifiers
  uint32_t definition_one_in = 3;  // scripts with define-fun

  // Commands.
  uint32_t incremental_one_in = 4;  // scripts with push, pop and several checks
  uint32_t pop_one_in = 3;          // assertions of these scripts before which something is popped
  uint32_t stay_one_in = 3;         // of the others: those before which nothing is pushed
  uint32_t double_push_one_in = 8;  // pushes of two levels
  uint32_t assuming_one_in = 5;     // checks under assumptions
  uint32_t core_one_in = 8;         // scripts with named assertions that ask for cores
  uint32_t unnamed_one_in = 4;      // of their assertions
  uint32_t request_one_in = 4;      // scripts that ask for models and values
  uint32_t model_one_in = 3;        // requests for values that ask for the whole model, too
};

// What a script prefers: operators and literals, such as those of a seed.
struct Bias {
  std::vector<ir::Op> ops;           // sorted
  std::vector<ir::TermId> literals;  // of the store that the script goes to
};

inline constexpr uint32_t kMaxGrammarDepth = 64;

}  // namespace elenchus::gen
