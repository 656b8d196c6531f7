#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::oracle {

// What the oracle `elimination` does for one solver and one request, in the words of its profile: a
// tactic, or "(get-qe {})".
void judge_formula(Exam& exam, size_t solver, std::string_view request,
                   std::vector<Finding>& findings);

// The script that shows a wrong formula, with its request about the assertions as they are: after a
// reduction these are others than when it was made.
ir::Script with_request_renewed(ir::TermStore& store, const ir::Script& script);

}  // namespace elenchus::oracle
