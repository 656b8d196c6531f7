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

// The same in an exam of its own.
std::optional<Finding> recheck(ir::TermStore& store, Lab& lab, const Case& test,
                               const Finding& finding);

}  // namespace elenchus::oracle
