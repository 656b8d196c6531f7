#pragma once

#include <string_view>
#include <vector>

#include "knobs/knob.h"

namespace elenchus::knobs {

// Readers of what solvers print about their own options. They take any text: what does not look
// like an option is passed over.

// `z3 -p` or `z3 -pd`: modules, types, defaults, and with -pd descriptions.
std::vector<Knob> read_z3_listing(std::string_view text);

// `cvc5 --help`, `cvc4 --help`: modules, types by the placeholder (=N, =MODE), expert marks. Modes
// and defaults are to be asked for one by one.
std::vector<Knob> read_cvc_listing(std::string_view text);

// `boolector --help`: options with a range of numbers, "--rewrite-level<n> ... [0,3] (default 3)".
std::vector<Knob> read_boolector_listing(std::string_view text);

// `cvc5 --nl-ext=help`: the modes, and the default where it is marked.
void read_modes(std::string_view text, Knob& knob);

// A tactic of z3, as (help-tactic) or `z3 -tactics` lists it.
struct Tactic {
  std::string name;
  std::string about;
};
std::vector<Tactic> read_tactics(std::string_view text);

}  // namespace elenchus::knobs
