#pragma once

#include <optional>

#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::oracle {

// Whether the script that shows a finding is the variant that the finding carries, and not the
// script of the test.
bool is_shown_by_variant(const Finding& finding);

// Runs the test of the exam again in its lab, on the solvers that matter, and says what is found of
// the same kind on the same solver: the same crash, the same wrong answer. Nothing when it does not
// show. The script of the test may be another one than that of the finding, such as a reduced one:
// a witness is evaluated on it, and where it does not fit, one nearby is looked for; a wrong sat
// that is not as it was constructed needs other solvers against it. What is found carries the
// evidence of the script at hand.
std::optional<Finding> recheck(Exam& exam, const Finding& finding);

// Whether an unsat is still wrong: it is wherever the finding's model, or one like it, satisfies
// what was asked.
std::optional<Finding> recheck_wrong_unsat(Exam& exam, const Finding& finding);

// Whether a sat is still wrong on a script that is not as it was constructed: where its model is
// false and another solver says unsat, or where two others do. Either is a guard against sliding
// into a satisfiable formula, not a proof: that is what the construction of the original is.
std::optional<Finding> recheck_wrong_sat(Exam& exam, const Finding& finding);

// The same as the first in an exam of its own.
std::optional<Finding> recheck(ir::TermStore& store, Lab& lab, const Case& test,
                               const Finding& finding);

}  // namespace elenchus::oracle
