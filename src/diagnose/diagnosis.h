#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "diagnose/neighbour.h"
#include "diagnose/sight.h"
#include "diagnose/steps.h"
#include "diagnose/switches.h"
#include "record/bug.h"

namespace elenchus::diagnose {

// Why a bug shows, as far as one can tell from outside the solver.
struct Diagnosis {
  Steps steps;
  std::optional<Neighbour> neighbour;
  Switches switches;
};

struct Settings {
  uint32_t edits = 120;  // neighbours that are tried
  double seconds = 60;   // for all; steps and neighbours may have a quarter of it each
  std::function<void(std::string_view)> on_progress = {};
};

// Asks for the steps of the solver, then looks at neighbours, in `sessions`, then at options. When
// told to stop, it has what it has found by then.
Diagnosis diagnose(const Subject& subject, lab::SolverLab& sessions,
                   const knobs::Catalogue& catalogue, const Settings& settings);

// Puts into a bug what there is a field for. `script` is the one that shows it.
void note(const Diagnosis& diagnosis, std::string_view script, record::Bug& bug);

// The section of a report that tells it, empty where nothing was found out; and a report with it in
// the place of an older one.
std::string section(const Diagnosis& diagnosis, std::string_view script);
std::string with_section(std::string_view report, std::string_view section);

}  // namespace elenchus::diagnose
