#include "mutate/seed_models.h"

#include <algorithm>
#include <utility>

namespace elenchus::mutate {

using ir::TermId;

std::optional<HeldModel> held(const ir::TermStore& store, std::span<const TermId> formulas,
                              std::shared_ptr<const ir::Model> model, TruthBudget& budget,
                              const eval::Settings& later) {
  auto evaluator = std::make_unique<eval::Evaluator>(store, *model, later);
  for (const TermId formula : formulas) {
    const uint64_t most = std::min(budget.each, budget.left);
    const eval::Value value = evaluator->evaluate(formula, most);
    budget.left -= most - evaluator->steps_left();
    if (!value.is_true()) return {};
  }
  return HeldModel{std::move(model), std::move(evaluator)};
}

ir::Model SeedModels::completed(ir::Model model, base::Rng& rng) {
  model.operators.clear();
  assigner_.complete(model, rng);
  return model;
}

void SeedModels::add_if_held(ir::Model model, TruthBudget& budget, const eval::Settings& later,
                             std::vector<HeldModel>& models) const {
  auto found = held(store_, seed_.claims, std::make_shared<const ir::Model>(std::move(model)),
                    budget, later);
  if (found) models.push_back(std::move(*found));
}

std::vector<HeldModel> SeedModels::given(std::span<const ir::Model> models, base::Rng& rng,
                                         const TruthBudget& budget, const eval::Settings& later) {
  std::vector<HeldModel> good;
  for (const ir::Model& model : models) {
    TruthBudget of_this = budget;
    add_if_held(completed(model, rng), of_this, later, good);
  }
  return good;
}

std::vector<HeldModel> SeedModels::guessed(uint32_t guesses, base::Rng& rng, TruthBudget budget,
                                           const eval::Settings& later) {
  std::vector<HeldModel> good;
  for (uint32_t i = 0; i < guesses && good.empty() && budget.left > 0; ++i) {
    add_if_held(assigner_.draw(rng), budget, later, good);
  }
  return good;
}

}  // namespace elenchus::mutate
