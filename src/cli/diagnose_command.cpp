// `elenchus diagnose DIR ID... | --all`: why a bug shows, as far as one can tell from outside of
// the solver. What comes out goes into the bug's folder, too.

#include "cli/diagnose_command.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/text.h"
#include "campaign/shared.h"
#include "cli/campaign_places.h"
#include "cli/command_table.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/numbers.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/trial_options.h"
#include "docket/diagnosing.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using docket::Diagnosed;

struct DiagnoseOptions {
  std::string folder;
  std::vector<std::string> ids;
  bool all = false;
  bool again = false;
  std::string time = "2m";
  uint64_t edits = diagnose::Settings{}.edits;
  TrialOptions trial;
  bool fresh = false;
  bool dry = false;
  std::string out = "-";
  bool json = false;
  bool quiet = false;
  uint64_t jobs = 1;
  uint64_t rng = 0;
};

base::Result<std::vector<record::Bug>> bugs_to_diagnose(const DiagnoseOptions& options,
                                                        const store::CampaignView& view) {
  std::vector<record::Bug> bugs;
  if (options.all != options.ids.empty()) {
    return base::Error{base::ErrorKind::kUnsupported, "name bugs, or give --all", {}};
  }
  for (const std::string& id : options.ids) {
    ELENCHUS_ASSIGN_OR_RETURN(record::Bug bug, view.described_bug(id));
    bugs.push_back(std::move(bug));
  }
  if (!options.all) return bugs;
  ELENCHUS_ASSIGN_OR_RETURN(bugs, view.described_bugs());
  return bugs;
}

// Solvers' options are asked for once for all bugs.
class Clinic {
 public:
  Clinic(const DiagnoseOptions& options, const store::CampaignView& view,
         const solver::Profiles& profiles, const docket::ReplaySettings& trial,
         const campaign::Control& control, double seconds)
      : options_(options),
        view_(view),
        waiting_(profiles, seconds),
        trial_(trial),
        control_(control) {}

  // Whether a diagnosis that was made has come to its end; where the solver is gone, nobody could
  // go on with it.
  bool is_done(const record::Bug& bug) {
    if (!bug.diagnosed) return false;
    const auto solver = docket::solver_of(bug, waiting_.profiles());
    if (!solver) return true;
    return bug.options_tried >= diagnose::trials_of(waiting_.catalogue_of(*solver), *solver).size();
  }

  base::Result<Diagnosed> see(const record::Bug& bug) {
    ELENCHUS_ASSIGN_OR_RETURN(const solver::Solver solver,
                              docket::solver_of(bug, waiting_.profiles()));
    const auto start = std::chrono::steady_clock::now();
    const auto is_over = [&] {
      return control_.stop.load() || base::seconds_since(start) > waiting_.seconds();
    };
    const auto say = [&](std::string_view what) {
      if (!options_.quiet) tell("{}: trying {}\n", bug.id, what);
    };
    return docket::diagnose_bug(view_, bug.id, solver, waiting_.profiles(),
                                waiting_.catalogue_of(solver),
                                {.trial = trial_,
                                 .edits = static_cast<uint32_t>(options_.edits),
                                 .seconds = waiting_.seconds(),
                                 .fresh = options_.fresh,
                                 .stop = is_over,
                                 .on_progress = say});
  }

 private:
  const DiagnoseOptions& options_;
  const store::CampaignView& view_;
  docket::WaitingList waiting_;
  const docket::ReplaySettings& trial_;
  const campaign::Control& control_;
};

Json json_of(const record::Bug& bug, const Diagnosed& found) {
  Json object = {{"id", bug.id}, {"title", bug.title}, {"shows", found.shows}};
  if (!found.shows) return object;
  const diagnose::Diagnosis& diagnosis = found.diagnosis;
  Json gone = Json::array();
  for (const diagnose::Switch& one : diagnosis.switches.gone) {
    gone.push_back({{"option", one.option}, {"module", one.module}, {"answer", one.answer}});
  }
  object["gone_with"] = gone;
  object["stays_with"] = diagnosis.switches.stays;
  object["options_tried"] = diagnosis.switches.tried();
  object["options_all"] = diagnosis.switches.is_whole;
  object["neighbour"] = Json();
  if (diagnosis.neighbour) {
    object["neighbour"] = {{"edit", found.manifest.quiet_edit},
                           {"kind", diagnosis.neighbour->edit},
                           {"answer", diagnosis.neighbour->answer},
                           {"script", diagnosis.neighbour->script}};
  }
  object["step"] = diagnosis.steps.culprit.empty() ? Json() : Json(diagnosis.steps.culprit);
  object["made"] = diagnosis.steps.made;
  object["steps_right"] = diagnosis.steps.kept;
  object["arises"] = found.manifest.arises;
  return object;
}

std::string text_of(const record::Bug& bug, const Diagnosed& found) {
  const std::string head = fmt::format("# {}: {}\n", bug.id, base::shown(bug.title, 200));
  if (!found.shows) return head + "\nIt does not show any longer.\n";
  const std::string section = diagnose::section(found.diagnosis, found.script);
  return head + (section.empty() ? "\nNothing was found out.\n" : section);
}

// What was found is kept before the next one begins.
int diagnose_all(const DiagnoseOptions& options, const store::CampaignView& view,
                 const std::vector<record::Bug>& bugs, Clinic& clinic,
                 const campaign::Control& control) {
  Json list = Json::array();
  std::string text;
  bool shows = false;
  for (const record::Bug& bug : bugs) {
    if (control.stop) break;
    if (options.all && !options.again && clinic.is_done(bug)) continue;
    const auto found = clinic.see(bug);
    if (!found) return fail(found.error(), {});
    shows = shows || found->shows;
    if (found->shows && !options.dry) {
      if (const auto kept = docket::keep_diagnosis(view, *found); !kept)
        return fail(kept.error(), {});
    }
    list.push_back(json_of(bug, *found));
    text += (text.empty() ? "" : "\n") + text_of(bug, *found);
  }
  if (options.json) {
    text = Json{{"bugs", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  }
  const auto written = write_output(options.out, text);
  if (!written) return fail(written.error(), shown_output(options.out));
  return shows ? kBugFound : kNothingWrong;
}

int run_diagnose(DiagnoseOptions options) {
  const auto places = CampaignPlaces::find({options.folder});
  if (!places) return fail(places.error(), {});
  // What a reader adds to its copy of a shared campaign, the others would not see.
  options.dry = options.dry || places->has_shared();
  const auto view = store::CampaignView::open(places->folders().front());
  if (!view) return fail(view.error(), {});
  const auto profiles = profiles_with(options.trial.profiles);
  if (!profiles) return fail(profiles.error(), {});
  const auto bugs = bugs_to_diagnose(options, **view);
  if (!bugs) return fail(bugs.error(), {});
  const auto seconds = parse_duration(options.time);
  if (!seconds) return fail(seconds.error(), {});
  std::string file;
  const auto trial = replay_settings(options.trial, file);
  if (!trial) return fail(trial.error(), file);
  campaign::Control control;
  const Interrupts interrupts(control);
  Clinic clinic(options, **view, *profiles, *trial, control, *seconds);
  return diagnose_all(options, **view, *bugs, clinic, control);
}

}  // namespace

void add_diagnose_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DiagnoseOptions>();
  options->trial.timeout = "2s";
  CLI::App* diagnose = app.add_subcommand(
      "diagnose",
      "Find out why a bug shows: options and edits that make it vanish, the step that is wrong");
  diagnose->add_option("DIR", options->folder, "the campaign's folder, or the URL of a shared one")
      ->required();
  diagnose->add_option("ID", options->ids, "the bugs; the first letters of an id suffice");
  diagnose->add_flag("--all", options->all, "every bug without a complete diagnosis");
  diagnose->add_flag("--again", options->again, "with --all: also bugs with a complete diagnosis");
  diagnose
      ->add_option("--time", options->time, "limit for each bug; what was found by then is kept")
      ->type_name("TIME")
      ->capture_default_str();
  add_number(*diagnose, "--edits", options->edits, "how many neighbours of the script are tried")
      ->capture_default_str();
  add_trial_options(*diagnose, options->trial);
  diagnose->add_flag("--fresh", options->fresh, "a new process for each neighbour, no sessions");
  diagnose->add_flag("-n,--dry-run", options->dry, "leave the bug's folder as it is");
  diagnose->add_flag("--json", options->json, "one JSON object");
  diagnose->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  diagnose->add_flag("-q,--quiet", options->quiet, "no progress");
  diagnose
      ->add_option("-j,--jobs", options->jobs, "accepted everywhere; one thing is tried at a time")
      ->type_name("N")
      ->group(kHidden);
  add_rng(*diagnose, options->rng, "accepted everywhere; the same edits are tried every time")
      ->group(kHidden);
  diagnose->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  diagnose->footer(
      "Checks the steps of the solver's preprocessing that it can be asked for (z3's simplify and\n"
      "tactics, cvc5's -o subs and -o post-asserts) under the model that proves the answer wrong;\n"
      "looks for the nearest script, one typed edit away, that does not show the bug; and changes\n"
      "single options. The result goes into the bug's report and manifest. Campaigns do the same\n"
      "for new bugs (fuzz --diagnosis). The exit code is 1 when a bug shows.\n\n"
      "Examples:\n"
      "  elenchus diagnose night z3-crash-89\n"
      "  elenchus diagnose night --all --time 30s --json");
  diagnose->callback([options, &exit_code] { exit_code = run_diagnose(*options); });
}

}  // namespace elenchus::cli
