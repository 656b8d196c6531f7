#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/registry.h"

namespace elenchus::campaign {

// What the name of an engine says in a campaign: "typefuzz+options" is typefuzz, whose tests one
// of the solvers gets under options, too; with "+variants" that is one of the variants of its
// profile. What else stands behind a '+' is the engine's own matter.
struct EngineName {
  std::string plain;
  bool has_options = false;
  bool has_variants = false;
};
EngineName engine_name_of(std::string_view name);

// The engine's name without what has its tests run by guests, too.
std::string without_guests(std::string_view name);

// The ways of asking that any engine can be combined with, each in a line, without the '+'.
std::vector<mutate::Brief> ways();

// "; did you mean ...?" for a name that is not an engine's, or which names there are.
std::string engine_suggestion(std::string_view name);

// What can be asked of a campaign's solvers.
struct Means {
  bool options = false;     // beyond their own; the policy allows some
  bool tactics = false;     // one of them at least takes check-sat-using
  bool variants = false;    // one of them at least has some
  bool objectives = false;  // one of them at least has maximize and minimize
};

// Every engine as it is and in each of the ways that the solvers allow.
std::vector<std::string> default_mix(const Means& means);

}  // namespace elenchus::campaign
