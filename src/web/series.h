#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "store/campaign_view.h"
#include "web/running_time.h"

namespace elenchus::web {

// The step in which a campaign of so many seconds is plotted: at most 180 steps or so, and never
// finer than the database keeps it.
int64_t plot_step(double seconds);

// Columns over running time: tests and their fate, runs by outcome, tests by engine, keys by
// solver.
base::Result<nlohmann::ordered_json> series_json(const store::CampaignView& view, int64_t step,
                                                 const RunningTime& running);

}  // namespace elenchus::web
