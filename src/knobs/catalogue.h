#pragma once

#include <string_view>
#include <vector>

#include "knobs/knob.h"
#include "knobs/listing.h"
#include "solver/solver.h"

namespace elenchus::knobs {

// The options of one solver: what it lists itself, with what its profile says about them. Those
// that are left alone (printing, limits, files, what changes the meaning of a formula or is not
// complete by contract) are listed with the reason.
struct Catalogue {
  std::vector<Knob> knobs;  // in the order of the solver's list
  std::vector<Tactic> tactics;
  // What the solver should have told and did not, or not in a way that we read: one sentence each.
  std::vector<std::string> gaps;

  const Knob* find(std::string_view name) const;
  size_t usable() const;
};

// Starts the solver a few times. Empty where the profile does not say how to read its options.
Catalogue catalogue_of(const solver::Solver& solver);

// What the profile says of the knobs: reasons, ranges, expert marks; then ranges of the numbers
// about which it says nothing. What still has no values is left alone.
void apply_profile(const solver::Profile& profile, std::vector<Knob>& knobs);

}  // namespace elenchus::knobs
