#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "mutate/engine.h"
#include "mutate/flat.h"
#include "mutate/seed_models.h"

namespace elenchus::mutate::edit {

// A model of the seed, if one is known: what is true under it is satisfiable.
class KnownModel {
 public:
  struct Limits {
    uint32_t guesses = 0;  // random assignments that are tried where there is no model
    uint64_t steps = 0;    // of evaluation, for the seed and for each mutant
  };

  KnownModel(ir::TermStore& store, const ir::Script& seed, std::span<const ir::Model> models,
             const Limits& limits, base::Rng& rng);

  // Says which checks of the mutant are satisfiable as far as the model shows it. The functions of
  // the mutant are those of the seed, and perhaps others.
  void expect(Mutant& mutant);

 private:
  bool holds(const std::vector<ir::Claim>& claims, uint64_t& steps);

  ir::TermStore& store_;
  std::optional<HeldModel> held_;
  uint64_t steps_;
};

}  // namespace elenchus::mutate::edit
