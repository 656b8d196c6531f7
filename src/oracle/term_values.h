#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "eval/evaluator.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/finding.h"
#include "solver/profile.h"

// Terms and what a solver makes of them, for the oracles that ask about terms and for the lane that
// does nothing else.
namespace elenchus::oracle {

// Evaluates terms under several assignments. What an assignment or the standard leaves open is
// unknown.
class TermValues {
 public:
  // The models must outlive it, and what is evaluated must stay in the store. `steps`: for one
  // evaluation.
  TermValues(const ir::TermStore& store, std::span<const ir::Model> models, uint64_t steps);

  size_t assignments() const { return evaluators_.size(); }
  eval::Evaluator& evaluator(size_t assignment) { return *evaluators_[assignment]; }

  // The first assignment under which both terms have a value, and not the same one. Terms of the
  // same sort.
  std::optional<size_t> difference(ir::TermId one, ir::TermId other);
  // How many pairs of values were compared so far.
  uint64_t compared() const { return compared_; }

 private:
  std::optional<bool> differ(eval::Evaluator& evaluator, ir::TermId one, ir::TermId other);

  const ir::TermStore& store_;
  uint64_t steps_;
  std::vector<std::unique_ptr<eval::Evaluator>> evaluators_;
  uint64_t compared_ = 0;
};

// Some assignments for the constants that a script declares: small values and boundaries, often the
// same for several constants. Functions are left out, and sorts of which we know no values.
std::vector<ir::Model> sample_assignments(ir::TermStore& store, const ir::Script& script,
                                          size_t count, base::Rng& rng);

// The subterms of what the script asserts that a solver can be asked about by themselves: more than
// a name or a value, no bound variable free in them, nothing named or unknown. Small ones first,
// each once.
std::vector<ir::TermId> askable_subterms(const ir::TermStore& store,
                                         std::span<const ir::TermId> roots, size_t most);

// The term as `reply` has it, of the same sort; an integer may stand for a real number.
ir::TermId of_same_sort(ir::TermStore& store, ir::TermId asked, ir::TermId reply);

// "(simplify {})" with the term in the place of {}. Empty where the term cannot be written in a
// line.
std::string question_about(const ir::TermStore& store, std::string_view form, ir::TermId term);

// The term as a claim that holds where it has this value: itself, its negation, or an equation.
// None where the value cannot be written down.
ir::TermId claim_of(ir::TermStore& store, eval::Evaluator& evaluator, ir::TermId term);

// The flat script with nothing asserted but these.
ir::Script with_claims(const ir::Script& flat, std::span<const ir::TermId> claims);

// The declarations of the script and, as its only assertion, what the term that the finding asks
// about is under the finding's model. None where that cannot be said.
std::optional<ir::Script> stated_alone(ir::TermStore& store, const ir::Script& script,
                                       const Finding& finding);

// "t = 5", then what that follows from, down to the constants, in indented lines.
std::string explained(ir::TermStore& store, ir::TermId term, const ir::Model& model);

}  // namespace elenchus::oracle
