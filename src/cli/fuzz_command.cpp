#include "cli/fuzz_command.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
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
#include "proc/process.h"
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

// A shared campaign and its node always have names. Those of nodes that nobody named follow from
// the machine and the folder, so that they stay the same.
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
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const auto folder = std::filesystem::path(options.resume.empty() ? options.out : options.resume)
                          .lexically_normal()
                          .filename()
                          .string();
  settings.node = folder.empty() ? host : fmt::format("{}-{}", host, folder);
  return {};
}

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
  const auto given = [&](const std::string& name) { return app.count(name) > 0; };
  if (!options.seeds.empty()) settings.seeds = options.seeds;
  if (!options.solvers.empty()) settings.solvers = options.solvers;
  if (!options.engines.empty()) settings.engines = options.engines;
  if (!options.lanes.empty()) settings.lanes = options.lanes;
  if (!options.focus.empty()) settings.focus = options.focus;
  if (!options.correlations.empty()) settings.correlations = options.correlations;
  if (given("--jobs")) settings.jobs = options.settings.jobs;
  if (given("--tests")) settings.tests = options.settings.tests;
  if (given("--bugs")) settings.bugs = options.settings.bugs;
  if (given("--logic")) settings.logic = options.settings.logic;
  if (given("--profiles")) settings.profiles = options.settings.profiles;
  if (given("--operators")) settings.operators = options.settings.operators;
  if (given("--operators-only")) settings.operators_only = options.settings.operators_only;
  if (given("--baseline")) settings.baseline = options.settings.baseline;
  if (given("--history")) settings.history = options.settings.history;
  if (given("--oracle")) settings.oracles = options.settings.oracles;
  if (given("--rng")) settings.rng = options.settings.rng;
  if (given("--fresh")) settings.fresh = true;
  if (given("--only-seeds")) settings.only_seeds = true;
  if (given("--reduce-tries")) settings.reduce_tries = options.settings.reduce_tries;
  if (given("--prosecution")) settings.prosecution = options.settings.prosecution;
  if (given("--grace")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.grace, parse_duration(options.grace));
  }
  if (given("--diagnosis")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.diagnosis, parse_duration(options.diagnosis));
  }
  if (given("--time")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.seconds, parse_duration(options.time));
  }
  if (given("--timeout")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.timeout, parse_duration(options.timeout));
  }
  if (given("--memory")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.memory, parse_size(options.memory));
  }
  if (given("--max-disk")) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.max_disk, parse_size(options.max_disk));
  }
  if (given("--share")) settings.share = options.settings.share;
  if (given("--campaign")) settings.campaign = options.settings.campaign;
  if (given("--node")) settings.node = options.settings.node;
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
  if (auto named = name_shared(options, settings); !named) return named.error();
  return settings;
}

// Shows a campaign while it runs: a screen on a terminal, a line every few seconds elsewhere.
class Display {
 public:
  Display(const FuzzOptions& options, const campaign::Campaign& campaign, std::string folder)
      : campaign_(campaign),
        folder_(std::move(folder)),
        is_terminal_(can_redraw() && !options.json && !options.quiet),
        is_quiet_(options.quiet) {}

  void show(const campaign::Snapshot& snapshot) {
    latest_ = snapshot;
    if (is_quiet_) return;
    if (is_terminal_) return redraw(snapshot);
    if (snapshot.session_seconds < next_line_) return;
    next_line_ = snapshot.session_seconds + line_interval(snapshot.session_seconds);
    tell("{}\n", status_line(snapshot));
  }

  const campaign::Snapshot& latest() const { return latest_; }

 private:
  static bool can_redraw() {
    const char* terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
  }

  // The newest first; read from the disk when there is another one.
  void look_for_bugs(uint64_t count) {
    if (count == bugs_.size()) return;
    auto bugs = campaign_.store().view().bugs();
    if (!bugs) return;
    bugs_ = std::move(*bugs);
    std::stable_sort(bugs_.begin(), bugs_.end(),
                     [](const auto& a, const auto& b) { return a.first_seen > b.first_seen; });
  }

  // Goes back to the first line of what was drawn before, and clears each line as it is rewritten.
  // Ctrl-C has left ^C where the cursor stood.
  void redraw(const campaign::Snapshot& snapshot) {
    look_for_bugs(snapshot.stats.total.bugs);
    const StatusView view = {snapshot,
                             campaign_.shared().settings,
                             folder_,
                             bugs_,
                             static_cast<double>(std::time(nullptr)),
                             std::getenv("NO_COLOR") == nullptr};
    const std::string screen = status_screen(view, window_size(STDOUT_FILENO));
    std::string text = lines_ > 0 ? fmt::format("\r\033[{}A", lines_) : std::string();
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
  std::vector<store::BugRecord> bugs_;
  campaign::Snapshot latest_;
};

// Runs a command for each bug that this session adds and that is to be reported, with the bug's
// folder as its last argument. Commands run one after the other in a thread of their own: the
// campaign does not wait for them, until its end, and not for long.
class Messenger {
 public:
  Messenger(std::string command, const campaign::Campaign& campaign)
      : command_(std::move(command)), campaign_(campaign) {
    if (command_.empty()) return;
    if (const auto bugs = campaign_.store().view().bugs()) {
      for (const store::BugRecord& bug : *bugs) {
        const auto manifest = campaign_.store().view().manifest(bug.id);
        if (!manifest || !manifest->is_provisional) told_.insert(bug.id);
      }
    }
    thread_ = std::thread([this] { run(); });
  }

  ~Messenger() { close(); }
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  // Cheap where the number of bugs has not changed.
  void look(uint64_t bugs) {
    report_failures();
    if (command_.empty() || (bugs == seen_ && bugs != UINT64_MAX)) return;
    seen_ = bugs;
    const store::CampaignView& view = campaign_.store().view();
    const auto all = view.bugs();
    if (!all) return;
    for (const store::BugRecord& bug : *all) {
      if (told_.contains(bug.id)) continue;
      const auto manifest = view.manifest(bug.id);
      // What becomes of it is told.
      if (manifest && manifest->is_provisional) continue;
      told_.insert(bug.id);
      // What another node has found, it tells.
      if (view.read_bug_file(bug.id, store::kNodeName)) continue;
      const bool is_news =
          !manifest || (manifest->known.empty() && manifest->outside_policy.empty());
      if (!is_news) continue;
      const std::lock_guard lock(mutex_);
      waiting_.push_back(bug.id);
      is_wanted_.notify_one();
    }
  }

  // What waits has some time left.
  void close() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      end_ = Clock::now() + kLast;
      is_wanted_.notify_one();
    }
    thread_.join();
    report_failures();
    for (const std::string& id : waiting_)
      tell("elenchus fuzz: warning: no time for --on-bug {}\n", id);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kSeconds = 60;  // of one command
  static constexpr std::chrono::seconds kLast{60};

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      is_wanted_.wait(lock, [this] { return end_ || !waiting_.empty(); });
      if (waiting_.empty() || (end_ && Clock::now() >= *end_)) return;
      const std::string id = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      const bool is_well = send(id);
      lock.lock();
      if (!is_well) failed_.push_back(id);
    }
  }

  bool send(const std::string& id) const {
    const std::string folder =
        std::filesystem::absolute(campaign_.store().folder().bug(id)).string();
    const auto done =
        proc::capture({.command = {"/bin/sh", "-c", command_ + " \"$1\"", "sh", folder},
                       .environment = {},
                       .file = {}},
                      kSeconds);
    return done && !done->timed_out && done->exit.code == 0;
  }

  void report_failures() {
    std::vector<std::string> failed;
    {
      const std::lock_guard lock(mutex_);
      failed.swap(failed_);
    }
    for (const std::string& id : failed) {
      tell("elenchus fuzz: warning: --on-bug failed for {}\n", id);
    }
  }

  std::string command_;
  const campaign::Campaign& campaign_;
  uint64_t seen_ = 0;  // bugs, at the last look
  std::set<std::string> told_;
  std::mutex mutex_;
  std::condition_variable is_wanted_;
  std::deque<std::string> waiting_;
  std::vector<std::string> failed_;
  std::optional<Clock::time_point> end_;  // when the rest is given up; nothing before the end
  std::thread thread_;
};

// Bugs that are known upstream, beside those that the program knows.
base::Result<void> learn_known(const std::string& file) {
  if (file.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(file));
  ELENCHUS_ASSIGN_OR_RETURN(const auto known, triage::KnownBugs::parse(text.view(), file));
  triage::KnownBugs::extend_standard(known);
  return {};
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
    tell("{} left to confirm or reduce in {}; --resume goes on with that\n",
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
  if (const auto learnt = learn_known(options.known); !learnt) return fail(learnt.error(), {});
  campaign::Launch launch = std::move(*read);
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
  if (!options.quiet) announce(**campaign, launch.folder.string());
  const Interrupts interrupts(control);
  Display display(options, **campaign, launch.folder.string());
  Messenger messenger(options.on_bug, **campaign);
  const auto ran = (*campaign)->run([&](const auto& snapshot) {
    display.show(snapshot);
    messenger.look(snapshot.stats.total.bugs);
  });
  messenger.look(UINT64_MAX);
  const int code = finish(options, **campaign, display.latest(), control.stop);
  messenger.close();
  if (!ran) {
    fail(ran.error(), {});
    return kInternalError;
  }
  return code;
}

}  // namespace

void add_fuzz_command(CLI::App& app, const std::string& command_line, int& exit_code) {
  const auto options = std::make_shared<FuzzOptions>();
  Settings& settings = options->settings;
  settings.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* fuzz = app.add_subcommand("fuzz", "Run a campaign: make tests, run solvers, find bugs");
  fuzz->add_option("SEEDS", options->seeds,
                   "scripts and folders to start from; - is standard input (default: scripts that "
                   "come with the program)");
  fuzz->add_option("--solver", options->solvers,
                   "a solver: its name, its name and options, or a command line; may be repeated "
                   "(default: every known solver on PATH)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  fuzz->add_option(
          "--baseline", settings.baseline,
          "an older version of a solver, not under test itself: bugs that it does not show "
          "are marked as new and come first, and so do timeouts and unknowns where it "
          "decides")
      ->type_name("SPEC");
  add_profiles(*fuzz, settings.profiles);
  fuzz->add_option("--engine", options->engines,
                   "engines, separated by commas, each plain or with a way of asking: "
                   "storm,typefuzz+options; both are listed below (default: all engines, in all "
                   "ways)")
      ->type_name("LIST")
      ->delimiter(',');
  fuzz->add_option("--lane", options->lanes,
                   "ways of asking solvers, separated by commas: checks (check-sat on mutants), "
                   "terms (what a solver rewrites terms to); default: both")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::IsMember({"checks", "terms"}));
  add_set_option(*fuzz, options->set);
  fuzz->add_option("-j,--jobs", settings.jobs,
                   "how many tests run at the same time (default: one for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  fuzz->add_option("--time", options->time, "stop after this time: 90s, 10m, 2h")
      ->type_name("TIME");
  add_number(*fuzz, "--tests", settings.tests, "stop after so many tests");
  add_number(*fuzz, "--bugs", settings.bugs, "stop after so many bugs");
  fuzz->add_option("--logic", settings.logic, "only seeds of this logic")->type_name("L");
  fuzz->add_option("--focus", options->focus, "prefer tests that use one of these operators")
      ->type_name("OP,...")
      ->delimiter(',');
  fuzz->add_option("--timeout", options->timeout, "time limit of a check-sat (default 2s)")
      ->type_name("TIME");
  fuzz->add_option("--memory", options->memory, "memory limit of a solver (default 2G)")
      ->type_name("SIZE");
  fuzz->add_flag("--fresh", settings.fresh, "a new process for every run, no sessions");
  fuzz->add_option(
          "--policy", options->policy,
          "which bugs are reported, by the options that a solver needs to show them: "
          "default (none; none is tried), regular (at most one, not for experts), anything (also "
          "what a solver calls experimental); other bugs are kept and marked (default: regular)")
      ->type_name("P");
  fuzz->add_option(
          "--options-from", options->options_from,
          "how +options chooses: both (genetic search among relevant options, the default), "
          "relevant (those, at random), search (among all usable ones), random")
      ->type_name("WAY");
  fuzz->add_option("--oracle", settings.oracles,
                   "oracles that are off unless they are named: slow, incomplete, elimination")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::IsMember({"slow", "incomplete", "elimination"}));
  fuzz->add_option("--operators", settings.operators, "a file that declares further operators")
      ->type_name("FILE");
  fuzz->add_option("--operators-only", settings.operators_only,
                   "a file with the only operators that tests are made of")
      ->type_name("FILE")
      ->excludes("--operators");
  fuzz->add_option("--history", settings.history,
                   "what the engine skeleton knows of past bugs, a file of `learn history`")
      ->type_name("FILE");
  fuzz->add_option("--correlations", options->correlations,
                   "which options matter to which operators, for +options, a file of `learn "
                   "options`; may be repeated, one for each solver")
      ->type_name("FILE")
      ->allow_extra_args(false);
  fuzz->add_flag("--only-seeds", settings.only_seeds,
                 "run the seeds as they are, each once, and make no mutants");
  fuzz->add_option("--reduce-tries", settings.reduce_tries,
                   "how many solver runs reducing a finding may take; 0 skips it")
      ->type_name("N")
      ->capture_default_str();
  fuzz->add_option("--prosecution", settings.prosecution,
                   "the share of the time that goes to confirming and reducing what was found, "
                   "while testing goes on")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  fuzz->add_option(
          "--grace", options->grace,
          "time to confirm and reduce what was found after --time is up or Ctrl-C (default "
          "30s); the rest waits on the disk for --resume")
      ->type_name("TIME");
  fuzz->add_option("--diagnosis", options->diagnosis,
                   "how long solvers may run to find out why a new bug shows, see `elenchus "
                   "diagnose` (default 5s); 0s skips it")
      ->type_name("TIME");
  add_rng(*fuzz, settings.rng,
          "the number that all random choices follow from (default: drawn, shown and stored); "
          "which tests are made also depends on how long solvers take");
  fuzz->add_option("--config", options->config, "a file with settings, like campaign.toml")
      ->type_name("FILE");
  fuzz->add_option("-o,--out", options->out,
                   "the folder of the campaign (default: elenchus-<time>)")
      ->type_name("DIR");
  fuzz->add_option("--resume", options->resume, "go on with the campaign in this folder")
      ->type_name("DIR")
      ->excludes("--out");
  fuzz->add_option("--resume-or-start", options->resume_or_start,
                   "go on with the campaign in this folder, or begin one there if there is none")
      ->type_name("DIR")
      ->excludes("--out")
      ->excludes("--resume");
  fuzz->add_option("--max-disk", options->max_disk,
                   "end testing when the folder takes more than this; what was found is kept")
      ->type_name("SIZE");
  fuzz->add_option("--nice", options->nice,
                   "run at this niceness, so that other programs come first")
      ->check(CLI::Range(0, 19));
  fuzz->add_option("--share", settings.share,
                   "take part in a campaign on many machines, in this PostgreSQL database "
                   "(postgresql://HOST/DATABASE, without a password)")
      ->type_name("URL");
  fuzz->add_option("--campaign", settings.campaign, "the shared campaign's name (default main)")
      ->type_name("NAME");
  fuzz->add_option("--node", settings.node,
                   "what this part of it is called (default: the machine and the folder)")
      ->type_name("NAME");
  // For tests: how often nodes talk to the server, and how long a lease lasts, in seconds.
  fuzz->add_option("--share-every", options->pace.every)
      ->group("")
      ->check(CLI::Range(0.05, 3600.0));
  fuzz->add_option("--share-lease", options->pace.lease)
      ->group("")
      ->check(CLI::Range(0.1, 86400.0));
  fuzz->add_option("--known", options->known,
                   "a file with bugs that are known upstream, like those of data/known")
      ->type_name("FILE");
  fuzz->add_option("--on-bug", options->on_bug,
                   "a shell command that is run for each new bug that is to be reported, with its "
                   "folder as the last argument; one at a time, beside the campaign")
      ->type_name("CMD");
  fuzz->add_flag("--dry-run", options->dry, "print the settings and do nothing");
  fuzz->add_flag("--json", options->json, "the final figures as one JSON object");
  fuzz->add_flag("-q,--quiet", options->quiet, "no progress, no table");
  fuzz->footer(
      "Ctrl-C ends testing; --grace is left for what was found. A second Ctrl-C ends at once, and "
      "the rest waits on the disk for --resume.\n\n"
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
