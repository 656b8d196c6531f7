#include "cli/bugs_trials.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/bugs_shelf.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/in_order.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "docket/replay.h"
#include "docket/trial.h"
#include "record/bug.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using docket::Standing;
using docket::Trial;
using store::BugRecord;

base::Result<Trial> try_again(const store::CampaignView& view, const BugRecord& bug,
                              const BugsOptions& options, const docket::ReplaySettings& settings) {
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.trial.profiles));
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(bug.id));
  auto solver = options.solver.empty() ? docket::solver_of(manifest, profiles)
                                       : solver::find_solver(profiles, options.solver);
  if (!solver) return solver.error();
  return docket::try_bug(view, bug, *solver, profiles, settings);
}

Json trial_json(const Trial& trial) {
  return {{"id", trial.bug},
          {"kind", trial.kind},
          {"solver", trial.solver.name},
          {"version", trial.solver.version},
          {"status", to_string(trial.standing)},
          {"shows", trial.standing == Standing::kOpen},
          {"answer", trial.what}};
}

std::string trial_line(const Trial& trial) {
  return fmt::format("{:<9}{:<34}{} {}: {}\n", to_string(trial.standing), trial.bug,
                     trial.solver.name, trial.solver.version, base::shown(trial.what, 200));
}

int report_trials(const BugsOptions& options, const std::vector<Trial>& trials) {
  const auto count = [&](Standing standing) {
    return std::count_if(trials.begin(), trials.end(),
                         [&](const Trial& trial) { return trial.standing == standing; });
  };
  const auto open = count(Standing::kOpen);
  const auto fixed = count(Standing::kFixed);
  const auto unclear = count(Standing::kUnclear);
  std::string text;
  Json list = Json::array();
  for (const Trial& trial : trials) {
    list.push_back(trial_json(trial));
    text += trial_line(trial);
  }
  if (!options.quiet && trials.size() > 1) {
    text +=
        fmt::format("\n{} of {} open, {} fixed, {} unclear\n", open, trials.size(), fixed, unclear);
  }
  const Json json = {{"bugs", list}, {"open", open}, {"fixed", fixed}, {"unclear", unclear}};
  const int code = write(options, options.json ? dump(json, 2) : text);
  if (code != kNothingWrong) return code;
  return open > 0 ? kBugFound : kNothingWrong;
}

// Several at the same time; what comes out is in their order.
base::Result<std::vector<Trial>> try_all(const Shelf& shelf, const std::vector<size_t>& bugs,
                                         const BugsOptions& options,
                                         const docket::ReplaySettings& settings) {
  std::vector<base::Result<Trial>> tried;
  const auto try_one = [&](size_t i) {
    const BugRecord& bug = shelf.listing.bugs[bugs[i]];
    if (!options.quiet && !options.json) tell("trying {}\n", bug.id);
    return try_again(shelf.view(bugs[i]), bug, options, settings);
  };
  const auto keep = [&](size_t, base::Result<Trial>&& trial) {
    tried.push_back(std::move(trial));
    return tried.back().has_value();
  };
  in_order<base::Result<Trial>>(bugs.size(), options.jobs, try_one, keep);
  std::vector<Trial> trials;
  for (base::Result<Trial>& trial : tried) {
    if (!trial) return trial.error();
    trials.push_back(std::move(*trial));
  }
  return trials;
}

constexpr std::string_view kGone = "gone in ";
constexpr std::string_view kShows = "shows in ";

// What somebody wrote down by hand stays.
void add_note(record::Mark& mark, std::string_view what, const Trial& trial) {
  const bool is_ours =
      mark.note.empty() || mark.note.starts_with(kGone) || mark.note.starts_with(kShows);
  if (is_ours) mark.note = fmt::format("{}{} {}", what, trial.solver.name, trial.solver.version);
}

// A bug that is gone in another build is fixed, and one that shows there is open again. What
// somebody else has said of it stays: that it is known, or no bug.
base::Result<void> note_standing(const Shelf& shelf, size_t number, const Trial& trial,
                                 CampaignPlaces& places) {
  const BugRecord& bug = shelf.listing.bugs[number];
  const bool is_fixed = bug.state == "fixed";
  record::Mark mark{bug.state, bug.reference, bug.note};
  if (trial.standing == Standing::kFixed && (bug.state.empty() || bug.state == "reported")) {
    mark.state = "fixed";
    add_note(mark, kGone, trial);
  } else if (trial.standing == Standing::kOpen && is_fixed) {
    mark.state = bug.reference.empty() ? "" : "reported";
    add_note(mark, kShows, trial);
  } else {
    return {};
  }
  const store::CampaignView& view = shelf.view(number);
  if (auto told = places.mark(view.folder().root(), bug.signature, mark); !told) return told;
  return view.mark(bug.id, mark);
}

}  // namespace

int run_bugs_replay(const BugsOptions& options) {
  const auto found = find_bug(options, options.id);
  if (!found) return fail(found.error(), {});
  const auto bug = found->view->bug(found->id);
  if (!bug) return fail(bug.error(), {});
  std::string file;
  const auto settings = replay_settings(options.trial, file);
  if (!settings) return fail(settings.error(), file);
  const auto trial = try_again(*found->view, *bug, options, *settings);
  if (!trial) return fail(trial.error(), {});
  return report_trials(options, {*trial});
}

int run_bugs_recheck(const BugsOptions& options, CampaignPlaces& places) {
  const auto shelf = open_shelf(options);
  if (!shelf) return fail(shelf.error(), {});
  const auto profiles = profiles_with(options.trial.profiles);
  if (!profiles) return fail(profiles.error(), {});
  const auto solver = solver::find_solver(*profiles, options.solver);
  if (!solver) return fail(solver.error(), {});
  std::string file;
  const auto settings = replay_settings(options.trial, file);
  if (!settings) return fail(settings.error(), file);
  std::vector<size_t> bugs;
  for (size_t i = 0; i < shelf->listing.bugs.size(); ++i) {
    if (solver::may_be(*solver, shelf->listing.bugs[i].solver)) bugs.push_back(i);
  }
  if (bugs.empty()) {
    return fail({base::ErrorKind::kUnsupported,
                 fmt::format("the campaign has no bug of {}", solver->profile->name),
                 {}},
                {});
  }
  const auto trials = try_all(*shelf, bugs, options, *settings);
  if (!trials) return fail(trials.error(), {});
  for (size_t i = 0; i < bugs.size(); ++i) {
    if (auto done = note_standing(*shelf, bugs[i], (*trials)[i], places); !done) {
      return fail(done.error(), {});
    }
  }
  return report_trials(options, *trials);
}

}  // namespace elenchus::cli
