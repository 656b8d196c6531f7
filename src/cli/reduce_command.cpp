#include "cli/reduce_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/text.h"
#include "cli/command_table.h"
#include "cli/common_options.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/numbers.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/word_checks.h"
#include "docket/prosecutor.h"
#include "docket/replay.h"
#include "ir/timeline.h"
#include "lab/solver_lab.h"
#include "oracle/oracle.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ReduceOptions {
  std::string file;
  std::string bug;
  std::vector<std::string> solvers;
  std::string profiles;
  std::string model;
  std::string kind;
  std::string time;
  std::string timeout = "10s";
  std::string memory = "2G";
  std::string policy;
  std::string operators;
  std::string out = "-";
  uint32_t tries = 20'000;
  uint64_t rng = 0;
  uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
  bool json = false;
  bool quiet = false;
  bool fresh = false;
};

// What is to be reduced, and what is known of it.
struct Task {
  std::string name;  // for messages
  std::string text;
  std::string model_name;
  std::string model;  // a witness, as text
  std::vector<solver::Solver> solvers;
  std::string kind;  // only findings of this kind, if not empty
};

// Our own tests come with their witness beside them.
std::string model_beside(const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(file).replace_extension(".model");
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path.string() : "";
}

base::Result<Task> task_of_file(const ReduceOptions& options) {
  Task task;
  task.name = options.file;
  task.kind = options.kind;
  ELENCHUS_ASSIGN_OR_RETURN(const Input input, read_input(options.file));
  task.text = input.view();
  task.model_name = options.model.empty() ? model_beside(options.file) : options.model;
  if (!task.model_name.empty()) {
    const auto model = read_input(task.model_name);
    if (!model) {
      return base::Error{
          base::ErrorKind::kUnsupported, task.model_name + ": " + model.error().message, {}};
    }
    task.model = model->view();
  }
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.profiles));
  ELENCHUS_ASSIGN_OR_RETURN(task.solvers, chosen_solvers(options.solvers, profiles));
  return task;
}

// The bug as it is in its folder, on the solvers that it was found with.
base::Result<Task> task_of_bug(const ReduceOptions& options) {
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.profiles));
  ELENCHUS_ASSIGN_OR_RETURN(const auto view, store::CampaignView::open(options.file));
  ELENCHUS_ASSIGN_OR_RETURN(const store::BugRecord bug, view->bug(options.bug));
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view->manifest(bug.id));
  Task task;
  task.name = bug.id;
  task.kind = options.kind.empty() ? manifest.kind : options.kind;
  ELENCHUS_ASSIGN_OR_RETURN(task.text, view->read_bug_file(bug.id, "reduced.smt2"));
  const auto witness = view->read_bug_file(bug.id, "witness.model");
  if (witness) task.model = *witness;
  task.model_name = "witness.model";
  if (!options.solvers.empty()) {
    ELENCHUS_ASSIGN_OR_RETURN(task.solvers, chosen_solvers(options.solvers, profiles));
    return task;
  }
  ELENCHUS_ASSIGN_OR_RETURN(const auto guilty, docket::solver_of(manifest, profiles));
  task.solvers = docket::solvers_of(manifest, guilty, profiles);
  return task;
}

// Says how far it has come: on a terminal in one line, elsewhere in a line now and then.
class Ticker {
 public:
  explicit Ticker(bool is_quiet) : is_quiet_(is_quiet), is_terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Ticker() {
    if (is_terminal_ && has_spoken_) tell("\r\033[K");
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void say(const reduce::Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> pause(is_terminal_ ? 0.1 : 5.0);
    if (is_quiet_ || now - last_ < pause) return;
    last_ = now;
    has_spoken_ = true;
    const std::string line =
        fmt::format("{} tries, {} of {} terms left; {}", progress.tries, progress.now.written,
                    progress.start.written, progress.trying);
    tell("{}{}{}", is_terminal_ ? "\r\033[K" : "", line, is_terminal_ ? "" : "\n");
  }

 private:
  bool is_quiet_;
  bool is_terminal_;
  bool has_spoken_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The gravest finding of the wanted kind.
const oracle::Finding* pick(const std::vector<oracle::Finding>& findings, const std::string& kind) {
  const oracle::Finding* best = nullptr;
  for (const oracle::Finding& finding : findings) {
    if (!kind.empty() && oracle::to_string(finding.kind) != kind) continue;
    if (best == nullptr || finding.kind < best->kind) best = &finding;
  }
  return best;
}

std::string summary_of(const docket::Indictment& found, const std::string& before, double seconds) {
  return fmt::format("{}: {}\n{} bytes of {}, {} tries, {}{}\n",
                     oracle::to_string(found.finding.kind), found.finding.claim,
                     found.reduced.size(), before.size(), found.tries, show_duration(seconds),
                     found.is_minimal ? "" : "; stopped early, so there may be less");
}

Json json_of(const Task& task, const docket::Indictment& found, double seconds) {
  return {{"file", task.name},
          {"kind", oracle::to_string(found.finding.kind)},
          {"solver", found.solver.name},
          {"version", found.solver.version},
          {"options", found.solver.options},
          {"claim", found.finding.claim},
          {"evidence", found.finding.evidence},
          {"witness", found.finding.witness},
          {"signature", found.signature},
          {"size_original", task.text.size()},
          {"size_reduced", found.reduced.size()},
          {"tries", found.tries},
          {"seconds", seconds},
          {"minimal", found.is_minimal},
          {"script", found.reduced},
          {"strays", found.strays}};
}

// Scripts that show something else are worth a look, and so are kept beside the result.
base::Result<void> write_strays(const ReduceOptions& options, const docket::Indictment& found) {
  if (options.out == "-") return {};
  for (size_t i = 0; i < found.strays.size(); ++i) {
    const std::string name = fmt::format("{}.stray-{}.smt2", options.out, i + 1);
    const auto written = write_output(name, found.strays[i]);
    if (!written) return written.error();
    if (!options.quiet) tell("something else showed on the way: {}\n", name);
  }
  return {};
}

int report(const ReduceOptions& options, const Task& task, const docket::Indictment& found,
           double seconds) {
  if (!options.quiet) tell("{}", summary_of(found, task.text, seconds));
  const bool has_file = options.out != "-";
  if (has_file || !options.json) {
    const auto written = write_output(options.out, found.reduced);
    if (!written) {
      if (has_file && !options.json) put_text(found.reduced);  // what took so long is not lost
      return fail(written.error(), shown_output(options.out));
    }
  }
  if (const auto written = write_strays(options, found); !written) {
    return fail(written.error(), shown_output(options.out));
  }
  if (options.json) {
    put("{}\n", json_of(task, found, seconds).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return kBugFound;
}

int report_nothing(const ReduceOptions& options, const Task& task, bool is_decided) {
  const std::string what =
      is_decided ? "nothing wrong" + (task.kind.empty() ? "" : " of kind " + task.kind)
                 : "undecided: no solver gave an answer";
  tell("{}: {}; elenchus judge shows what the solvers say\n", task.name, what);
  if (options.json) put("{}\n", Json{{"file", task.name}, {"verdict", what}}.dump());
  return is_decided ? kNothingWrong : kUndecided;
}

// A model that was given along counts as a witness where our evaluation agrees.
base::Result<std::optional<ir::Model>> witness_of(ir::TermStore& store, const Task& task,
                                                  const ir::Script& script, size_t check) {
  if (task.model.empty()) return std::optional<ir::Model>();
  ELENCHUS_ASSIGN_OR_RETURN(ir::Model model, smtlib::read_model(store, script, check, task.model));
  return std::optional<ir::Model>(std::move(model));
}

struct Limits {
  solver::RunLimits run;
  double seconds = 0;  // of the whole reduction; 0: none
};

base::Result<Limits> limits_of(const ReduceOptions& options) {
  Limits limits;
  ELENCHUS_ASSIGN_OR_RETURN(limits.run, run_limits(options.timeout, options.memory));
  if (!options.time.empty()) {
    ELENCHUS_ASSIGN_OR_RETURN(limits.seconds, parse_duration(options.time));
  }
  return limits;
}

int reduce_test(const ReduceOptions& options, const Task& task, ir::TermStore& store,
                const oracle::Case& test, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return base::seconds_since(start); };
  lab::SolverLab fresh(store, task.solvers, true, limits.run);
  lab::SolverLab sessions(store, task.solvers, options.fresh, limits.run);
  std::vector<oracle::Finding> findings;
  bool is_decided = false;
  {
    oracle::Exam exam(store, test, fresh);
    for (size_t i = 0; i < task.solvers.size(); ++i) {
      is_decided = solver::has_decided(exam.run(i)) || is_decided;
    }
    for (const oracle::Oracle* oracle : oracle::oracles_for(task.kind)) {
      oracle->judge(exam, findings);
    }
  }
  const oracle::Finding* finding = pick(findings, task.kind);
  if (finding == nullptr) return report_nothing(options, task, is_decided);
  campaign::Control control;
  const Interrupts interrupts(control);
  if (!options.quiet) tell("{}: {}\n", task.name, finding->claim);
  std::optional<docket::Indictment> found;
  {
    Ticker ticker(options.quiet);
    docket::Prosecutor prosecutor(store, sessions, fresh, options.tries);
    found = prosecutor.prosecute(
        test, *finding,
        {.stop = [&] { return control.stop || (limits.seconds > 0 && seconds() > limits.seconds); },
         .on_progress = [&](const reduce::Progress& progress) { ticker.say(progress); },
         .jobs = options.jobs});
  }
  if (found) return report(options, task, *found, seconds());
  tell("{}: it does not show again in fresh processes\n", task.name);
  return kUndecided;
}

int run_reduce(const ReduceOptions& options) {
  const auto limits = limits_of(options);
  if (!limits) return fail(limits.error(), options.file);
  const auto task = options.bug.empty() ? task_of_file(options) : task_of_bug(options);
  if (!task) return fail(task.error(), options.bug.empty() ? options.file : "");
  if (const auto allowed = check_choice(options.policy, task->solvers); !allowed) {
    return fail(allowed.error(), {});
  }
  const auto ops = operators_with(options.operators);
  if (!ops) return fail(ops.error(), options.operators);
  ir::TermStore store(*ops);
  const auto script = smtlib::parse_script(store, task->text);
  if (!script) return fail(script.error(), task->name);
  const auto checks = ir::checks_of(*script);
  if (checks.empty()) {
    return fail({base::ErrorKind::kUnsupported, "the script has no check-sat", {1, 1}}, task->name);
  }
  const auto witness = witness_of(store, *task, *script, checks.back());
  if (!witness) return fail(witness.error(), task->model_name);
  std::vector<ir::Truth> expected(checks.size(), ir::Truth::kUnknown);
  expected.back() = ir::Truth::kSat;
  oracle::Case test{.script = *script};
  if (*witness) {
    test.expected = expected;
    test.witness = &**witness;
  }
  return reduce_test(options, *task, store, test, *limits);
}

void add_options(CLI::App& reduce, ReduceOptions& options) {
  reduce
      .add_option("FILE", options.file,
                  "an SMT-LIB script, - for standard input; with --bug the folder of a campaign")
      ->required();
  reduce.add_option("--bug", options.bug, "a bug of the campaign, by its id")->type_name("ID");
  reduce
      .add_option("--solver", options.solvers,
                  "a solver: its name, its name and options, or a command line; may be repeated "
                  "(default: every known solver on PATH)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(reduce, options.profiles);
  reduce
      .add_option("--model", options.model,
                  "a model of the script, as evidence against an unsat; default: the file with "
                  "the ending .model beside FILE, if there is one")
      ->type_name("FILE");
  require_known_word(*reduce
                          .add_option("--kind", options.kind,
                                      "the kind of bug to reduce where there are several: crash, "
                                      "invalid-model...; default: the gravest")
                          ->type_name("KIND"));
  reduce.add_option("--tries", options.tries, "how many candidates may be run")
      ->type_name("N")
      ->capture_default_str();
  reduce.add_option("--time", options.time, "time limit of the whole reduction (default: none)")
      ->type_name("TIME");
  add_limits(reduce, options.timeout, options.memory);
  add_solver_policy(reduce, options.policy);
  reduce.add_flag("--fresh", options.fresh, "a new process for each candidate, no sessions");
  add_operators(reduce, options.operators);
  reduce.add_option("-o,--out", options.out, "where the script goes instead of standard output")
      ->type_name("FILE");
  add_rng(reduce, options.rng, "accepted everywhere; reduce draws nothing at random")
      ->group(kHidden);
  reduce
      .add_option("-j,--jobs", options.jobs,
                  "how many candidates run at the same time; the result is the same")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  reduce.add_flag("--json", options.json, "one JSON object that includes the script");
  reduce.add_flag("-q,--quiet", options.quiet, "no progress, no summary");
}

}  // namespace

void add_reduce_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReduceOptions>();
  CLI::App* reduce =
      app.add_subcommand("reduce", "Make a script that shows a bug as small as possible");
  add_options(*reduce, *options);
  reduce->footer(
      "Finds out what is wrong as `elenchus judge` does, then makes the script smaller as long as\n"
      "the same bug shows. That an unsat stays wrong is checked by evaluating a model, so only "
      "the\n"
      "buggy solver is needed. Ctrl-C ends early and keeps the best result so far. The exit code\n"
      "is 1 when there is a bug, 0 when nothing is wrong.\n\n"
      "Examples:\n"
      "  elenchus reduce bug.smt2 -o small.smt2\n"
      "  elenchus reduce bug.smt2 --model bug.model --solver 'z3 sat.euf=true'\n"
      "  elenchus reduce --bug z3-crash-1 build/campaigns/today");
  reduce->callback([options, &exit_code] { exit_code = run_reduce(*options); });
}

}  // namespace elenchus::cli
