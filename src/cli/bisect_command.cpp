// `elenchus bisect DIR ID... | --all --solver SPEC...`: in which of several versions of a solver a
// bug shows. Every version is tried: they are few, a trial is quick, and a bug that comes and goes
// would mislead a binary search. Bugs that the same version fixes probably have one cause.

#include "cli/bisect_command.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/campaign_places.h"
#include "cli/command_table.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/in_order.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/trial_options.h"
#include "docket/trial.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using docket::Lifetime;
using docket::Standing;
using docket::Trial;
using store::BugRecord;

struct BisectOptions {
  std::string folder;
  std::vector<std::string> ids;
  bool all = false;
  std::vector<std::string> solvers;
  TrialOptions trial;
  std::string out = "-";
  bool json = false;
  bool quiet = false;
  uint64_t jobs = 1;
  uint64_t rng = 0;
};

struct Life {
  BugRecord bug;
  Lifetime lifetime;
};

base::Error usage(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

std::string name_of(const solver::Solver& solver) {
  return solver.version.empty() ? solver.name : fmt::format("{} {}", solver.name, solver.version);
}

base::Result<std::vector<solver::Solver>> versions_of(const BisectOptions& options,
                                                      const solver::Profiles& profiles) {
  if (options.solvers.size() < 2) {
    return usage("give --solver at least twice, the oldest version first");
  }
  std::vector<solver::Solver> solvers;
  for (const std::string& spec : options.solvers) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver solver, solver::find_solver(profiles, spec));
    solvers.push_back(std::move(solver));
  }
  return solvers;
}

// Those that are named, or all of the solvers that are given.
base::Result<std::vector<BugRecord>> bugs_of(const BisectOptions& options,
                                             const store::CampaignView& view,
                                             const std::vector<solver::Solver>& versions) {
  if (options.all != options.ids.empty()) return usage("name bugs, or give --all");
  std::vector<BugRecord> bugs;
  for (const std::string& id : options.ids) {
    ELENCHUS_ASSIGN_OR_RETURN(BugRecord bug, view.bug(id));
    bugs.push_back(std::move(bug));
  }
  if (!options.all) return bugs;
  ELENCHUS_ASSIGN_OR_RETURN(const std::vector<BugRecord> every, view.bugs());
  for (const BugRecord& bug : every) {
    const bool is_meant = std::any_of(
        versions.begin(), versions.end(),
        [&](const solver::Solver& solver) { return solver::may_be(solver, bug.solver); });
    if (is_meant) bugs.push_back(bug);
  }
  if (bugs.empty()) return usage("the campaign has no bug of these solvers");
  return bugs;
}

base::Result<Life> follow(const store::CampaignView& view, const BugRecord& bug,
                          const std::vector<solver::Solver>& versions,
                          const solver::Profiles& profiles,
                          const docket::ReplaySettings& settings) {
  std::vector<Trial> trials;
  for (const solver::Solver& version : versions) {
    ELENCHUS_ASSIGN_OR_RETURN(Trial trial, docket::try_bug(view, bug, version, profiles, settings));
    trials.push_back(std::move(trial));
  }
  return Life{bug, docket::lifetime_of(std::move(trials))};
}

// Several bugs at the same time; what comes out is in their order.
base::Result<std::vector<Life>> follow_all(const BisectOptions& options,
                                           const store::CampaignView& view,
                                           const std::vector<BugRecord>& bugs,
                                           const std::vector<solver::Solver>& versions,
                                           const solver::Profiles& profiles,
                                           const docket::ReplaySettings& settings) {
  std::vector<base::Result<Life>> followed;
  const auto follow_one = [&](size_t i) {
    if (!options.quiet && !options.json) tell("trying {}\n", bugs[i].id);
    return follow(view, bugs[i], versions, profiles, settings);
  };
  const auto keep = [&](size_t, base::Result<Life>&& life) {
    followed.push_back(std::move(life));
    return followed.back().has_value();
  };
  in_order<base::Result<Life>>(bugs.size(), options.jobs, follow_one, keep);
  std::vector<Life> lives;
  for (base::Result<Life>& life : followed) {
    if (!life) return life.error();
    lives.push_back(std::move(*life));
  }
  return lives;
}

std::string version_at(const Life& life, const std::optional<size_t>& at) {
  return at ? name_of(life.lifetime.trials[*at].solver) : "none";
}

// What the bugs of a group have in common: where they end.
std::string fate_of(const Life& life) {
  if (!life.lifetime.first_bad) return "shown by none";
  return life.lifetime.first_good ? "fixed in " + version_at(life, life.lifetime.first_good)
                                  : "open in " + version_at(life, life.lifetime.last_bad);
}

std::map<std::string, std::vector<std::string>> groups_of(const std::vector<Life>& lives) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Life& life : lives) groups[fate_of(life)].push_back(life.bug.id);
  return groups;
}

std::string text_of(const BisectOptions& options, const std::vector<Life>& lives) {
  std::string text;
  for (const Life& life : lives) {
    text += fmt::format("{}\n  first bad:  {}\n  first good: {}\n", life.bug.id,
                        version_at(life, life.lifetime.first_bad),
                        version_at(life, life.lifetime.first_good));
    for (const Trial& trial : life.lifetime.trials) {
      text += fmt::format("  {:<8}{}: {}\n", to_string(trial.standing), name_of(trial.solver),
                          base::shown(trial.what, 200));
    }
  }
  if (options.quiet || lives.size() < 2) return text;
  text += "\nby the version that fixes them:\n";
  for (const auto& [fate, ids] : groups_of(lives)) {
    text += fmt::format("  {} ({}): {}\n", fate, ids.size(), fmt::join(ids, ", "));
  }
  return text;
}

Json json_of(const std::vector<Life>& lives) {
  Json bugs = Json::array();
  const auto named = [](const Life& life, const std::optional<size_t>& at) {
    return at ? Json(version_at(life, at)) : Json();
  };
  for (const Life& life : lives) {
    Json trials = Json::array();
    for (const Trial& trial : life.lifetime.trials) {
      trials.push_back({{"solver", trial.solver.name},
                        {"version", trial.solver.version},
                        {"status", to_string(trial.standing)},
                        {"answer", trial.what}});
    }
    bugs.push_back({{"id", life.bug.id},
                    {"kind", life.bug.kind},
                    {"first_bad", named(life, life.lifetime.first_bad)},
                    {"last_bad", named(life, life.lifetime.last_bad)},
                    {"first_good", named(life, life.lifetime.first_good)},
                    {"trials", trials}});
  }
  Json groups = Json::array();
  for (const auto& [fate, ids] : groups_of(lives)) {
    groups.push_back({{"fate", fate}, {"bugs", ids}});
  }
  return {{"bugs", bugs}, {"groups", groups}};
}

int run_bisect(const BisectOptions& options) {
  const auto places = CampaignPlaces::find({options.folder});
  if (!places) return fail(places.error(), {});
  const auto view = store::CampaignView::open(places->folders().front());
  if (!view) return fail(view.error(), {});
  const auto profiles = profiles_with(options.trial.profiles);
  if (!profiles) return fail(profiles.error(), {});
  const auto versions = versions_of(options, *profiles);
  if (!versions) return fail(versions.error(), {});
  const auto bugs = bugs_of(options, **view, *versions);
  if (!bugs) return fail(bugs.error(), {});
  std::string file;
  const auto settings = replay_settings(options.trial, file);
  if (!settings) return fail(settings.error(), file);
  const auto lives = follow_all(options, **view, *bugs, *versions, *profiles, *settings);
  if (!lives) return fail(lives.error(), {});
  const std::string text =
      options.json ? json_of(*lives).dump(2, ' ', false, Json::error_handler_t::replace) + '\n'
                   : text_of(options, *lives);
  const auto written = write_output(options.out, text);
  if (!written) return fail(written.error(), shown_output(options.out));
  const bool is_open = std::any_of(lives->begin(), lives->end(), [](const Life& life) {
    return life.lifetime.trials.back().standing == Standing::kOpen;
  });
  return is_open ? kBugFound : kNothingWrong;
}

}  // namespace

void add_bisect_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<BisectOptions>();
  CLI::App* bisect =
      app.add_subcommand("bisect",
                         "Find the versions of a solver that show a bug: first bad, first "
                         "good");
  bisect->add_option("DIR", options->folder, "the campaign's folder, or the URL of a shared one")
      ->required();
  bisect->add_option("ID", options->ids, "the bugs; the first letters of an id suffice");
  bisect->add_flag("--all", options->all, "every bug of these solvers");
  bisect
      ->add_option("--solver", options->solvers,
                   "a version of the solver; may be repeated, the oldest first")
      ->type_name("SPEC")
      ->required()
      ->allow_extra_args(false);
  add_trial_options(*bisect, options->trial);
  bisect->add_flag("--json", options->json, "one JSON object");
  bisect->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  bisect->add_flag("-q,--quiet", options->quiet, "no progress and no groups");
  bisect->add_option("-j,--jobs", options->jobs, "how many bugs are tried at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  add_rng(*bisect, options->rng, "accepted everywhere; bisect draws nothing at random")
      ->group(kHidden);
  bisect->footer(
      "Every version is tried, so that a bug that comes and goes is seen to do so. The options\n"
      "that a bug needs go along. A version that does not answer is unclear, neither bad nor\n"
      "good. Bugs that the same version fixes probably have one cause. The exit code is 1 when\n"
      "the last version still shows a bug.\n\n"
      "Examples:\n"
      "  elenchus bisect night z3-crash-89 --solver /opt/z3-4.8/z3 --solver /opt/z3-4.13/z3\n"
      "  elenchus bisect night --all --solver cvc4 --solver cvc5 --json");
  bisect->callback([options, &exit_code] { exit_code = run_bisect(*options); });
}

}  // namespace elenchus::cli
