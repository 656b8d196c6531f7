#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "cli/bugs_options.h"
#include "record/bug.h"
#include "store/campaign_view.h"
#include "triage/listing.h"

namespace elenchus::cli {

// The campaigns that were named, and their bugs as one list.
struct Shelf {
  std::vector<std::unique_ptr<store::CampaignView>> views;
  std::vector<size_t> view_of;  // each bug of the listing
  triage::Listing listing;
  size_t left_out = 0;  // bugs that are not wanted

  const store::CampaignView& view(size_t bug) const { return *views[view_of[bug]]; }
};

// All bugs that are wanted.
base::Result<Shelf> open_shelf(const BugsOptions& options);

// A bug of one of the campaigns, by its id or the first letters of it.
struct Found {
  std::unique_ptr<store::CampaignView> view;
  std::string id;
};

base::Result<Found> find_bug(const BugsOptions& options, const std::string& id);

// As `--json` shows it in a list.
nlohmann::ordered_json listed_json(const Shelf& shelf, size_t bug);

std::string dump(const nlohmann::ordered_json& value, int indent = -1);

// To where --out says; the exit code.
int write(const BugsOptions& options, const std::string& text);

}  // namespace elenchus::cli
