#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "campaign/lab.h"
#include "ir/op_table.h"
#include "store/campaign_view.h"

namespace elenchus::campaign {

// What became of a stored bug on some solver.
struct Replay {
  bool shows = false;
  std::string what;  // what the solver does, in a line
  solver::Run run;
};

// How stored bugs are tried again.
struct ReplaySettings {
  solver::RunLimits limits;
  std::shared_ptr<const ir::OpTable> ops = ir::OpTable::standard();
};

// Runs the reduced script of a bug again in fresh processes, twice, and looks whether the solver
// still does what the bug says. Everything is taken from the bug's folder.
base::Result<Replay> replay(const store::CampaignView& view, const std::string& id,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings);

// The solver that the bug was found on, as the manifest describes it.
base::Result<solver::Solver> solver_of(const store::Manifest& manifest,
                                       const solver::Profiles& profiles);

}  // namespace elenchus::campaign
