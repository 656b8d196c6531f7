#pragma once

#include "cli/bugs_options.h"
#include "cli/campaign_places.h"

namespace elenchus::cli {

// `elenchus bugs DIR replay ID`: whether one shows, perhaps on another solver.
int run_bugs_replay(const BugsOptions& options);
// `elenchus bugs DIR recheck --solver SPEC`: every bug of solvers of the same kind as the one
// given.
int run_bugs_recheck(const BugsOptions& options, CampaignPlaces& places);

}  // namespace elenchus::cli
