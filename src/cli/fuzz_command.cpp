#include "cli/fuzz_command.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "campaign/campaign.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/launch.h"
#include "cli/numbers.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/status_screen.h"
#include "cli/tunables.h"
#include "mutate/tunables.h"

namespace elenchus::cli {
namespace {

using campaign::Settings;

struct Options {
  Settings settings;
  std::vector<std::string> seeds;
  std::vector<std::string> solvers;
  std::vector<std::string> engines;
  std::vector<std::string> set;
  std::vector<std::string> focus;
  std::vector<std::string> correlations;
  std::string time;
  std::string timeout;
  std::string memory;
  std::string policy;
  std::string options_from;
  std::string config;
  std::string out;
  std::string resume;
  bool json = false;
  bool quiet = false;
  bool dry = false;
};

std::string default_folder() {
  return fmt::format("elenchus-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

// A file with settings is the base; what the command line says goes before it.
base::Result<Settings> settings_of(const CLI::App& app, const Options& options) {
  Settings settings;
  settings.jobs = options.settings.jobs;  // given, or as many as there are cores
  std::string file = options.config;
  if (!options.resume.empty()) file = options.resume + "/campaign.toml";
  if (!file.empty()) {
    const auto text = read_input(file);
    if (!text) return text.error();
    ELENCHUS_ASSIGN_OR_RETURN(settings, campaign::parse_settings(text->view(), settings));
  }
  const auto given = [&](const std::string& name) { return app.count(name) > 0; };
  if (!options.seeds.empty()) settings.seeds = options.seeds;
  if (!options.solvers.empty()) settings.solvers = options.solvers;
  if (!options.engines.empty()) settings.engines = options.engines;
  if (!options.focus.empty()) settings.focus = options.focus;
  if (!options.correlations.empty()) settings.correlations = options.correlations;
  if (given("--jobs")) settings.jobs = options.settings.jobs;
  if (given("--tests")) settings.tests = options.settings.tests;
  if (given("--bugs")) settings.bugs = options.settings.bugs;
  if (given("--logic")) settings.logic = options.settings.logic;
  if (given("--profiles")) settings.profiles = options.settings.profiles;
  if (given("--operators")) settings.operators = options.settings.operators;
  if (given("--history")) settings.history = options.settings.history;
  if (given("--oracle")) settings.oracles = options.settings.oracles;
  if (given("--rng")) settings.rng = options.settings.rng;
  if (given("--fresh")) settings.fresh = true;
  if (given("--only-seeds")) settings.only_seeds = true;
  if (given("--reduce-tries")) settings.reduce_tries = options.settings.reduce_tries;
  if (given("--time")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.seconds, parse_duration(options.time));
  }
  if (given("--timeout")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.timeout, parse_duration(options.timeout));
  }
  if (given("--memory")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.memory, parse_size(options.memory));
  }
  if (given("--policy")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.policy, campaign::policy_of(options.policy));
  }
  if (given("--options-from")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.options_from,
                              campaign::options_from_of(options.options_from));
  }
  settings.set.insert(settings.set.end(), options.set.begin(), options.set.end());
  if (const auto engines = mutate::tuned(settings.set); !engines) return engines.error();
  if (const auto usable = campaign::check_settings(settings); !usable) return usable.error();
  return settings;
}

// Shows a campaign while it runs: a screen on a terminal, a line every few seconds elsewhere.
class Display {
 public:
  Display(const Options& options, const campaign::Campaign& campaign, std::string folder)
      : campaign_(campaign),
        folder_(std::move(folder)),
        is_terminal_(can_redraw() && !options.json && !options.quiet),
        is_quiet_(options.quiet) {}

  void show(const campaign::Snapshot& snapshot) {
    latest_ = snapshot;
    if (is_quiet_) return;
    if (is_terminal_) return redraw(snapshot);
    constexpr double kInterval = 5;
    if (snapshot.session_seconds < next_line_) return;
    next_line_ = snapshot.session_seconds + kInterval;
    tell("{}\n", status_line(snapshot));
  }

  const campaign::Snapshot& latest() const { return latest_; }

 private:
  static bool can_redraw() {
    const char* terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
  }

  // Goes back to the first line of what was drawn before, and clears each line as it is rewritten.
  void redraw(const campaign::Snapshot& snapshot) {
    const bool colour = std::getenv("NO_COLOR") == nullptr;
    const std::string screen = fitted(status_screen(snapshot, campaign_.shared(), folder_, colour),
                                      window_size(STDOUT_FILENO));
    std::string text = lines_ > 0 ? fmt::format("\033[{}A", lines_) : std::string();
    lines_ = 0;
    for (const char c : screen) {
      if (c == '\n') {
        text += "\033[K";
        ++lines_;
      }
      text += c;
    }
    put("{}\033[J", text);
  }

  const campaign::Campaign& campaign_;
  std::string folder_;
  bool is_terminal_;
  bool is_quiet_;
  int lines_ = 0;
  double next_line_ = 0;
  campaign::Snapshot latest_;
};

void announce(const campaign::Campaign& campaign, const std::string& folder) {
  const campaign::Shared& shared = campaign.shared();
  std::string solvers;
  for (const solver::Solver& solver : shared.solvers) {
    solvers += fmt::format(" {} ({})", solver.name, solver.version);
  }
  std::string engines;
  for (const std::string& engine : shared.settings.engines) engines += ' ' + engine;
  tell("{} seeds; solvers:{}; engines:{}; results in {}\n", shared.seeds.files.size(), solvers,
       engines, folder);
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

int finish(const Options& options, const campaign::Campaign& campaign,
           const campaign::Snapshot& snapshot, bool is_interrupted) {
  for (const std::string& warning : snapshot.warnings) {
    tell("elenchus fuzz: warning: {}\n", warning);
  }
  if (options.json) {
    put("{}\n", store::print_stats(snapshot.stats));
  } else if (!options.quiet) {
    put("\n{}", closing_table(snapshot, campaign));
  }
  const store::Counts& total = snapshot.stats.total;
  if (total.bugs > total.known_bugs) return kBugFound;
  const bool only_seeds = campaign.shared().settings.only_seeds;
  return !is_interrupted && has_tested_nothing(snapshot, only_seeds) ? kBadInput : kNothingWrong;
}

int run_fuzz(const CLI::App& app, const Options& options, const std::string& command_line) {
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
  campaign::Launch launch = std::move(*read);
  launch.resume = !options.resume.empty();
  launch.folder =
      launch.resume ? options.resume : (options.out.empty() ? default_folder() : options.out);
  launch.program = "elenchus " ELENCHUS_VERSION;
  launch.command_line = command_line;
  campaign::Control control;
  auto campaign = campaign::Campaign::prepare(*settings, launch, control);
  if (!campaign) return fail(campaign.error(), {});
  if (!options.quiet) announce(**campaign, launch.folder.string());
  const Interrupts interrupts(control);
  Display display(options, **campaign, launch.folder.string());
  const auto ran = (*campaign)->run([&](const auto& snapshot) { display.show(snapshot); });
  const int code = finish(options, **campaign, display.latest(), control.stop);
  if (!ran) {
    fail(ran.error(), {});
    return kInternalError;
  }
  return code;
}

}  // namespace

void add_fuzz_command(CLI::App& app, const std::string& command_line, int& exit_code) {
  const auto options = std::make_shared<Options>();
  Settings& settings = options->settings;
  settings.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* fuzz = app.add_subcommand("fuzz", "Run a campaign: make tests, run solvers, find bugs");
  fuzz->add_option("SEEDS", options->seeds,
                   "scripts and folders to start from; - is standard input; default: the scripts "
                   "that the program brings with it");
  fuzz->add_option("--solver", options->solvers,
                   "a solver: its name, its name and options, or a command line; may be repeated; "
                   "default: every known solver on PATH")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*fuzz, settings.profiles);
  fuzz->add_option("--engine", options->engines,
                   "engines, separated by commas, each as it is, E+incremental or E+options "
                   "(solver options, too); default: all "
                   "as they are")
      ->type_name("LIST")
      ->delimiter(',');
  add_set_option(*fuzz, options->set);
  fuzz->add_option("--jobs", settings.jobs, "how many tests run at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  fuzz->add_option("--time", options->time, "end after this time: 90s, 10m, 2h")->type_name("TIME");
  add_number(*fuzz, "--tests", settings.tests, "end after so many tests");
  add_number(*fuzz, "--bugs", settings.bugs, "end after so many bugs");
  fuzz->add_option("--logic", settings.logic, "only seeds of this logic")->type_name("L");
  fuzz->add_option("--focus", options->focus, "prefer tests that use one of these operators")
      ->type_name("OP,...")
      ->delimiter(',');
  fuzz->add_option("--timeout", options->timeout, "limit of a check-sat (default 2s)")
      ->type_name("TIME");
  fuzz->add_option("--memory", options->memory, "limit of a solver (default 2G)")
      ->type_name("SIZE");
  fuzz->add_flag("--fresh", settings.fresh, "a process for every run instead of sessions");
  fuzz->add_option("--policy", options->policy,
                   "which solver options may be used: default, regular, anything")
      ->type_name("P");
  fuzz->add_option("--options-from", options->options_from,
                   "how E+options chooses: both (relevant options, genetic search), relevant "
                   "(those, at random), search (over all usable options), random")
      ->type_name("WAY");
  fuzz->add_option("--oracle", settings.oracles,
                   "switches on what is off by default: slow, incomplete")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::IsMember({"slow", "incomplete"}));
  fuzz->add_option("--operators", settings.operators, "a file with further operators")
      ->type_name("FILE");
  fuzz->add_option("--history", settings.history,
                   "a knowledge file for the engine skeleton, as `learn history` writes it")
      ->type_name("FILE");
  fuzz->add_option("--correlations", options->correlations,
                   "which options matter to which operators, for E+options, as `learn options` "
                   "writes it; may be repeated, one for each solver")
      ->type_name("FILE")
      ->allow_extra_args(false);
  fuzz->add_flag("--only-seeds", settings.only_seeds,
                 "run the seeds as they are, each once, and make no mutants");
  fuzz->add_option("--reduce-tries", settings.reduce_tries,
                   "solver runs that reducing a finding may cost; 0: no reducing")
      ->type_name("N")
      ->capture_default_str();
  add_rng(*fuzz, settings.rng,
          "number that all random choices follow from (default 0); which tests are made also "
          "depends on how long solvers take");
  fuzz->add_option("--config", options->config, "a file with settings, like campaign.toml")
      ->type_name("FILE");
  fuzz->add_option("-o,--out", options->out, "the campaign's folder (default elenchus-<time>)")
      ->type_name("DIR");
  fuzz->add_option("--resume", options->resume, "go on with the campaign in this folder")
      ->type_name("DIR")
      ->excludes("--out");
  fuzz->add_flag("--dry-run", options->dry, "print the settings and do nothing");
  fuzz->add_flag("--json", options->json, "the final figures as one JSON object");
  fuzz->add_flag("-q,--quiet", options->quiet, "no progress, no table");
  fuzz->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  fuzz->footer(
      "Ctrl-C ends the campaign when the tests under way are done, twice ends it at once.\n"
      "The exit code is 1 when there are bugs that are not known upstream, 2 when nothing could "
      "be\n"
      "tested (no seed is of use, no solver takes anything), else 0.\n\n"
      "Examples:\n"
      "  elenchus fuzz --time 10m\n"
      "  elenchus fuzz seeds/ --solver z3 --solver 'cvc5 --arrays-exp' --engine typefuzz --out "
      "run\n"
      "  elenchus fuzz --solver /opt/z3-new/z3 --solver cvc5 --focus str.replace_re,re.comp\n"
      "  elenchus fuzz --engine typefuzz+options --policy anything --time 1h\n"
      "  elenchus fuzz --resume run --time 8h");
  fuzz->callback([options, fuzz, command_line, &exit_code] {
    exit_code = run_fuzz(*fuzz, *options, command_line);
  });
}

}  // namespace elenchus::cli
