#include "mutate/edit/known_model.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "ir/timeline.h"

namespace elenchus::mutate::edit {

KnownModel::KnownModel(ir::TermStore& store, const ir::Script& seed,
                       std::span<const ir::Model> models, const Limits& limits, base::Rng& rng)
    : store_(store), steps_(limits.steps) {
  if (models.empty() && limits.guesses == 0) return;
  auto flattened = flatten_known(store, seed);
  const auto* flat = std::get_if<Flat>(&flattened);
  if (flat == nullptr) return;
  SeedModels source(store, *flat);
  const TruthBudget budget{.each = limits.steps, .left = limits.steps};
  auto held = source.given(models, rng, budget);
  if (held.empty()) held = source.guessed(limits.guesses, rng, budget);
  if (!held.empty()) held_ = std::move(held.front());
}

bool KnownModel::holds(const std::vector<ir::Claim>& claims, uint64_t& steps) {
  for (const ir::Claim& claim : claims) {
    const eval::Value value = held_->evaluator->evaluate(claim.term, steps);
    steps = held_->evaluator->steps_left();
    if (!value.is_true()) return false;
  }
  return true;
}

void KnownModel::expect(Mutant& mutant) {
  if (!held_) return;
  uint64_t steps = steps_;
  const ir::Timeline timeline(store_, mutant.script);
  std::vector<Truth> expected;
  for (const size_t check : ir::checks_of(mutant.script)) {
    const bool is_sat = holds(timeline.claims(mutant.script, check), steps);
    expected.push_back(is_sat ? Truth::kSat : Truth::kUnknown);
  }
  if (std::find(expected.begin(), expected.end(), Truth::kSat) == expected.end()) return;
  mutant.expected = std::move(expected);
  mutant.witness = held_->model;
}

}  // namespace elenchus::mutate::edit
