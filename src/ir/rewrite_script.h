#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// What to put in place of what, everywhere in a script. Terms keep their sort, and a replacement
// has no free variables that the term lacks: so nothing is captured.
struct Change {
  // A variable may become another variable: then it does so in its binders too.
  std::vector<std::pair<TermId, TermId>> terms = {};
  // Of the same signature, unless `build` makes the calls.
  std::vector<std::pair<FunId, FunId>> functions = {};
  // Names given by :named make way for what they stand for.
  bool inline_names = false;
  // What a term becomes whose arguments have become these; none: the term with these arguments.
  std::function<TermId(TermId term, std::span<const TermId> args)> build = {};
};

// The script with the change. A function whose body changes becomes another function of the same
// name, and so does a name given by :named; their uses follow. Replacements are not searched for
// further replacements.
Script rewrite(TermStore& store, const Script& script, const Change& change);

// The same for a term by itself.
TermId rewrite(TermStore& store, TermId term, const Change& change);

}  // namespace elenchus::ir
