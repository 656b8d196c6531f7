#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "eval/evaluator.h"
#include "ir/measure.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "mutate/diver/diver.h"
#include "mutate/diver/range.h"
#include "mutate/draft.h"
#include "mutate/seed_models.h"

namespace elenchus::mutate::diver {

inline constexpr uint32_t kNoParent = UINT32_MAX;

// An occurrence, and how much room it has.
struct Spot {
  ir::TermId term;
  uint32_t parent = kNoParent;
  uint32_t position = 0;  // among the parent's arguments
  uint32_t claim = 0;
  bool is_bound = false;  // below a binder: its value is none in particular
  Range range;
};

// Formulas that a model makes true, with the pre-analysis of their occurrences.
class ModelledScript {
 public:
  // The model holds of the claims.
  ModelledScript(ir::TermStore& store, const DiverSettings& settings, ir::Script its_frame,
                 std::vector<ir::TermId> its_claims, HeldModel held);

  eval::Value evaluate(ir::TermId term, uint64_t& steps) {
    const eval::Value value = evaluator_->evaluate(term, steps);
    steps = evaluator_->steps_left();
    return value;
  }

  // Whether the term's value is in the range.
  bool contains(const Range& range, ir::TermId term) {
    return ranges_.contains(range, evaluator_->evaluate(term));
  }

  bool has_spots() const { return !claims.empty(); }
  const Spot& spot(uint32_t index) const { return spots_[index]; }
  // Spots with more room more often, unless the settings say otherwise. There are some.
  uint32_t choose(base::Rng& rng);
  // Where the spot is in the script of the frame and the claims.
  void find_place(uint32_t index, Place& place) const;
  // Which claim the place is in.
  size_t claim_of(const Place& place) const { return place.command - frame.commands.size(); }

  Ranges& ranges() { return ranges_; }

  const ir::Script frame;
  const std::vector<ir::TermId> claims;
  const std::shared_ptr<const ir::Model> model;
  uint32_t mutants = 0;                 // that were made of it
  uint16_t readers = ir::kEveryReader;  // of what was changed in it

 private:
  void analyse(base::Rng& rng);
  void expand(uint32_t index);
  void sample(base::Rng& rng, ir::Measures& measures);
  uint32_t step_from(base::Rng& rng, ir::TermId term, bool goes_by_size, ir::Measures& measures);
  Spot child(uint32_t index, uint32_t position);

  ir::TermStore& store_;
  const DiverSettings& settings_;
  std::unique_ptr<eval::Evaluator> evaluator_;
  Ranges ranges_;
  std::vector<Spot> spots_;
  std::vector<double> sums_;  // of the scores up to each spot
};

}  // namespace elenchus::mutate::diver
