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

// The theories of its operators, sorted; the core theory is left out.
std::vector<std::string> theories_of(const ir::TermStore& store, const ir::Script& script);

// Findings with equal signatures count as one bug. For crashes it is the location of the crash;
// where that says little, and for wrong answers, the operators of the script, which is best reduced
// before. Where something was looked for in an object that is not there, the offset and the
// theories say enough.
std::string signature(const ir::TermStore& store, const ir::Script& script,
                      const oracle::Finding& finding, std::string_view solver);

// Whether two signatures differ at most in comparisons: "bvmul bvult" and "bvmul bvsge".
bool is_alike(std::string_view one, std::string_view other);

// Whether a bug with the signature `known` accounts for a finding with the other one: the same kind
// of wrong answer of the same solver, on a script that has all of its operators and further ones. A
// wrong unsat accounts for an unsat that is only disputed, too.
bool accounts_for(std::string_view known, std::string_view signature);

}  // namespace elenchus::triage
