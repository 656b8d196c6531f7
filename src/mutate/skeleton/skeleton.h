#pragma once

#include <cstdint>
#include <memory>

#include "gen/vocabulary.h"
#include "mutate/engine.h"

namespace elenchus::history {
struct Knowledge;
}

namespace elenchus::mutate {

// Each `..._one_in`: how rarely, on average; 0 means never.
struct SkeletonSettings {
  std::shared_ptr<const history::Knowledge> knowledge;  // none: what the program brings with it
  uint32_t length = 200;       // tests of one visit to a seed; they share a theme
  bool uses_rules = true;      // else atoms are drawn without regard to each other
  uint32_t max_holes = 500;    // of a skeleton that is drawn as often as others: all that there are
  uint32_t large_one_in = 32;  // a larger one instead
  uint32_t seed_atom_one_in = 3;      // an atom of the seed where no rule says which one
  uint32_t seed_theme_one_in = 2;     // the theories of the seed, instead of those of some input
  uint32_t translocate_one_in = 3;    // another variable of the same sort
  uint32_t scratch_one_in = 6;        // a bound variable that does not occur
  uint32_t all_one_in = 2;            // (set-logic ALL) although a smaller logic would do
  uint32_t made_atom_one_in = 8;      // an atom made to fit, though there are historical ones
  uint32_t atoms_per_signature = 24;  // that a series keeps, besides those of the knowledge
  uint32_t seed_atoms = 64;           // taken from the seed, at most
  gen::VocabularySettings vocabulary;
};

std::unique_ptr<Engine> make_skeleton(const SkeletonSettings& settings);

}  // namespace elenchus::mutate
