#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Random models for the functions that a script declares. Values are literals of the script and
// boundary values of the sort; uninterpreted sorts get a few elements and no others.
class Assigner {
 public:
  // `formulas`: where to look for literals.
  Assigner(ir::TermStore& store, const ir::Script& script, std::span<const ir::TermId> formulas);

  ir::Model draw(base::Rng& rng);

  // Gives what the model leaves out some value. A function of a sort of which we can make no value
  // stays without one.
  void complete(ir::Model& model, base::Rng& rng);

  std::span<const ir::FunId> functions() const { return functions_; }

 private:
  void collect_literals(std::span<const ir::TermId> formulas);
  ir::Definition define(ir::Model& model, ir::FunId fun, base::Rng& rng);
  ir::TermId value(ir::Model& model, ir::SortId sort, base::Rng& rng);
  ir::TermId element(ir::Model& model, ir::SortId sort, base::Rng& rng);
  ir::TermId array(ir::Model& model, ir::SortId sort, base::Rng& rng);
  ir::TermId constant_array(ir::Model& model, ir::SortId sort, base::Rng& rng);
  ir::Universe new_universe(ir::SortId sort, base::Rng& rng);

  ir::TermStore& store_;
  std::vector<ir::FunId> functions_;
  std::unordered_map<uint32_t, std::vector<ir::TermId>> literals_;  // by sort
};

}  // namespace elenchus::mutate
