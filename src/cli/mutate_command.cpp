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
#include "campaign/seed_facts.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "eval/check.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "mutate/registry.h"
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
  std::vector<std::string> solvers;
  bool json = false;
  bool quiet = false;
};

// The paper's limit for a seed's model.
constexpr solver::RunLimits kLimits{.seconds = 15};
constexpr std::string_view kNoSolver = "none";
// An engine that refuses so often in a row has nothing more to offer for a seed.
constexpr uint32_t kPatience = 100;

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
      std::unique_ptr<mutate::Engine> engine, std::span<const solver::Solver> solvers)
      : options_(options), engine_(std::move(engine)), store_(std::move(ops)), printer_(store_) {
    if (!solvers.empty()) lab_.emplace(store_, solvers, false, kLimits);
  }

  int run(const std::vector<std::string>& files) {
    base::Rng rng(options_.rng);
    const ir::TermStore::Mark start = store_.mark();
    for (const std::string& file : files) {
      base::Rng own = rng.split();
      store_.rollback(start);
      const auto done = mutate_file(file, own);
      if (done) continue;
      failed_ = true;
      fmt::print(stderr, "{}\n",
                 base::describe(done.error(), shown_name(is_model_bad_ ? options_.model : file)));
      if (cannot_write_) break;
    }
    if (options_.json) {
      const Json summary = {{"engine", engine_->name()}, {"files", files.size()},
                            {"mutants", written_},       {"bytes", bytes_},
                            {"skips", skips_},           {"ok", !failed_}};
      fmt::print("{}\n", summary.dump());
    } else if (!options_.quiet && !options_.out.empty()) {
      fmt::print("{} mutants in {}\n", written_, options_.out);
    }
    return failed_ ? kBadInput : kNothingWrong;
  }

 private:
  base::Result<void> mutate_file(const std::string& file, base::Rng& rng) {
    ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(file));
    ELENCHUS_ASSIGN_OR_RETURN(const ir::Script script, smtlib::parse_script(store_, text.view()));
    ELENCHUS_ASSIGN_OR_RETURN(const campaign::SeedFacts facts, facts_about(script, rng));
    const ir::TermStore::Mark parsed = store_.mark();
    const mutate::Seed seed{script, facts.models, facts.status, facts.assignments, facts.core};
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
        if (auto written = write(file, std::get<mutate::Mutant>(attempt)); !written) {
          return written.error();
        }
      }
    }
    if (made < options_.count && !options_.quiet) {
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
      is_model_bad_ = false;
      facts.models.push_back(std::move(model));
      return facts;
    }
    if (!lab_) return facts;
    return campaign::ask_about(store_, *lab_, script, 1, rng);
  }

  base::Result<void> write(const std::string& file, const mutate::Mutant& mutant) {
    ELENCHUS_ASSIGN_OR_RETURN(const smtlib::PrintedScript printed, printer_.print(mutant.script));
    ++written_;
    std::string text = expectation(mutant);
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
  std::unique_ptr<mutate::Engine> engine_;
  ir::TermStore store_;
  smtlib::ScriptPrinter printer_;
  std::optional<campaign::SolverLab> lab_;
  uint64_t written_ = 0;
  uint64_t bytes_ = 0;
  std::map<std::string, uint64_t> skips_;
  bool failed_ = false;
  bool cannot_write_ = false;
  bool is_model_bad_ = false;  // and not the script
};

// Who is asked about seeds, if anybody.
base::Result<std::vector<solver::Solver>> witnesses(const Options& options,
                                                    const mutate::Engine& engine) {
  std::vector<solver::Solver> asked;
  const bool nobody = options.solvers.size() == 1 && options.solvers[0] == kNoSolver;
  if (!engine.wants_models() || !options.model.empty() || nobody) return asked;
  const solver::Profiles& profiles = solver::Profiles::standard();
  for (const std::string& spec : options.solvers) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver found, solver::find_solver(profiles, spec));
    asked.push_back(std::move(found));
  }
  if (!asked.empty()) return asked;
  for (solver::Solver& found : solver::find_all_solvers(profiles)) {
    if (asked.empty() && found.profile->has_models) asked.push_back(std::move(found));
  }
  return asked;
}

int run_mutate(const Options& options) {
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
  mutate::EngineSettings settings;
  settings.skeleton.knowledge = *knowledge;
  auto engine = mutate::make_engine(options.engine, settings);
  if (engine == nullptr) {
    fmt::print(stderr, "elenchus mutate: error: no engine '{}'; there is {}\n", options.engine,
               fmt::join(mutate::engine_names(), ", "));
    return kBadInput;
  }
  const auto files = expand_inputs(options.files);
  if (!files) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", files.error().message);
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
  const auto solvers = witnesses(options, *engine);
  if (!solvers) {
    fmt::print(stderr, "elenchus mutate: error: {}\n", solvers.error().message);
    return kBadInput;
  }
  return Run(options, std::move(*ops), std::move(engine), *solvers).run(*files);
}

}  // namespace

void add_mutate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("mutate", "Write mutants of scripts without running a solver");
  command
      ->add_option("FILE", options->files,
                   "SMT-LIB scripts, or folders of them; - is standard input")
      ->required();
  command
      ->add_option(
          "-e,--engine", options->engine,
          fmt::format("who makes the mutants: {}; E+incremental asks them with push and pop",
                      fmt::join(mutate::engine_names(), ", ")))
      ->type_name("E")
      ->required();
  command->add_option("-n,--count", options->count, "how many mutants of each file")
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000'000U))
      ->capture_default_str();
  command->add_option("--rng", options->rng, "the same number gives the same mutants")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  CLI::Option* out =
      command->add_option("-o,--out", options->out, "a folder for 1.smt2, 2.smt2 and so on")
          ->type_name("DIR");
  command
      ->add_option("--operators", options->operators,
                   "a file with further operators, such as (my.op Int Int Bool :chainable)")
      ->type_name("FILE");
  command
      ->add_option("--model", options->model,
                   "a model of the script, for engines that want one (storm, diver)")
      ->type_name("FILE");
  command
      ->add_option("--history", options->history,
                   "a knowledge file for the engine skeleton, as `learn history` writes it")
      ->type_name("FILE");
  command
      ->add_option(
          "--solver", options->solvers,
          "who is asked for a model, once for each file (default: the first found); may be "
          "repeated: what two call unsat counts as unsat; none: assignments are drawn at "
          "random")
      ->type_name("SPEC");
  command->add_flag("--json", options->json, "the counts as one JSON object; needs --out")
      ->needs(out);
  command->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  command->add_flag("-q,--quiet", options->quiet, "no summary, no warnings");
  command->footer(
      "The first line of a mutant is `; expect: ` and a word for each check-sat: sat, unsat or\n"
      "unknown. Without --out, the mutants go to standard output, one after the other. Where a\n"
      "model is known, it lies beside the mutant in --out: 1.model.\n\n"
      "Examples:\n"
      "  elenchus mutate --engine typefuzz --count 100 --out mutants seeds/*.smt2\n"
      "  elenchus mutate --engine opfuzz --rng 7 bug.smt2 > mutant.smt2\n"
      "  elenchus mutate --engine storm --solver z3 --count 100 --out instances seed.smt2");
  command->callback([options, &exit_code] { exit_code = run_mutate(*options); });
}

}  // namespace elenchus::cli
