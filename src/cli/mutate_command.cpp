#include "cli/mutate_command.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/rng.h"
#include "base/text.h"
#include "campaign/engine_name.h"
#include "campaign/option_trials.h"
#include "cli/common_options.h"
#include "cli/exit_codes.h"
#include "cli/in_order.h"
#include "cli/input.h"
#include "cli/mutant_maker.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/tunables.h"
#include "ir/op_table.h"
#include "mutate/registry.h"
#include "mutate/tunables.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct MutateOptions : Making {
  std::vector<std::string> files;
  std::string engine;
  std::string operators;
  std::string operators_only;
  std::string profiles;
  std::string model;
  std::string history;
  std::string timeout = "15s";  // DIVER's limit for the model of a seed
  std::string memory = "2G";
  std::vector<std::string> solvers;
  std::string policy = "regular";
  std::string correlations;
  std::vector<std::string> set;
  bool lists_tunables = false;
  bool json = false;
  bool quiet = false;
};

constexpr std::string_view kNoSolver = "none";
// Warnings of files with few mutants; the others are counted.
constexpr uint32_t kWarnings = 5;
// Files that may be under way for each job, and mutants of one that wait to be written.
constexpr size_t kFilesAhead = 16;
constexpr size_t kMutantsAhead = 64;

class MutateRun {
 public:
  MutateRun(const MutateOptions& options, const MutationPlan& plan)
      : options_(options),
        plan_(plan),
        statuses_(plan.files.size()),
        reports_(plan.files.size()),
        order_(plan.files.size(), options.jobs * kFilesAhead, kMutantsAhead) {}

  int run() {
    order_.run(
        std::min<size_t>(options_.jobs, plan_.files.size()), [this] { make(); },
        [this] { write_all(); });
    if (short_files_ > kWarnings) {
      tell("warning: fewer mutants than asked for of {} further files\n", short_files_ - kWarnings);
    }
    if (options_.json) {
      const Json summary = {{"engine", plan_.make_engine()->name()},
                            {"files", plan_.files.size()},
                            {"mutants", written_},
                            {"bytes", bytes_},
                            {"skips", skips_},
                            {"ok", !failed_}};
      cli::put("{}\n", summary.dump());
    } else if (!options_.quiet && !options_.out.empty()) {
      cli::put("{} in {}\n", base::counted(written_, "mutant"), options_.out);
    }
    return failed_ ? kBadInput : kNothingWrong;
  }

 private:
  // What each thread does.
  void make() {
    MutantMaker maker(plan_, statuses_);
    while (const auto file = order_.take()) {
      reports_[*file] =
          maker.make(*file, [&](MutantText text) { return order_.put(*file, std::move(text)); });
      order_.finish(*file);
    }
  }

  void write_all() {
    for (size_t file = 0; file < plan_.files.size(); ++file) {
      while (const auto mutant = order_.next()) {
        const auto written = write(plan_.files[file], *mutant);
        if (written) continue;
        complain(written.error(), plan_.files[file]);
        return order_.cancel();
      }
      if (order_.is_cancelled()) return;
      close(plan_.files[file], reports_[file]);
    }
  }

  // Why there are no more: what the engine said most often.
  static std::string main_reason(const FileReport& report) {
    const auto most =
        std::max_element(report.skips.begin(), report.skips.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == report.skips.end() ? std::string() : ": " + most->first;
  }

  // Says what became of a file whose mutants are written.
  void close(const std::string& file, const FileReport& report) {
    for (const auto& [reason, times] : report.skips) skips_[reason] += times;
    if (report.error) return complain(*report.error, report.wrong_file);
    if (report.made < plan_.count && !options_.quiet && ++short_files_ <= kWarnings) {
      tell("{}: warning: only {} of {} mutants{}\n", shown_name(file), report.made, plan_.count,
           main_reason(report));
    }
  }

  void complain(const base::Error& error, const std::string& file) {
    failed_ = true;
    tell("{}\n", base::describe(error, shown_name(file)));
  }

  base::Result<void> write(const std::string& file, const MutantText& mutant) {
    ++written_;
    forget_companions();
    std::string text = mutant.expectation;
    if (!mutant.kind.empty()) text += fmt::format("; kind: {}\n", mutant.kind);
    if (mutant.options) {
      const auto& chosen = *mutant.options;
      text += fmt::format("; options: {}\n", fmt::join(chosen, " "));
      const std::string lines = chosen.empty() ? "" : fmt::format("{}\n", fmt::join(chosen, "\n"));
      if (auto done = put_beside("options", lines); !done) return done;
    }
    if (options_.out.empty()) {
      text += fmt::format("; {}: mutant {}\n", shown_name(file), written_);
    }
    text += mutant.script;
    bytes_ += text.size();
    if (options_.out.empty()) return put("-", text);
    if (mutant.model) {
      if (auto done = put_beside("model", *mutant.model); !done) return done;
    }
    return put_beside("smt2", text);
  }

  // What lies beside a mutant of another run is not this one's.
  void forget_companions() const {
    if (options_.out.empty()) return;
    for (const char* ending : {"model", "options"}) {
      std::error_code ignored;
      std::filesystem::remove(fmt::format("{}/{}.{}", options_.out, written_, ending), ignored);
    }
  }

  // Into the file of the current mutant with this ending, where there is a folder for it.
  base::Result<void> put_beside(std::string_view ending, const std::string& text) const {
    if (options_.out.empty()) return {};
    return put(fmt::format("{}/{}.{}", options_.out, written_, ending), text);
  }

  static base::Result<void> put(const std::string& path, const std::string& text) {
    const auto done = write_output(path, text);
    if (done) return {};
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path,
                                   done.error().message),
                       {}};
  }

  const MutateOptions& options_;
  const MutationPlan& plan_;
  Statuses statuses_;
  std::vector<FileReport> reports_;  // a thread writes one before it finishes the file
  InOrder<MutantText> order_;
  uint64_t written_ = 0;
  uint64_t bytes_ = 0;
  std::map<std::string, uint64_t> skips_;
  uint32_t short_files_ = 0;  // that gave fewer mutants than asked for
  bool failed_ = false;
};

// Who is asked for models, if anybody. That a seed is unsatisfiable, two must say.
base::Result<std::vector<solver::Solver>> model_sources(const MutateOptions& options,
                                                        const mutate::Engine& engine) {
  std::vector<solver::Solver> sources;
  if (!engine.wants_models() || !options.model.empty()) return sources;
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.profiles));
  for (const std::string& spec : options.solvers) {
    if (spec == kNoSolver) return std::vector<solver::Solver>();
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver source, solver::find_solver(profiles, spec));
    sources.push_back(std::move(source));
  }
  if (!options.solvers.empty()) return sources;
  for (solver::Solver& found : solver::find_all_solvers(profiles)) {
    if (!found.profile->has_models) continue;
    sources.push_back(std::move(found));
    if (!engine.wants_partner()) break;
  }
  return sources;
}

// Who chooses options for the mutants of an engine with +options.
struct OptionChoice {
  std::optional<knobs::Correlations> learnt;
  std::optional<campaign::OptionChooser> chooser;
};

// For the first solver that was named, or else the first that is found and lists its options.
base::Result<solver::Solver> solver_with_options(const MutateOptions& options) {
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.profiles));
  for (const std::string& spec : options.solvers) {
    if (spec != kNoSolver) return solver::find_solver(profiles, spec);
  }
  for (solver::Solver& found : solver::find_all_solvers(profiles)) {
    if (!found.profile->knobs.reader.empty()) return std::move(found);
  }
  return base::Error{base::ErrorKind::kIo,
                     "+options needs a solver that lists its options; name it with --solver",
                     {}};
}

base::Result<std::unique_ptr<OptionChoice>> option_choice(const MutateOptions& options) {
  auto choice = std::make_unique<OptionChoice>();
  if (!campaign::engine_name_of(options.engine).has_options) return choice;
  ELENCHUS_ASSIGN_OR_RETURN(const campaign::Policy policy, campaign::policy_of(options.policy));
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Solver solver, solver_with_options(options));
  if (!options.correlations.empty()) {
    auto learnt = correlations_in(options.correlations);
    if (!learnt) {
      base::Error error = learnt.error();
      error.message = base::describe(error, options.correlations);
      return error;
    }
    choice->learnt = std::move(*learnt);
  }
  const knobs::Correlations* known =
      choice->learnt ? &*choice->learnt : knobs::shipped_correlations(solver.profile->name);
  choice->chooser.emplace(solver, policy, known);
  return choice;
}

// What is missing on the command line, or nothing.
std::string_view usage_problem(const MutateOptions& options) {
  if (options.files.empty()) return "FILE is required";
  if (options.engine.empty()) return "--engine is required";
  if (options.json && options.out.empty()) return "--json needs --out or --list-tunables";
  return {};
}

int list_tunables(bool as_json) {
  put("{}", as_json ? tunables_as_json() : tunables_as_text());
  return kNothingWrong;
}

base::Error usage_error(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

base::Result<std::vector<std::string>> files_of(const MutateOptions& options) {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<std::string> files, expand_inputs(options.files));
  if (files.empty()) {
    return usage_error(fmt::format("there is no .smt2 file in {}", fmt::join(options.files, ", ")));
  }
  return files;
}

// One generator for each file, so that its mutants do not depend on the others.
std::vector<base::Rng> generators(uint64_t seed, size_t count) {
  base::Rng rng(seed);
  std::vector<base::Rng> all;
  all.reserve(count);
  for (size_t i = 0; i < count; ++i) all.push_back(rng.split());
  return all;
}

// Sets what the engine is. `file` is the one that an error is about, if it is about one.
base::Result<void> choose_engine(const MutateOptions& options, std::string& file,
                                 MutationPlan& plan) {
  file = options.operators;
  ELENCHUS_ASSIGN_OR_RETURN(plan.ops, operators_with(file));
  mutate::OperatorSet only;
  if (!options.operators_only.empty()) {
    file = options.operators_only;
    ELENCHUS_ASSIGN_OR_RETURN(auto set, operator_set_in(file));
    plan.ops = std::move(set.table);
    only = std::move(set.names);
  }
  file = options.history;
  ELENCHUS_ASSIGN_OR_RETURN(const auto knowledge, knowledge_in(file));
  file.clear();
  ELENCHUS_ASSIGN_OR_RETURN(mutate::EngineSettings settings, mutate::tuned(options.set));
  settings.skeleton.knowledge = knowledge;
  settings.set_only(only);
  const std::string name = campaign::engine_name_of(options.engine).plain;
  plan.make_engine = [name, settings] { return mutate::make_engine(name, settings); };
  const auto engine = plan.make_engine();
  if (engine == nullptr) {
    return usage_error(fmt::format("no engine '{}'{}", base::shown(options.engine),
                                   campaign::engine_suggestion(options.engine)));
  }
  ELENCHUS_ASSIGN_OR_RETURN(plan.solvers, model_sources(options, *engine));
  return {};
}

// All but the choice of options.
base::Result<MutationPlan> plan_of(const MutateOptions& options, std::string& file) {
  MutationPlan plan;
  plan.count = options.count;
  plan.model = options.model;
  plan.wants_witnesses = !options.out.empty();
  if (auto chosen = choose_engine(options, file, plan); !chosen) return chosen.error();
  ELENCHUS_ASSIGN_OR_RETURN(plan.limits, run_limits(options.timeout, options.memory));
  ELENCHUS_ASSIGN_OR_RETURN(plan.files, files_of(options));
  plan.rngs = generators(options.rng, plan.files.size());
  return plan;
}

int refuse(const base::Error& error, const std::string& file) {
  tell("{}\n",
       file.empty() ? "elenchus mutate: error: " + error.message : base::describe(error, file));
  return kBadInput;
}

int run_mutate(const MutateOptions& options) {
  if (options.lists_tunables) return list_tunables(options.json);
  if (const auto problem = usage_problem(options); !problem.empty()) {
    return refuse(usage_error(std::string(problem)), {});
  }
  std::string file;
  auto plan = plan_of(options, file);
  if (!plan) return refuse(plan.error(), file);
  const auto choice = option_choice(options);
  if (!choice) return refuse(choice.error(), {});
  if ((*choice)->chooser) plan->chooser = &*(*choice)->chooser;
  std::error_code failed;
  if (!options.out.empty()) std::filesystem::create_directories(options.out, failed);
  if (failed) return refuse({base::ErrorKind::kIo, failed.message(), {}}, options.out);
  return MutateRun(options, *plan).run();
}

}  // namespace

void add_mutate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<MutateOptions>();
  CLI::App* command =
      app.add_subcommand("mutate", "Write mutants of scripts, without testing a solver");
  command->add_option("FILE", options->files,
                      "SMT-LIB scripts, or folders of them; - is standard input");
  command
      ->add_option("-e,--engine", options->engine,
                   "the engine that makes the mutants, plain or with ways of asking, which are "
                   "listed below: "
                   "storm+incremental")
      ->type_name("E");
  add_set_option(*command, options->set);
  add_making(*command, *options,
             {.count = "how many mutants of each file",
              .rng = "the same number gives the same mutants",
              .jobs = "how many files are read at the same time; the result is the same"});
  add_operators_with_example(*command, options->operators);
  command
      ->add_option("--operators-only", options->operators_only,
                   "a file with the only operators that mutants are made of")
      ->type_name("FILE")
      ->excludes("--operators");
  command
      ->add_option("--model", options->model,
                   "a model of the script, for engines that want one (storm, diver, fusion)")
      ->type_name("FILE");
  command
      ->add_option("--history", options->history,
                   "what the engine skeleton knows of past bugs, a file of `learn history`")
      ->type_name("FILE");
  command
      ->add_option("--timeout", options->timeout,
                   "time limit of what a solver is asked about a file")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--memory", options->memory, "memory limit of a solver that is asked")
      ->type_name("SIZE")
      ->capture_default_str();
  command
      ->add_option(
          "--solver", options->solvers,
          "the solver to ask for a model, once for each file (default: the first found, for "
          "fusion all); may be repeated: what two call unsat counts as unsat; none: "
          "assignments are drawn at random")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*command, options->profiles);
  command
      ->add_option("--policy", options->policy,
                   "with E+options: which options a mutant gets, of the first --solver: default "
                   "(none), regular (up to eight that are not for experts), anything (up to eight)")
      ->type_name("P")
      ->capture_default_str();
  command
      ->add_option("--correlations", options->correlations,
                   "with E+options: which options matter to which operators, as `learn options` "
                   "writes it")
      ->type_name("FILE");
  command->add_flag("--list-tunables", options->lists_tunables,
                    "what --set takes, and nothing else: name, default, range");
  command->add_flag("--json", options->json,
                    "the counts as one JSON object, with --out; or the list of tunables");
  command->add_flag("-q,--quiet", options->quiet, "no summary, no warnings");
  command->footer(
      "The first line of a mutant is `; expect: ` and a word for each check-sat: sat, unsat or\n"
      "unknown. Where an engine has several ways, the second is `; kind: ` and which one. Without\n"
      "--out, the mutants go to standard output, one after the other. Where a model is known, it\n"
      "lies beside the mutant in --out: 1.model. The engine fusion makes one\n"
      "script of two: each file with another one, both satisfiable or both, as two solvers say,\n"
      "unsatisfiable. With E+options, 1.options has the options, one on a line.\n\n"
      "Examples:\n"
      "  elenchus mutate --engine typefuzz --count 100 --out mutants seeds/*.smt2\n"
      "  elenchus mutate --engine opfuzz --rng 7 bug.smt2 > mutant.smt2\n"
      "  elenchus mutate --engine storm --solver z3 --count 100 --out instances seed.smt2\n"
      "  elenchus mutate --engine typefuzz+options --solver z3 --policy anything --out m "
      "seed.smt2\n"
      "  elenchus mutate --engine storm --set storm.max-depth=5 --set storm.mirror-one-in=0 "
      "a.smt2\n"
      "  elenchus mutate --engine fusion --count 10 --out fused seeds/*.smt2");
  command->callback([options, &exit_code] { exit_code = run_mutate(*options); });
}

}  // namespace elenchus::cli
