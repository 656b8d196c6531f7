#pragma once

#include <memory>

#include "mutate/engine.h"

namespace elenchus::mutate {

struct ObjectiveSettings {
  uint32_t bounded_one_in = 2;   // numbers that get a bound beyond which they cannot go
  uint32_t soft_one_in = 4;      // objectives that are assertions with weights
  uint32_t half_one_in = 4;      // weights of one half, not whole numbers
  uint32_t priority_one_in = 3;  // several objectives that are not lexicographic
};

// The mutants of another engine with something to maximize or minimize: numbers and bit-vectors
// among their terms, and Boolean terms as assert-soft. What is expected stays true: whether there
// is a solution does not depend on which is the best.
std::unique_ptr<Engine> make_objectives(std::unique_ptr<Engine> inner,
                                        const ObjectiveSettings& settings);

}  // namespace elenchus::mutate
