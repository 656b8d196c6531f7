#include "cli/fuzz_command.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "cli/campaign_display.h"
#include "cli/command_table.h"
#include "cli/common_options.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/launch.h"
#include "cli/node_name.h"
#include "cli/numbers.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/status_screen.h"
#include "cli/tunables.h"
#include "cli/word_checks.h"
#include "docket/messenger.h"
#include "gen/logics.h"
#include "mutate/tunables.h"
#include "share/address.h"
#include "triage/known.h"

namespace elenchus::cli {
namespace {

using campaign::Settings;

struct FuzzOptions {
  Settings settings;
  std::vector<std::string> seeds;
  std::vector<std::string> solvers;
  std::vector<std::string> engines;
  std::vector<std::string> set;
  std::vector<std::string> lanes;
  std::vector<std::string> focus;
  std::vector<std::string> correlations;
  std::string time;
  std::string grace;
  std::string diagnosis;
  std::string timeout;
  std::string memory;
  std::string policy;
  std::string options_from;
  std::string config;
  std::string out;
  std::string resume;
  std::string max_disk;
  int nice = 0;
  std::string resume_or_start;
  campaign::SharePace pace;
  std::string known;   // a file like those of data/known
  std::string on_bug;  // a shell command
  bool json = false;
  bool quiet = false;
  bool dry = false;
};

std::string default_folder() {
  return fmt::format("elenchus-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

// Two campaigns without --rng do not draw alike, wherever they run.
uint64_t drawn_rng() { return std::random_device{}(); }

std::string folder_of(const FuzzOptions& options) {
  if (!options.resume.empty()) return options.resume;
  return options.out.empty() ? default_folder() : options.out;
}

// A shared campaign and its node always have names.
base::Result<void> name_shared(const FuzzOptions& options, Settings& settings) {
  if (settings.share.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const share::Address address, share::parse_address(settings.share));
  if (settings.campaign.empty()) settings.campaign = address.campaign;
  if (settings.campaign.empty()) settings.campaign = "main";
  // Checks the name, too.
  const auto whole = share::parse_address(share::with_campaign(address.url, settings.campaign));
  if (!whole) return whole.error();
  settings.share = address.url;
  if (!settings.node.empty()) return {};
  settings.node = usual_node_name(options.resume.empty() ? options.out : options.resume);
  return {};
}

// What the command line says, put into settings that a file may have said before.
class GivenOptions {
 public:
  GivenOptions(const CLI::App& app, const FuzzOptions& options, Settings& settings)
      : app_(app), options_(options), settings_(settings) {}

  void take_lists() const {
    take(options_.seeds, settings_.seeds);
    take(options_.solvers, settings_.solvers);
    take(options_.engines, settings_.engines);
    take(options_.lanes, settings_.lanes);
    take(options_.focus, settings_.focus);
    take(options_.correlations, settings_.correlations);
  }

  void take_numbers_and_names() const {
    take("--jobs", &Settings::jobs);
    take("--tests", &Settings::tests);
    take("--bugs", &Settings::bugs);
    take("--logic", &Settings::logic);
    take("--profiles", &Settings::profiles);
    take("--operators", &Settings::operators);
    take("--operators-only", &Settings::operators_only);
    take("--baseline", &Settings::baseline);
    take("--history", &Settings::history);
    take("--oracle", &Settings::oracles);
    take("--rng", &Settings::rng);
    take("--fresh", &Settings::fresh);
    take("--only-seeds", &Settings::only_seeds);
    take("--reduce-tries", &Settings::reduce_tries);
    take("--prosecution", &Settings::prosecution);
    take("--share", &Settings::share);
    take("--campaign", &Settings::campaign);
    take("--node", &Settings::node);
  }

  // The first that cannot be read is an error.
  base::Result<void> read_texts() const {
    for (const auto& done :
         {read("--grace", options_.grace, parse_duration, settings_.grace),
          read("--diagnosis", options_.diagnosis, parse_duration, settings_.diagnosis),
          read("--time", options_.time, parse_duration, settings_.seconds),
          read("--timeout", options_.timeout, parse_duration, settings_.timeout),
          read("--memory", options_.memory, parse_size, settings_.memory),
          read("--max-disk", options_.max_disk, parse_size, settings_.max_disk),
          read("--policy", options_.policy, campaign::policy_of, settings_.policy),
          read("--options-from", options_.options_from, campaign::options_from_of,
               settings_.options_from)}) {
      if (!done) return done;
    }
    return {};
  }

 private:
  bool is_given(const std::string& name) const { return app_.count(name) > 0; }

  static void take(const std::vector<std::string>& list, std::vector<std::string>& into) {
    if (!list.empty()) into = list;
  }

  template <typename T>
  void take(const std::string& name, T Settings::*member) const {
    if (is_given(name)) settings_.*member = options_.settings.*member;
  }

  template <typename Read, typename T>
  base::Result<void> read(const std::string& name, const std::string& text, Read parse,
                          T& into) const {
    if (!is_given(name)) return {};
    ELENCHUS_ASSIGN_OR_RETURN(into, parse(text));
    return {};
  }

  const CLI::App& app_;
  const FuzzOptions& options_;
  Settings& settings_;
};

// A file with settings is the base; what the command line says goes before it.
base::Result<Settings> settings_of(const CLI::App& app, const FuzzOptions& options) {
  Settings settings;
  settings.jobs = options.settings.jobs;  // given, or as many as there are cores
  settings.rng = drawn_rng();
  std::string file = options.config;
  if (!options.resume.empty()) file = options.resume + "/campaign.toml";
  if (!file.empty()) {
    const auto text = read_input(file);
    if (!text) return text.error();
    ELENCHUS_ASSIGN_OR_RETURN(settings, campaign::parse_settings(text->view(), settings));
  }
  const GivenOptions given(app, options, settings);
  given.take_lists();
  given.take_numbers_and_names();
  if (auto read = given.read_texts(); !read) return read.error();
  settings.set.insert(settings.set.end(), options.set.begin(), options.set.end());
  if (const auto engines = mutate::tuned(settings.set); !engines) return engines.error();
  if (const auto usable = campaign::check_settings(settings); !usable) return usable.error();
  if (auto named = name_shared(options, settings); !named) return named.error();
  return settings;
}

// Bugs that are known upstream, beside those that the program knows: the text of the file.
base::Result<std::string> learn_known(const std::string& file) {
  if (file.empty()) return std::string();
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(file));
  ELENCHUS_ASSIGN_OR_RETURN(const auto known, triage::KnownBugs::parse(text.view(), file));
  triage::KnownBugs::extend_standard(known);
  return std::string(text.view());
}

// A script may name any logic, so this is no error.
void warn_of_logic(const std::string& logic) {
  if (logic.empty() || gen::is_logic_name(logic)) return;
  tell("elenchus fuzz: warning: '{}' is not a usual logic; did you mean {}?\n", base::shown(logic),
       fmt::join(gen::similar_logics(logic), " or "));
}

void announce(const campaign::Campaign& campaign, const std::string& folder) {
  const campaign::Shared& shared = campaign.shared();
  std::string solvers;
  for (const solver::Solver& solver : shared.solvers) {
    solvers += fmt::format(" {} ({})", solver.name, solver.version);
  }
  std::string engines;
  for (const std::string& engine : shared.settings.engines) engines += ' ' + engine;
  if (engines.empty()) engines = " all, in every way";
  tell("{}; solvers:{}; engines:{}; rng {}; results in {}; ends {}\n",
       base::counted(shared.seeds.files.size(), "seed"), solvers, engines, shared.settings.rng,
       folder, end_of(shared.settings));
  const std::string sharing = campaign.share_state();
  if (!sharing.empty()) tell("shared campaign: {}\n", sharing);
}

// Whether what was asked cannot be tested: no seed is of use, or no solver takes anything.
bool has_tested_nothing(const campaign::Snapshot& snapshot, bool only_seeds) {
  constexpr uint64_t kEnough = 10;
  const store::Counts& total = snapshot.stats.total;
  if (snapshot.seeds_left == 0 && (total.tests == 0 || (total.decided == 0 && !only_seeds))) {
    return true;
  }
  return total.accepted == 0 && total.tests >= kEnough;
}

int finish(const FuzzOptions& options, const campaign::Campaign& campaign,
           const campaign::Snapshot& snapshot, bool is_interrupted) {
  for (const std::string& warning : snapshot.warnings) {
    tell("elenchus fuzz: warning: {}\n", warning);
  }
  if (options.json) {
    put("{}\n", store::print_stats(snapshot.stats));
  } else if (!options.quiet) {
    put("\n{}", closing_table(snapshot, campaign));
  }
  if (snapshot.docket.open() > 0 && !options.quiet) {
    tell("{} left to confirm or reduce in {}; --resume continues with them\n",
         base::counted(snapshot.docket.open(), "finding"),
         campaign.store().folder().docket().string());
  }
  if (snapshot.stats.news() > 0) return kBugFound;
  const bool only_seeds = campaign.shared().settings.only_seeds;
  return !is_interrupted && has_tested_nothing(snapshot, only_seeds) ? kBadInput : kNothingWrong;
}

// `--resume-or-start` is one of the two, whichever the folder wants.
FuzzOptions decided(FuzzOptions options) {
  if (options.resume_or_start.empty()) return options;
  std::error_code ignored;
  const store::CampaignFolder folder(options.resume_or_start);
  const bool is_there = std::filesystem::exists(folder.settings(), ignored);
  (is_there ? options.resume : options.out) = options.resume_or_start;
  return options;
}

int run_fuzz(const CLI::App& app, const FuzzOptions& asked, const std::string& command_line) {
  const FuzzOptions options = decided(asked);
  const auto settings = settings_of(app, options);
  if (!settings) {
    const std::string file =
        options.resume.empty() ? options.config : options.resume + "/campaign.toml";
    return fail(settings.error(), file);
  }
  std::string file;
  auto read = launch_for(*settings, file);
  if (!read) return fail(read.error(), file);
  if (options.dry) {
    put("{}", campaign::print_settings(*settings));
    return kNothingWrong;
  }
  const auto known = learn_known(options.known);
  if (!known) return fail(known.error(), options.known);
  campaign::Launch launch = std::move(*read);
  launch.known = *known;
  launch.resume = !options.resume.empty();
  launch.folder = folder_of(options);
  launch.share_pace = options.pace;
  launch.program = "elenchus " ELENCHUS_VERSION;
  launch.command_line = command_line;
  // Threads and solvers that are started later are as nice.
  if (options.nice > 0) setpriority(PRIO_PROCESS, 0, options.nice);
  campaign::Control control;
  auto campaign = campaign::Campaign::prepare(*settings, launch, control);
  if (!campaign) {
    const int code = fail(campaign.error(), {});
    // A full disk or no more files: nothing is wrong with what was asked.
    return campaign.error().kind == base::ErrorKind::kLimit ? kInternalError : code;
  }
  warn_of_logic(settings->logic);
  if (!options.quiet) announce(**campaign, launch.folder.string());
  const Interrupts interrupts(control);
  CampaignDisplay display(**campaign, launch.folder.string(),
                          {.may_redraw = !options.json, .is_quiet = options.quiet});
  docket::Messenger messenger(
      options.on_bug, (*campaign)->store().view(),
      [](const std::string& problem) { tell("elenchus fuzz: warning: {}\n", problem); });
  const auto ran = (*campaign)->run([&](const auto& snapshot) {
    display.show(snapshot);
    messenger.look(snapshot.stats.total.bugs);
  });
  messenger.look_again();
  const int code = finish(options, **campaign, display.latest(), control.stop);
  messenger.close();
  if (!ran) {
    fail(ran.error(), {});
    return kInternalError;
  }
  return code;
}

// What is tested, and how it is asked.
void add_subjects(CLI::App& fuzz, FuzzOptions& options) {
  fuzz.add_option("SEEDS", options.seeds,
                  "scripts and folders to start from; - is standard input (default: scripts that "
                  "come with the program)");
  fuzz.add_option("--solver", options.solvers,
                  "a solver: its name, its name and options, or a command line; may be repeated "
                  "(default: every known solver on PATH)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  fuzz.add_option("--baseline", options.settings.baseline,
                  "an older version of a solver, not under test itself: bugs that it does not show "
                  "are marked as new and come first, and so are timeouts and unknowns where it "
                  "decides")
      ->type_name("SPEC");
  add_profiles(fuzz, options.settings.profiles);
  fuzz.add_option("--engine", options.engines,
                  "engines, separated by commas, each plain or with a way of asking: "
                  "storm,typefuzz+options; both are listed below (default: all engines, in all "
                  "ways)")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* lanes =
      fuzz.add_option("--lane", options.lanes,
                      "what to ask solvers, separated by commas: checks (check-sat on mutants), "
                      "terms (what a solver rewrites terms to); default: both")
          ->type_name("LIST")
          ->delimiter(',')
          ->allow_extra_args(false);
  require_known_word(*lanes);
  add_set_option(fuzz, options.set);
}

// How long, how much, and which tests.
void add_bounds(CLI::App& fuzz, FuzzOptions& options) {
  fuzz.add_option("-j,--jobs", options.settings.jobs,
                  "how many tests run at the same time (default: one for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  fuzz.add_option("--time", options.time, "stop after this time: 90s, 10m, 2h")->type_name("TIME");
  add_number(fuzz, "--tests", options.settings.tests, "stop after so many tests");
  add_number(fuzz, "--bugs", options.settings.bugs, "stop after so many bugs");
  fuzz.add_option("--logic", options.settings.logic, "only seeds of this logic")->type_name("L");
  fuzz.add_option("--focus", options.focus, "prefer tests that use one of these operators")
      ->type_name("OP,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  fuzz.add_option("--timeout", options.timeout, "time limit of a check-sat (default 2s)")
      ->type_name("TIME");
  fuzz.add_option("--memory", options.memory, "memory limit of a solver (default 2G)")
      ->type_name("SIZE");
  fuzz.add_flag("--fresh", options.settings.fresh, "a new process for every run, no sessions");
  fuzz.add_option(
          "--policy", options.policy,
          "which bugs are reported, by the options that a solver needs to show them: "
          "default (none, and none are tried), regular (at most one, not for experts), anything "
          "(also what a solver calls experimental); other bugs are kept and marked (default: "
          "regular)")
      ->type_name("P");
  fuzz.add_option(
          "--options-from", options.options_from,
          "how +options chooses: both (genetic search among relevant options, the default), "
          "relevant (those, at random), search (among all usable ones), random")
      ->type_name("WAY");
  add_oracles(fuzz, options.settings.oracles);
}

// Files with what tests are made of.
void add_knowledge(CLI::App& fuzz, FuzzOptions& options) {
  add_operators(fuzz, options.settings.operators);
  fuzz.add_option("--operators-only", options.settings.operators_only,
                  "a file with the only operators that tests are made of")
      ->type_name("FILE")
      ->excludes("--operators");
  fuzz.add_option("--history", options.settings.history,
                  "what the engine skeleton knows about past bugs: a file from `learn history`")
      ->type_name("FILE");
  fuzz.add_option("--correlations", options.correlations,
                  "which options matter to which operators, for +options: a file from `learn "
                  "options`; may be repeated, one for each solver")
      ->type_name("FILE")
      ->allow_extra_args(false);
  fuzz.add_flag("--only-seeds", options.settings.only_seeds,
                "run the seeds as they are, each once, and make no mutants");
}

// What becomes of what was found.
void add_prosecution(CLI::App& fuzz, FuzzOptions& options) {
  fuzz.add_option("--reduce-tries", options.settings.reduce_tries,
                  "how many solver runs reducing a finding may take; 0: no reduction")
      ->type_name("N")
      ->capture_default_str();
  fuzz.add_option("--prosecution", options.settings.prosecution,
                  "the share of the time that goes to confirming and reducing what was found, "
                  "while testing goes on")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  fuzz.add_option("--grace", options.grace,
                  "time to confirm and reduce what was found after --time is up or Ctrl-C (default "
                  "30s); the rest waits on the disk for --resume")
      ->type_name("TIME");
  fuzz.add_option("--diagnosis", options.diagnosis,
                  "how long solvers may run to find out why a new bug shows, see `elenchus "
                  "diagnose` (default 5s); 0s skips it")
      ->type_name("TIME");
}

// Where it goes, and how it is started.
void add_folder(CLI::App& fuzz, FuzzOptions& options) {
  add_rng(fuzz, options.settings.rng,
          "the number that all random choices follow from (default: drawn, shown and stored); "
          "which tests are made also depends on how long solvers take");
  fuzz.add_option("--config", options.config, "a file with settings, like campaign.toml")
      ->type_name("FILE");
  fuzz.add_option("-o,--out", options.out, "the folder of the campaign (default: elenchus-<time>)")
      ->type_name("DIR");
  fuzz.add_option("--resume", options.resume, "continue the campaign in this folder")
      ->type_name("DIR")
      ->excludes("--out");
  fuzz.add_option("--resume-or-start", options.resume_or_start,
                  "continue the campaign in this folder, or start one there if there is none")
      ->type_name("DIR")
      ->excludes("--out")
      ->excludes("--resume");
  fuzz.add_option("--max-disk", options.max_disk,
                  "end testing when the folder grows beyond this; what was found is kept")
      ->type_name("SIZE");
  fuzz.add_option("--nice", options.nice, "run at this niceness, so that other programs come first")
      ->check(CLI::Range(0, 19));
}

// A campaign on many machines.
void add_sharing(CLI::App& fuzz, FuzzOptions& options) {
  fuzz.add_option("--share", options.settings.share,
                  "take part in a campaign on many machines, in this PostgreSQL database "
                  "(postgresql://HOST/DATABASE, without a password)")
      ->type_name("URL");
  fuzz.add_option("--campaign", options.settings.campaign,
                  "the shared campaign's name (default main)")
      ->type_name("NAME");
  fuzz.add_option("--node", options.settings.node,
                  "the name of this node (default: the machine and the folder)")
      ->type_name("NAME");
  // For tests: how often nodes talk to the server, and how long a lease lasts, in seconds.
  fuzz.add_option("--share-every", options.pace.every)->group("")->check(CLI::Range(0.05, 3600.0));
  fuzz.add_option("--share-lease", options.pace.lease)->group("")->check(CLI::Range(0.1, 86400.0));
}

// What is told, and to whom.
void add_output(CLI::App& fuzz, FuzzOptions& options) {
  fuzz.add_option("--known", options.known,
                  "a file with bugs that are known upstream, like those of data/known; it holds "
                  "for all nodes of a shared campaign")
      ->type_name("FILE");
  fuzz.add_option(
          "--on-bug", options.on_bug,
          "a shell command to run for each new bug that is reported, with the bug's folder as "
          "the last argument; one at a time, while the campaign goes on")
      ->type_name("CMD");
  fuzz.add_flag("--dry-run", options.dry, "print the settings and do nothing");
  fuzz.add_flag("--json", options.json, "the final figures as one JSON object");
  fuzz.add_flag("-q,--quiet", options.quiet, "no progress, no table");
}

}  // namespace

void add_fuzz_command(CLI::App& app, const std::string& command_line, int& exit_code) {
  const auto options = std::make_shared<FuzzOptions>();
  options->settings.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* fuzz = app.add_subcommand("fuzz", "Run a campaign: make tests, run solvers, find bugs");
  add_subjects(*fuzz, *options);
  add_bounds(*fuzz, *options);
  add_knowledge(*fuzz, *options);
  add_prosecution(*fuzz, *options);
  add_folder(*fuzz, *options);
  add_sharing(*fuzz, *options);
  add_output(*fuzz, *options);
  fuzz->footer(
      "Ctrl-C ends testing; --grace is left for what was found. A second Ctrl-C ends with "
      "the runs under way, a third one at once; the rest waits on the disk for --resume.\n\n"
      "The exit code is 1 when there are bugs that are not known upstream, 2 when nothing could "
      "be tested (no seed is of use, no solver accepts anything), else 0.\n\n"
      "Examples:\n"
      "  elenchus fuzz --time 10m\n"
      "  elenchus fuzz seeds/ --solver z3 --solver 'cvc5 --arrays-exp' --out run\n"
      "  elenchus fuzz --solver /opt/z3-new/z3 --solver cvc5 --focus str.replace_re,re.comp\n"
      "  elenchus fuzz --solver /opt/z3-new/z3 --baseline z3\n"
      "  elenchus fuzz --engine typefuzz+options --policy anything --time 1h\n"
      "  elenchus fuzz --resume run --time 8h\n"
      "  elenchus fuzz --share postgresql://db/fuzzing --node $HOST --resume-or-start run");
  fuzz->callback([options, fuzz, command_line, &exit_code] {
    exit_code = run_fuzz(*fuzz, *options, command_line);
  });
}

}  // namespace elenchus::cli
