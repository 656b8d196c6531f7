#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "eval/evaluator.h"
#include "ir/model.h"
#include "ir/term_store.h"
#include "mutate/assignment.h"
#include "mutate/flat.h"

namespace elenchus::mutate {

// Steps that finding out whether formulas are true may take.
struct TruthBudget {
  uint64_t each = UINT64_MAX;  // of one formula
  uint64_t left = UINT64_MAX;  // of all of them
};

// A model that makes formulas true, with the evaluator that found it so and knows their values.
struct HeldModel {
  std::shared_ptr<const ir::Model> model;
  std::unique_ptr<eval::Evaluator> evaluator;
};

// Nothing if some formula is false or unknown, such as by a value that the standard leaves open, or
// if the budget runs out. `later`: for what is evaluated afterwards.
std::optional<HeldModel> held(const ir::TermStore& store, std::span<const ir::TermId> formulas,
                              std::shared_ptr<const ir::Model> model, TruthBudget& budget,
                              const eval::Settings& later = {});

// The models of a seed: those that solvers gave, completed, and assignments drawn at random.
class SeedModels {
 public:
  // The seed must outlive it.
  SeedModels(ir::TermStore& store, const Flat& seed)
      : store_(store), seed_(seed), assigner_(store, seed.frame, seed.claims) {}

  // With some value for what the model leaves out, and none for what the standard leaves open,
  // whatever a solver makes of it.
  ir::Model completed(ir::Model model, base::Rng& rng);

  // Those of the models that make the seed true once they are completed; a budget for each.
  std::vector<HeldModel> given(std::span<const ir::Model> models, base::Rng& rng,
                               const TruthBudget& budget, const eval::Settings& later = {});
  // The first of so many random assignments that does, if one does; one budget for all.
  std::vector<HeldModel> guessed(uint32_t guesses, base::Rng& rng, TruthBudget budget,
                                 const eval::Settings& later = {});

 private:
  void add_if_held(ir::Model model, TruthBudget& budget, const eval::Settings& later,
                   std::vector<HeldModel>& models) const;

  ir::TermStore& store_;
  const Flat& seed_;
  Assigner assigner_;
};

}  // namespace elenchus::mutate
