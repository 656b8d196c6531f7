#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ir/script.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

// Of a script that asks in several steps: a level that opens or closes, a check, or an assertion.
struct Step {
  static constexpr uint32_t kNoClaim = UINT32_MAX;

  ir::Command command;
  // Of an assertion: which claim of the script it is; none if a level takes it back.
  uint32_t claim = kNoClaim;
};

// Up to the last check. Empty for scripts that ask once.
using Steps = std::vector<Step>;

// Leaves out what no solver should spend its time on: all but the last few checks. Nothing stays of
// steps that are one question after all.
void trim(Steps& steps);

// What is asserted in place of each assertion of the steps, in their order.
using Fillings = std::vector<std::vector<ir::TermId>>;

// The frame, and the steps with these assertions.
ir::Script with_steps(const ir::Script& frame, std::span<const Step> steps,
                      const Fillings& fillings);

std::vector<ir::TermId> assertions_of(std::span<const Step> steps);

// What follows for each check from an assignment that makes all claims true: sat, where it makes
// true as well what a level takes back later.
std::vector<Truth> expectations(std::span<const Step> steps,
                                const std::function<bool(ir::TermId)>& is_true);

}  // namespace elenchus::mutate
