#pragma once

#include <string>
#include <vector>

#include "diagnose/sight.h"

namespace elenchus::diagnose {

// What the pieces of a solver's preprocessing that can be asked for do to what is asserted.
struct Steps {
  std::string culprit;            // the first that goes wrong: "(apply solve-eqs)"; empty: none
  std::string what;               // it does, in a line
  std::string made;               // the false formula that it made
  std::vector<std::string> kept;  // those before it that would show it, and do nothing wrong
};

// Asks for them: of z3 `simplify` and single tactics, of cvc5 its substitutions and what is
// asserted after preprocessing. A step is wrong where its result is false under a model of what it
// was made from; where the model of the solver is wrong, only if the step has to keep what is false
// false, too. A crash is that of a step which crashes alone.
Steps try_steps(const Subject& subject);

}  // namespace elenchus::diagnose
