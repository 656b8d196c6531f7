#include "cli/mutate_command.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "campaign/option_trials.h"
#include "campaign/seed_facts.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/quantities.h"
#include "cli/tunables.h"
#include "eval/check.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "mutate/registry.h"
#include "mutate/tunables.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::string engine;
  uint32_t count = 1;
  uint64_t rng = 0;
  std::string out;
  std::string operators;
  std::string model;
  std::string history;
  std::string timeout = "15s";  // DIVER's limit for the model of a seed
  std::vector<std::string> solvers;
  std::string policy = "regular";
  std::string correlations;
  std::vector<std::string> set;
  bool lists_tunables = false;
  bool json = false;
  bool quiet = false;
};

constexpr std::string_view kNoSolver = "none";
// An engine that refuses so often in a row has nothing more to offer for a seed.
constexpr uint32_t kPatience = 100;
// Warnings of files with few mutants; the others are counted.
constexpr uint32_t kWarnings = 5;
// Files that are drawn as a partner of another, and of these, those that solvers are asked about.
constexpr uint32_t kPartnerDraws = 64;
constexpr uint32_t kPartnerQuestions = 4;

uint64_t checks_in(const ir::Script& script) {
  uint64_t checks = 0;
  for (const ir::Command& command : script.commands) checks += ir::is_check(command.kind) ? 1 : 0;
  return checks;
}

// "; expect: sat unknown": a word for each check-sat.
std::string expectation(const mutate::Mutant& mutant) {
  std::string line = "; expect:";
  const uint64_t checks = checks_in(mutant.script);
  for (uint64_t i = 0; i < checks; ++i) {
    const bool known = i < mutant.expected.size();
    line += ' ';
    line += to_string(known ? mutant.expected[i] : mutate::Truth::kUnknown);
  }
  return line + '\n';
}

class Run {
 public:
  Run(const Options& options, std::shared_ptr<const ir::OpTable> ops,
      std::unique_ptr<mutate::Engine> engine, const std::vector<solver::Solver>& solvers,
      double seconds, const std::vector<std::string>& files, const campaign::OptionChooser* chooser)
      : options_(options),
        chooser_(chooser),
        engine_(std::move(engine)),
        store_(std::move(ops)),
        printer_(store_),
        files_(files),
        statuses_(files.size()) {
    if (!solvers.empty())
      lab_.emplace(store_, solvers, false, solver::RunLimits{.seconds = seconds});
  }

  int run() {
    base::Rng rng(options_.rng);
    const ir::TermStore::Mark start = store_.mark();
    for (size_t i = 0; i < files_.size(); ++i) {
      const std::string& file = files_[i];
      base::Rng own = rng.split();
      store_.rollback(start);
      const auto done = mutate_file(i, own);
      if (done) continue;
      failed_ = true;
      fmt::print(stderr, "{}\n",
                 base::describe(done.error(), shown_name(is_model_bad_ ? options_.model : file)));
      if (cannot_write_) break;
    }
    if (short_files_ > kWarnings) {
      fmt::print(stderr, "warning: fewer mutants than asked for of {} further files\n",
                 short_files_ - kWarnings);
    }
    if (options_.json) {
      const Json summary = {{"engine", engine_->name()}, {"files", files_.size()},
                            {"mutants", written_},       {"bytes", bytes_},
                            {"skips", skips_},           {"ok", !failed_}};
      fmt::print("{}\n", summary.dump());
    } else if (!options_.quiet && !options_.out.empty()) {
      fmt::print("{} mutants in {}\n", written_, options_.out);
    }
    return failed_ ? kBadInput : kNothingWrong;
  }

 private:
  // A file that was read, and what is known of it.
  struct Source {
    ir::Script script;
    campaign::SeedFacts facts;
  };

  base::Result<Source> read_source(size_t index, base::Rng& rng) {
    ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(files_[index]));
    ELENCHUS_ASSIGN_OR_RETURN(ir::Script script, smtlib::parse_script(store_, text.view()));
    ELENCHUS_ASSIGN_OR_RETURN(campaign::SeedFacts facts, facts_about(script, rng));
    statuses_[index] = facts.status;
    return Source{std::move(script), std::move(facts)};
  }

  // Another file of the same status. What is wrong with it is said when its turn comes.
  std::optional<Source> find_partner(size_t index, mutate::Truth status, base::Rng& rng) {
    if (!engine_->wants_partner() || !options_.model.empty()) return {};
    uint32_t questions = 0;
    for (uint32_t i = 0; i < kPartnerDraws && questions < kPartnerQuestions; ++i) {
      const size_t other = rng.below(files_.size());
      const bool is_out = statuses_[other] && *statuses_[other] != status;
      if (other == index || is_out || files_[other] == "-") continue;
      ++questions;
      const ir::TermStore::Mark before = store_.mark();
      auto source = read_source(other, rng);
      if (source && source->facts.status == status) return std::move(*source);
      store_.rollback(before);
    }
    return {};
  }

  base::Result<void> mutate_file(size_t index, base::Rng& rng) {
    const std::string& file = files_[index];
    ELENCHUS_ASSIGN_OR_RETURN(const Source source, read_source(index, rng));
    const std::optional<Source> partner = find_partner(index, source.facts.status, rng);
    mutate::Seed seed = seed_of(source);
    const mutate::Seed other = seed_of(partner ? *partner : source);
    if (partner) seed.partner = &other;
    return mutate_seed(file, seed, rng);
  }

  static mutate::Seed seed_of(const Source& source) {
    return {.script = source.script,
            .models = source.facts.models,
            .status = source.facts.status,
            .assignments = source.facts.assignments,
            .core = source.facts.core};
  }

  base::Result<void> mutate_seed(const std::string& file, const mutate::Seed& seed,
                                 base::Rng& rng) {
    const ir::TermStore::Mark parsed = store_.mark();
    uint32_t made = 0;
    uint32_t refused = 0;
    while (made < options_.count && refused < kPatience) {
      store_.rollback(parsed);
      auto started = engine_->start(store_, seed);
      if (const auto* skip = std::get_if<mutate::Skip>(&started)) {
        ++skips_[std::string(skip->reason)];
        break;
      }
      const auto series = std::move(std::get<std::unique_ptr<mutate::Series>>(started));
      for (uint32_t i = 0; i < engine_->series_length() && made < options_.count; ++i) {
        const mutate::Attempt attempt = series->next(rng);
        if (const auto* skip = std::get_if<mutate::Skip>(&attempt)) {
          ++skips_[std::string(skip->reason)];
          if (++refused >= kPatience) break;
          continue;
        }
        refused = 0;
        ++made;
        if (auto written = write(file, std::get<mutate::Mutant>(attempt), rng); !written) {
          return written.error();
        }
      }
    }
    if (made < options_.count && !options_.quiet && ++short_files_ <= kWarnings) {
      fmt::print(stderr, "{}: warning: only {} of {} mutants\n", shown_name(file), made,
                 options_.count);
    }
    return {};
  }

  // The model that was given; else what solvers say of the seed, once.
  base::Result<campaign::SeedFacts> facts_about(const ir::Script& script, base::Rng& rng) {
    campaign::SeedFacts facts;
    if (!engine_->wants_models()) return facts;
    if (!options_.model.empty()) {
      is_model_bad_ = true;
      ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(options_.model));
      const auto checks = eval::checks_of(script);
      const size_t check = checks.empty() ? script.commands.size() : checks.back();
      ELENCHUS_ASSIGN_OR_RETURN(ir::Model model,
                                smtlib::read_model(store_, script, check, text.view()));
      if (const auto sane = eval::check_definitions(store_, model); !sane) return sane.error();
      is_model_bad_ = false;
      facts.models.push_back(std::move(model));
      return facts;
    }
    if (!lab_) return facts;
    return campaign::ask_about(store_, *lab_, script, 1, rng);
  }

  base::Result<void> write(const std::string& file, const mutate::Mutant& mutant, base::Rng& rng) {
    ELENCHUS_ASSIGN_OR_RETURN(const smtlib::PrintedScript printed, printer_.print(mutant.script));
    ++written_;
    forget_companions();
    std::string text = expectation(mutant);
    if (chooser_ != nullptr) {
      const auto chosen = chooser_->choose(store_, mutant.script, rng);
      text += fmt::format("; options: {}\n", fmt::join(chosen, " "));
      if (!options_.out.empty()) {
        const std::string path = fmt::format("{}/{}.options", options_.out, written_);
        auto done = put(path, chosen.empty() ? "" : fmt::format("{}\n", fmt::join(chosen, "\n")));
        if (!done) return done;
      }
    }
    if (options_.out.empty())
      text = fmt::format("; {}: mutant {}\n", shown_name(file), written_) + text;
    text += printed.text;
    bytes_ += text.size();
    if (options_.out.empty()) return put("-", text);
    if (mutant.witness) {
      ELENCHUS_ASSIGN_OR_RETURN(const std::string model,
                                smtlib::print_model(store_, *mutant.witness));
      auto done = put(fmt::format("{}/{}.model", options_.out, written_), model);
      if (!done) return done;
    }
    return put(fmt::format("{}/{}.smt2", options_.out, written_), text);
  }

  // What lies beside a mutant of another run is not this one's.
  void forget_companions() const {
    if (options_.out.empty()) return;
    for (const char* ending : {"model", "options"}) {
      std::error_code ignored;
      std::filesystem::remove(fmt::format("{}/{}.{}", options_.out, written_, ending), ignored);
    }
  }

  base::Result<void> put(const std::string& path, const std::string& text) {
    const auto done = write_output(path, text);
    if (done) return {};
    cannot_write_ = true;
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path,
                                   done.error().message),
                       {}};
  }

  const Options& options_;
  const campaign::OptionChooser* chooser_;  // of an engine with +options, or null
  std::unique_ptr<mutate::Engine> engine_;
  ir::TermStore store_;
  smtlib::ScriptPrinter printer_;
  std::optional<campaign::SolverLab> lab_;
  const std::vector<std::string>& files_;
  std::vector<std::optional<mutate::Truth>> statuses_;  // of the files that were asked about
  uint64_t written_ = 0;
  uint64_t bytes_ = 0;
  std::map<std::string, uint64_t> skips_;
  uint32_t short_files_ = 0;  // that gave fewer mutants than asked for
  bool failed_ = false;
  bool cannot_write_ = false;
  bool is_model_bad_ = false;  // and not the script
};

// Who is asked for models, if anybody. That a seed is unsatisfiable, two must say.
base::Result<std::vector<solver::Solver>> model_sources(const Options& options,
                                                        const mutate::Engine& engine) {
  std::vector<solver::Solver> sources;
  if (!engine.wants_models() || !options.model.empty()) return sources;
  const solver::Profiles& profiles = solver::Profiles::standard();
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
base::Result<solver::Solver> solver_with_options(const Options& options) {
  const solver::Profiles& profiles = solver::Profiles::standard();
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

base::Result<std::unique_ptr<OptionChoice>> option_choice(const Options& options) {
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
  choice->chooser.emplace(solver, policy, choice->learnt ? &*choice->learnt : nullptr);
  return choice;
}

// What is missing on the command line, or nothing.
std::string_view usage_problem(const Options& options) {
  if (options.files.empty()) return "FILE is required";
  if (options.engine.empty()) return "--engine is required";
  if (options.json && options.out.empty()) return "--json needs --out or --list-tunables";
  return {};
}

int list_tunables(bool as_json) {
  fmt::print("{}", as_json ? tunables_as_json() : tunables_as_text());
  return kNothingWrong;
}

int run_mutate(const Options& options) {
  if (options.lists_tunables) return list_tunables(options.json);
  if (const auto problem = usage_problem(options); !problem.empty()) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", problem);
    return kBadInput;
  }
  auto ops = operators_with(options.operators);
  if (!ops) {
    fmt::print(stderr, "{}\n", base::describe(ops.error(), options.operators));
    return kBadInput;
  }
  const auto knowledge = knowledge_in(options.history);
  if (!knowledge) {
    fmt::print(stderr, "{}\n", base::describe(knowledge.error(), options.history));
    return kBadInput;
  }
  auto settings = mutate::tuned(options.set);
  if (!settings) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", settings.error().message);
    return kBadInput;
  }
  settings->skeleton.knowledge = *knowledge;
  auto engine = mutate::make_engine(campaign::engine_name_of(options.engine).plain, *settings);
  if (engine == nullptr) {
    fmt::print(stderr, "elenchus mutate: error: no engine '{}'; there is {}\n", options.engine,
               fmt::join(mutate::engine_names(), ", "));
    return kBadInput;
  }
  const auto seconds = parse_duration(options.timeout);
  if (!seconds) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", seconds.error().message);
    return kBadInput;
  }
  const auto files = expand_inputs(options.files);
  if (!files) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", files.error().message);
    return kBadInput;
  }
  if (files->empty()) {
    fmt::print(stderr, "elenchus mutate: error: there is no .smt2 file in {}\n",
               fmt::join(options.files, ", "));
    return kBadInput;
  }
  if (!options.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) {
      fmt::print(stderr, "{}: error: {}\n", options.out, error.message());
      return kBadInput;
    }
  }
  const auto solvers = model_sources(options, *engine);
  if (!solvers) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", solvers.error().message);
    return kBadInput;
  }
  const auto choice = option_choice(options);
  if (!choice) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", choice.error().message);
    return kBadInput;
  }
  const auto& chooser = (*choice)->chooser;
  return Run(options, std::move(*ops), std::move(engine), *solvers, *seconds, *files,
             chooser ? &*chooser : nullptr)
      .run();
}

}  // namespace

void add_mutate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("mutate", "Write mutants of scripts without running a solver");
  command->add_option("FILE", options->files,
                      "SMT-LIB scripts, or folders of them; - is standard input");
  command
      ->add_option(
          "-e,--engine", options->engine,
          fmt::format("who makes the mutants: {}; E+incremental asks them with push and pop, "
                      "E+options chooses solver options",
                      fmt::join(mutate::engine_names(), ", ")))
      ->type_name("E");
  add_set_option(*command, options->set);
  command->add_option("-n,--count", options->count, "how many mutants of each file")
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000'000U))
      ->capture_default_str();
  command->add_option("--rng", options->rng, "the same number gives the same mutants")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "a folder for 1.smt2, 2.smt2 and so on")
      ->type_name("DIR");
  command
      ->add_option("--operators", options->operators,
                   "a file with further operators, such as (my.op Int Int Bool :chainable)")
      ->type_name("FILE");
  command
      ->add_option("--model", options->model,
                   "a model of the script, for engines that want one (storm, diver, fusion)")
      ->type_name("FILE");
  command
      ->add_option("--history", options->history,
                   "a knowledge file for the engine skeleton, as `learn history` writes it")
      ->type_name("FILE");
  command->add_option("--timeout", options->timeout, "limit of what a solver is asked of a file")
      ->type_name("TIME")
      ->capture_default_str();
  command
      ->add_option("--solver", options->solvers,
                   "who is asked for a model, once for each file (default: the first found, for "
                   "fusion all); may be repeated: what two call unsat counts as unsat; none: "
                   "assignments are drawn at random")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command
      ->add_option("--policy", options->policy,
                   "with E+options: how many options a mutant gets, of the first --solver: default "
                   "(none), regular (one that is not for experts), anything")
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
  command->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  command->add_flag("-q,--quiet", options->quiet, "no summary, no warnings");
  command->footer(
      "The first line of a mutant is `; expect: ` and a word for each check-sat: sat, unsat or\n"
      "unknown. Without --out, the mutants go to standard output, one after the other. Where a\n"
      "model is known, it lies beside the mutant in --out: 1.model. The engine fusion makes one\n"
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
