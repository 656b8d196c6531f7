#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/finding.h"

namespace elenchus::triage {

// The operators of a script that say what it is about, sorted, and the commands that do more than
// assert and check: connectives, equality, values and names are left out, unless there is nothing
// else.
std::vector<std::string> telling_operators(const ir::TermStore& store, const ir::Script& script);

// The theories of its operators, sorted; the core theory is left out.
std::vector<std::string> theories_of(const ir::TermStore& store, const ir::Script& script);

// Findings with equal signatures count as one bug. For crashes it is the location of the crash;
// where that says little, and for wrong answers, the operators of the script, which is best reduced
// before, or of the term that the solver is wrong about. Where something was looked for in an
// object that is not there, the offset and the theories say enough.
std::string signature(const ir::TermStore& store, const ir::Script& script,
                      const oracle::Finding& finding, std::string_view solver);

// The place of a crash where a debugger has seen it: "SIGSEGV in f < g < h". A message that says
// where is left as it is.
std::string place_of(std::string_view location, std::span<const std::string> frames);

// What findings have in common that probably have one cause: a crash its place, a wrong answer that
// the same solver is wrong in the same way, about a term with the same outermost operator where it
// is a term. Coarser than a signature, and good before reduction.
std::string probable_cause(const ir::TermStore& store, const oracle::Finding& finding,
                           std::string_view solver);

// Whether two signatures differ at most in comparisons: "bvmul bvult" and "bvmul bvsge".
bool is_alike(std::string_view one, std::string_view other);

// Whether a bug with the signature `known` accounts for a finding with the other one: the same kind
// of wrong answer of the same solver, on a script that has all of its operators and further ones. A
// wrong unsat accounts for an unsat that is only disputed, too.
bool accounts_for(std::string_view known, std::string_view signature);

// The same with one word for all functions that make bit-vectors of bit-vectors, where they stand
// beside operators of another kind: alone, they are what it is about. Groups go by it; what counts
// as one bug does not.
std::string in_classes(std::string_view signature);

// Whether both name the same operator, other than a comparison.
bool share_operator(std::string_view one, std::string_view other);

}  // namespace elenchus::triage
