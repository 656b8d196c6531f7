#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "ir/model.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Formulas that leave terms no other values than those they have under a model, up to the names of
// the elements of uninterpreted sorts. So a formula that is false under the model is unsatisfiable
// together with what forces it.
struct Forcing {
  std::vector<ir::TermId> formulas;
  // Declared for it: they stand for elements of uninterpreted sorts, or for values.
  std::vector<ir::FunId> constants;
  // What they are, as an addition to the model: the formulas are true then.
  std::vector<ir::FunctionDefinition> definitions;
};

// What a test says that is built so.
inline constexpr std::string_view kForcedContradiction =
    "one assertion is false under an assignment to which the others leave no alternative";

// Whether it is worth trying: no quantifiers, no variables, no operators that we do not know.
bool may_be_forced(const ir::TermStore& store, ir::TermId term);

// Nothing where that cannot be said: quantifiers, definitions (inline them first), functions as
// values, values that the model or the standard leaves open (division by zero), values that no term
// denotes in every solver, uninterpreted sorts inside others. What the model says of operators is
// not looked at: other models need not say the same.
std::optional<Forcing> force(ir::TermStore& store, const ir::Model& model,
                             std::span<const ir::TermId> terms, base::Rng& rng);

// Leaves the values that the terms have under one of the models: a case split. A formula that is
// false under each of them is unsatisfiable together with it. Nothing where force() gives nothing
// for one of them, or there are none. The definitions are those of all cases.
std::optional<Forcing> force_one_of(ir::TermStore& store, std::span<const ir::Model* const> models,
                                    std::span<const ir::TermId> terms, base::Rng& rng);

// Makes a formula that is false under the model unsatisfiable: by forcing the model, or one of it
// and some of the others, as far as the formula is false under them too.
std::optional<Forcing> force_false(ir::TermStore& store, const ir::Model& model,
                                   std::span<const ir::Model* const> others, ir::TermId formula,
                                   base::Rng& rng);

}  // namespace elenchus::mutate
