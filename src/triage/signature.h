#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/finding.h"

namespace elenchus::triage {

// The operators of a script that say what it is about, sorted: connectives, equality, literals and
// names are left out, unless there is nothing else.
std::vector<std::string> telling_operators(const ir::TermStore& store, const ir::Script& script);

// Findings with equal signatures count as one bug. For crashes it is the location of the crash;
// where that says little, and for wrong answers, the operators of the script, which is best reduced
// before.
std::string signature(const ir::TermStore& store, const ir::Script& script,
                      const oracle::Finding& finding, std::string_view solver);

}  // namespace elenchus::triage
