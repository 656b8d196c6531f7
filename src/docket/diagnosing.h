#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "diagnose/diagnosis.h"
#include "docket/replay.h"
#include "knobs/catalogue.h"
#include "store/campaign_view.h"

namespace elenchus::docket {

// How a stored bug is diagnosed.
struct DiagnosisSettings {
  ReplaySettings trial;
  uint32_t edits = diagnose::Settings{}.edits;
  double seconds = diagnose::Settings{}.seconds;  // that `stop` leaves
  bool fresh = false;                             // no sessions, not even for neighbours
  std::function<bool()> stop;                     // what was found by then counts
  std::function<void(std::string_view)> on_progress = {};
  std::function<void(lab::SolverLab&)> prepare = {};  // lets a lab run as is wanted here
};

// What was found out about a stored bug.
struct Diagnosed {
  bool shows = false;  // else there is nothing to find out
  std::string script;
  store::Manifest manifest;  // with what there is a field for
  diagnose::Diagnosis diagnosis;
};

base::Result<Diagnosed> diagnose_bug(const store::CampaignView& view, const std::string& id,
                                     const solver::Solver& solver, const solver::Profiles& profiles,
                                     const knobs::Catalogue& catalogue,
                                     const DiagnosisSettings& settings);

// Adds it to the bug's folder: its manifest, its report, the neighbour.
base::Result<void> keep_diagnosis(const store::CampaignView& view, const Diagnosed& found);

// New bugs of a campaign that wait for their diagnosis, and what those who make it have in common.
// Thread-safe.
class WaitingList {
 public:
  // `seconds`: of solvers, that one diagnosis may take, and all of them after testing.
  WaitingList(solver::Profiles profiles, double seconds)
      : profiles_(std::move(profiles)), seconds_(seconds) {}

  const solver::Profiles& profiles() const { return profiles_; }
  double seconds() const { return seconds_; }

  void add(const store::Manifest& bug);
  // The gravest of those that are the first of their probable group, if there is one.
  std::optional<std::string> take(bool is_testing);
  // What a diagnosis took, after testing.
  void spend(double seconds);

  // Asked for once.
  const knobs::Catalogue& catalogue_of(const solver::Solver& solver);

 private:
  const solver::Profiles profiles_;
  const double seconds_;
  std::mutex mutex_;
  double spent_ = 0;                     // after testing
  std::vector<store::Manifest> chiefs_;  // each the first of its probable group
  // By whether another one of the group came before, then by rank.
  std::multimap<std::pair<bool, int>, std::string> waiting_;
  std::mutex asking_;
  std::map<std::string, knobs::Catalogue> catalogues_;  // by program; entries stay where they are
};

}  // namespace elenchus::docket
