#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "diagnose/sight.h"
#include "knobs/catalogue.h"

namespace elenchus::diagnose {

// An option that makes a bug vanish all alone.
struct Switch {
  std::string module;  // that it belongs to
  std::string option;  // as the command line has it
  std::string answer;  // of the solver under it
};

// What single options do to a bug.
struct Switches {
  std::vector<Switch> gone;               // those that make it vanish, at most one value each
  std::map<std::string, uint64_t> stays;  // with how many it stays, by module
  uint64_t unclear = 0;
  bool is_whole = true;  // all of the catalogue were tried

  uint64_t tried() const;
};

// An option and its values other than the one that it has anyway.
struct Trial {
  const knobs::Knob* knob = nullptr;
  std::vector<std::string> values;
};

// What there is to try: options of few values, those for everybody before those for experts. What
// is left alone in tests as incomplete may still tell (Knob::tells). Options that the solver is
// given are not touched.
std::vector<Trial> trials_of(const knobs::Catalogue& catalogue, const solver::Solver& solver);

// Tries them one by one, in fresh processes; what seems to make the bug vanish is tried twice.
Switches try_switches(const Subject& subject, const knobs::Catalogue& catalogue);

}  // namespace elenchus::diagnose
