#pragma once

#include <vector>

#include "eval/evaluator.h"

namespace elenchus::eval {

// One line of an explanation: a term, its value, and how deep below the claim it stands.
struct Step {
  ir::TermId term;
  Value value;
  uint32_t depth = 0;
};

// Why the claim has its value: from the claim down to the constants whose values decide. Parts that
// do not matter are left out: of a false conjunction only one false part is shown, of a quantifier
// the instance that decides. Each term is explained once. Not more than `max_steps` steps.
std::vector<Step> explain(Evaluator& evaluator, ir::TermId claim, size_t max_steps);

}  // namespace elenchus::eval
