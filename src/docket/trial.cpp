#include "docket/trial.h"

namespace elenchus::docket {
namespace {

using solver::Outcome;

Standing standing_of(const Replay& replay, std::string_view kind) {
  if (replay.shows) return Standing::kOpen;
  switch (replay.run.outcome) {
    case Outcome::kSat:
    case Outcome::kUnsat: return replay.is_well ? Standing::kFixed : Standing::kUnclear;
    // A solver that does not crash any longer, but cannot decide, has mended the crash.
    case Outcome::kUnknown: return kind == "crash" ? Standing::kFixed : Standing::kUnclear;
    case Outcome::kTimeout:
    case Outcome::kMemout:
    case Outcome::kCrash:
    case Outcome::kRejected: break;
  }
  return Standing::kUnclear;
}

}  // namespace

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::kOpen: return "open";
    case Standing::kFixed: return "fixed";
    case Standing::kUnclear: break;
  }
  return "unclear";
}

base::Result<Trial> try_bug(const store::CampaignView& view, const store::BugRecord& bug,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings) {
  Trial trial{bug.id, bug.kind, solver, Standing::kUnclear, {}};
  const bool is_same = solver::may_be(solver, bug.solver);
  if (is_same && solver.options.empty()) trial.solver.options = bug.options;
  ELENCHUS_ASSIGN_OR_RETURN(const Replay replayed,
                            replay(view, bug.id, trial.solver, profiles, settings));
  trial.standing = standing_of(replayed, bug.kind);
  trial.what = replayed.what;
  return trial;
}

Lifetime lifetime_of(std::vector<Trial> trials) {
  Lifetime life;
  life.trials = std::move(trials);
  for (size_t i = 0; i < life.trials.size(); ++i) {
    if (life.trials[i].standing != Standing::kOpen) continue;
    if (!life.first_bad) life.first_bad = i;
    life.last_bad = i;
  }
  if (!life.last_bad) return life;
  for (size_t i = *life.last_bad + 1; i < life.trials.size() && !life.first_good; ++i) {
    if (life.trials[i].standing == Standing::kFixed) life.first_good = i;
  }
  return life;
}

}  // namespace elenchus::docket
