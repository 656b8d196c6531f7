#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "solver/solver.h"
#include "store/campaign_folder.h"

// How much of a solver's source a campaign reaches, where the solver was built with --coverage.
namespace elenchus::campaign {

// By solver, where its counts go: a folder of the campaign, made if need be. Nothing where it does
// not count.
base::Result<std::vector<std::optional<std::filesystem::path>>> code_folders(
    const store::CampaignFolder& folder, const std::vector<solver::Solver>& solvers);

// Adds up what a campaign's solvers counted, if there is any that is newer than coverage.json, and
// writes that. `watch` is told of objects read, of how many; false interrupts. What it gives are
// problems: objects whose counts could not be read.
base::Result<std::vector<std::string>> sum_up_code(
    const std::filesystem::path& campaign,
    const std::function<bool(size_t done, size_t all)>& watch = {});

}  // namespace elenchus::campaign
