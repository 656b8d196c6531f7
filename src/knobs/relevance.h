#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/op.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "knobs/catalogue.h"
#include "knobs/correlations.h"

namespace elenchus::knobs {

// What a script is made of, as far as options may have to do with it.
struct Features {
  std::set<std::string> operations;  // operators by name, and commands such as "push"
  // Which theories an operator may be of; those that are in every formula are of none.
  std::map<std::string, std::vector<ir::Theory>> theories_of_operation;
  std::set<ir::Theory> theories;
  bool has_quantifiers = false;
};

Features features_of(const ir::TermStore& store, const ir::Script& script);

// Knobs that may be used, whatever the script.
std::vector<const Knob*> usable_knobs(const Catalogue& catalogue, bool experts_too);

// Those of them that may matter to such a script: by what was learnt (`learnt` may be null) of the
// script's operations, and of operations that nothing was learnt of all but those whose name or
// module belongs to another theory.
std::vector<const Knob*> relevant_knobs(const Catalogue& catalogue, const Features& features,
                                        const Correlations* learnt, bool experts_too);

// The theories that an option is about, by its name and module; empty: any.
std::vector<ir::Theory> theories_of(const Knob& knob);
// Whether it is about quantifiers.
bool is_about_quantifiers(const Knob& knob);

}  // namespace elenchus::knobs
