// Which bugs of which campaigns `elenchus bugs` is about.

#include "cli/bugs_shelf.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/say.h"
#include "triage/known.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using triage::Listing;

base::Result<std::vector<std::unique_ptr<store::CampaignView>>> open_views(
    const BugsOptions& options) {
  std::vector<std::unique_ptr<store::CampaignView>> views;
  for (const std::string& folder : options.folders) {
    ELENCHUS_ASSIGN_OR_RETURN(auto view, store::CampaignView::open(folder));
    views.push_back(std::move(view));
  }
  return views;
}

bool is_wanted(const BugsOptions& options, const record::Bug& bug) {
  std::string_view state = bug.state;
  if (state.empty()) state = bug.known.empty() ? "open" : "known";
  return (options.kind.empty() || options.kind == bug.kind || options.kind == bug.probable) &&
         (options.of_solver.empty() || options.of_solver == bug.solver ||
          options.of_solver == bug.tested) &&
         (options.state.empty() || options.state == state) &&
         (options.engine.empty() || options.engine == bug.engine);
}

// What is in the file is known, though the campaign did not know it.
base::Result<void> look_up_known(const BugsOptions& options, std::vector<record::Bug>& bugs) {
  if (options.known.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(options.known));
  ELENCHUS_ASSIGN_OR_RETURN(const auto known, triage::KnownBugs::parse(text.view(), options.known));
  for (record::Bug& bug : bugs) {
    const triage::KnownBug* found = bug.known.empty() ? known.find(bug) : nullptr;
    if (found == nullptr) continue;
    bug.known = triage::text_of(*found);
    bug.rank = record::rank_of(bug);
  }
  return {};
}

}  // namespace

base::Result<Shelf> open_shelf(const BugsOptions& options) {
  Shelf shelf;
  ELENCHUS_ASSIGN_OR_RETURN(shelf.views, open_views(options));
  std::vector<std::vector<record::Bug>> all;
  for (const auto& view : shelf.views) {
    ELENCHUS_ASSIGN_OR_RETURN(std::vector<record::Bug> bugs, view->described_bugs());
    if (auto done = look_up_known(options, bugs); !done) return done.error();
    shelf.left_out +=
        std::erase_if(bugs, [&](const record::Bug& bug) { return !is_wanted(options, bug); });
    all.push_back(std::move(bugs));
  }
  triage::Gathered gathered = triage::gathered(std::move(all));
  shelf.view_of = std::move(gathered.campaign);
  shelf.listing = triage::listing_of(std::move(gathered.bugs));
  return shelf;
}

base::Result<Found> find_bug(const BugsOptions& options, const std::string& id) {
  ELENCHUS_ASSIGN_OR_RETURN(auto views, open_views(options));
  std::optional<base::Error> problem;
  for (auto& view : views) {
    auto bug = view->bug(id);
    if (bug) return Found{std::move(view), bug->id};
    if (!problem) problem = bug.error();
  }
  return *problem;
}

Json listed_json(const Shelf& shelf, size_t bug) {
  const Listing& listing = shelf.listing;
  Json object = record::to_json(listing.bugs[bug], record::kListed);
  object["group"] = listing.bugs[listing.chief[bug]].id;
  if (shelf.views.size() > 1) object["campaign"] = shelf.view(bug).folder().root().string();
  return object;
}

std::string dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

int write(const BugsOptions& options, const std::string& text) {
  const auto written = write_output(options.out, text);
  if (written) return kNothingWrong;
  tell("{}: error: {}\n", shown_output(options.out), written.error().message);
  return kBadInput;
}

}  // namespace elenchus::cli
