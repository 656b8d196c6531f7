#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/model.h"
#include "ir/term_store.h"
#include "ir/timeline.h"

namespace elenchus::eval {

struct NearbySettings {
  uint32_t tries = 80;       // models that are evaluated
  uint64_t steps = 200'000;  // for the evaluation of one model
};

// What a search took.
struct NearbyWork {
  uint32_t evaluators = 0;  // each reads the whole model
};

// A model that makes the claims true and differs little from the given one: values of functions
// that it does not know are made up, those of constants in false claims are changed one at a time,
// to values that other terms of the formula have or that lie next to them. A short search, which
// may miss models that exist. Deterministic. New terms go into the store.
std::optional<ir::Model> find_nearby(ir::TermStore& store, std::span<const ir::Claim> claims,
                                     const ir::Model& model, const NearbySettings& settings = {},
                                     NearbyWork* work = nullptr);

}  // namespace elenchus::eval
