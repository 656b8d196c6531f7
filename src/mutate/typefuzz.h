#pragma once

#include <cstdint>
#include <memory>

#include "mutate/chain.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

// Each `..._one_in`: how rarely, on average; 0 means never.
struct TypefuzzSettings : ChainSettings {
  TypefuzzSettings() { look_back_every = 4; }

  uint32_t existing_one_in = 4;    // an expression of the script instead of a new application
  uint32_t everywhere_one_in = 4;  // what is used several times is replaced at all its uses
  uint32_t constant_one_in = 10;   // a constant: a neighbour, or a boundary value of the sort
  uint32_t assertion_one_in = 40;  // a new assertion, or one removed or negated
  // In place of an argument: a constant although there are expressions.
  uint32_t constant_argument_one_in = 16;
  // With (set-logic ALL): one chain in so many uses operators on constants of sorts that the script
  // does not have.
  uint32_t foreign_one_in = 8;
  // A mutant has at most so many times the seed's nodes, and at most `max_size`, whatever is less;
  // but never less than `min_size`, and half more than the seed.
  uint32_t growth = 4;
  uint32_t min_size = 200;
  uint32_t max_size = 2000;
};

std::unique_ptr<Engine> make_typefuzz(const TypefuzzSettings& settings);

}  // namespace elenchus::mutate
