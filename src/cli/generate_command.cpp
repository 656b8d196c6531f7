#include "cli/generate_command.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/common_options.h"
#include "cli/exit_codes.h"
#include "cli/in_order.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "gen/grammar.h"
#include "gen/logics.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "smtlib/printer.h"
#include "solver/readership.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct GenerateOptions : Making {
  std::vector<std::string> logics;
  std::string operators;
  std::vector<std::string> solvers;
  std::string profiles;
  gen::GrammarSettings grammar;
  bool lists_logics = false;
  bool json = false;
  bool quiet = false;
};

// Whoever reads nothing but the standard, where a profile's name is expected.
constexpr std::string_view kStandard = "standard";

// The operators with the readers that --solver names: "z3", or "z3 4.12.2" for another version than
// the oldest that the table of operators speaks of.
base::Result<std::shared_ptr<const ir::OpTable>> with_readers(
    std::shared_ptr<const ir::OpTable> ops, GenerateOptions& options) {
  if (options.solvers.empty()) return ops;
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.profiles));
  const std::shared_ptr<ir::OpTable> table = ops->copy();
  uint16_t& readers = options.grammar.vocabulary.solvers;
  readers = 0;
  for (const std::string& spec : options.solvers) {
    const size_t blank = spec.find(' ');
    const std::string name = spec.substr(0, blank);
    const std::string version = blank == std::string::npos ? "" : spec.substr(blank + 1);
    const auto profile = name == kStandard ? profiles.generic() : profiles.find(name);
    if (profile == nullptr) {
      std::vector<std::string_view> known = {kStandard};
      for (const auto& each : profiles.all()) known.emplace_back(each->name);
      return base::Error{base::ErrorKind::kParse,
                         fmt::format("--solver: no profile '{}' among {}", base::shown(name),
                                     fmt::join(known, ", ")),
                         {}};
    }
    ELENCHUS_ASSIGN_OR_RETURN(const uint16_t reader,
                              table->add_reader(solver::reader_of(*profile, version)));
    readers |= reader;
  }
  return std::shared_ptr<const ir::OpTable>(table);
}

// "; expect: unknown unknown": a word for each check-sat.
std::string expectation(const ir::Script& script) {
  std::string line = "; expect:";
  for (const ir::Command& command : script.commands) {
    if (ir::is_check(command.kind)) line += " unknown";
  }
  return line + '\n';
}

// Made by a thread, to be written by the main one.
struct Product {
  std::string logic;
  std::string text;
};

// Makes scripts; what comes of one depends on its generator alone. One per thread.
class Writer {
 public:
  Writer(const GenerateOptions& options, std::shared_ptr<const ir::OpTable> ops)
      : options_(options), store_(std::move(ops)), clean_(store_.mark()), printer_(store_) {}

  base::Result<Product> write(uint32_t number, base::Rng rng) {
    store_.rollback(clean_);
    Product product;
    product.logic = logic_for(number, rng);
    auto& grammar = grammars_[product.logic];
    if (!grammar) {
      grammar = std::make_unique<gen::Grammar>(store_.ops(), product.logic, options_.grammar);
    }
    const ir::Script script = grammar->script(store_, rng);
    ELENCHUS_ASSIGN_OR_RETURN(const smtlib::PrintedScript printed, printer_.print(script));
    product.text = expectation(script) + printed.text;
    return product;
  }

 private:
  // Those that were asked for in turn, or any.
  std::string_view logic_for(uint32_t number, base::Rng& rng) const {
    if (!options_.logics.empty()) return options_.logics[number % options_.logics.size()];
    const auto known = gen::known_logics();
    return known[rng.below(known.size())];
  }

  const GenerateOptions& options_;
  ir::TermStore store_;
  ir::TermStore::Mark clean_;
  smtlib::ScriptPrinter printer_;
  std::map<std::string, std::unique_ptr<gen::Grammar>> grammars_;
};

class GenerateRun {
 public:
  GenerateRun(const GenerateOptions& options, std::shared_ptr<const ir::OpTable> ops)
      : options_(options),
        ops_(std::move(ops)),
        rng_(options.rng),
        order_(options.count, options.jobs * kAhead, 1) {}

  int run() {
    order_.run(
        std::min(options_.jobs, options_.count), [this] { make(); }, [this] { keep_all(); });
    if (failed_) return kBadInput;
    if (options_.json) {
      const Json summary = {{"scripts", options_.count}, {"bytes", bytes_}, {"logics", counts_}};
      put("{}\n", summary.dump());
    } else if (!options_.quiet && !options_.out.empty()) {
      put("{} in {}\n", base::counted(options_.count, "script"), options_.out);
    }
    return kNothingWrong;
  }

 private:
  static constexpr size_t kAhead = 64;  // scripts for each job that may wait for their turn

  // What each thread does.
  void make() {
    Writer writer(options_, ops_);
    while (const auto number = order_.take()) {
      order_.put(*number, writer.write(static_cast<uint32_t>(*number), generator(*number)));
      order_.finish(*number);
    }
  }

  // Each script has a generator of its own, so that it does not depend on the size of others.
  base::Rng generator(size_t number) {
    const std::lock_guard lock(mutex_);
    for (; split_ <= number; ++split_) waiting_.emplace(split_, rng_.split());
    return waiting_.extract(number).mapped();
  }

  void keep_all() {
    for (uint32_t i = 0; i < options_.count && !failed_; ++i) {
      while (auto product = order_.next()) {
        const auto kept = *product ? keep(i, **product) : base::Result<void>(product->error());
        if (kept) continue;
        tell("elenchus generate: error: {}\n", kept.error().message);
        failed_ = true;
        return order_.cancel();
      }
    }
  }

  base::Result<void> keep(uint32_t number, const Product& product) {
    bytes_ += product.text.size();
    ++counts_[product.logic];
    const std::string path =
        options_.out.empty() ? "-" : fmt::format("{}/{}.smt2", options_.out, number + 1);
    const auto done = write_output(path, product.text);
    if (done) return {};
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("cannot write {}: {}", path == "-" ? "standard output" : path,
                                   done.error().message),
                       {}};
  }

  const GenerateOptions& options_;
  std::shared_ptr<const ir::OpTable> ops_;
  std::mutex mutex_;
  base::Rng rng_;
  size_t split_ = 0;
  std::map<size_t, base::Rng> waiting_;  // generators of scripts that have not begun
  InOrder<base::Result<Product>> order_;
  std::map<std::string, uint64_t> counts_;
  uint64_t bytes_ = 0;
  bool failed_ = false;
};

int list_logics(bool as_json) {
  const auto known = gen::known_logics();
  if (as_json) {
    put("{}\n", Json(std::vector<std::string>(known.begin(), known.end())).dump());
  } else {
    put("{}\n", fmt::join(known, "\n"));
  }
  return kNothingWrong;
}

int run_generate(GenerateOptions& options) {
  if (options.lists_logics) return list_logics(options.json);
  for (const std::string& logic : options.logics) {
    if (gen::is_logic_name(logic)) continue;
    tell(
        "elenchus generate: error: no logic '{}'; did you mean {}? "
        "(--list-logics shows all)\n",
        base::shown(logic), fmt::join(gen::similar_logics(logic), ", "));
    return kBadInput;
  }
  if (options.json && options.out.empty()) {
    tell("elenchus generate: error: --json needs --out or --list-logics\n");
    return kBadInput;
  }
  auto ops = operators_with(options.operators);
  if (!ops) {
    tell("{}\n", base::describe(ops.error(), options.operators));
    return kBadInput;
  }
  ops = with_readers(std::move(*ops), options);
  if (!ops) {
    tell("elenchus generate: error: {}\n", ops.error().message);
    return kBadInput;
  }
  if (!options.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) {
      tell("{}: error: {}\n", options.out, error.message());
      return kBadInput;
    }
  }
  return GenerateRun(options, std::move(*ops)).run();
}

void add_sizes(CLI::App& command, gen::GrammarSettings& grammar) {
  command.add_option("--size", grammar.size, "approximate number of nodes in a script")
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  command.add_option("--depth", grammar.depth, "how deep operators nest at most")
      ->type_name("N")
      ->check(CLI::Range(1U, gen::kMaxGrammarDepth))
      ->capture_default_str();
  command.add_option("--assertions", grammar.assertions, "of a script, at most")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command.add_option("--sharing", grammar.sharing, "percent of arguments that are used again")
      ->type_name("N")
      ->check(CLI::Range(0U, 100U))
      ->capture_default_str();
}

}  // namespace

void add_generate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = app.add_subcommand("generate", "Write scripts from a probabilistic grammar");
  command
      ->add_option("--logic", options->logics,
                   "QF_BV, AUFLIA, ALL...; may be repeated (default: any of --list-logics)")
      ->type_name("L")
      ->allow_extra_args(false);
  add_making(*command, *options,
             {.count = "how many scripts",
              .rng = "the same number gives the same scripts",
              .jobs = "how many scripts are made at the same time; the result is the same"});
  add_sizes(*command, options->grammar);
  add_operators_with_example(*command, options->operators);
  command
      ->add_option("--solver", options->solvers,
                   "only operators that these read: a profile's name, with a version if need be "
                   "(\"cvc5 1.3\"), or standard; may be repeated (default: z3, cvc4 and cvc5)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_profiles(*command, options->profiles);
  command->add_flag("--list-logics", options->lists_logics,
                    "list the known logics and do nothing else");
  command->add_flag("--json", options->json, "the counts as one JSON object; needs --out");
  command->add_flag("-q,--quiet", options->quiet, "no summary");
  command->footer(
      "The scripts are well-sorted and stay within their logic. The first line is `; expect: ` "
      "and\n"
      "`unknown` for each check-sat. Without --out they go to standard output, one after the "
      "other.\n"
      "Logics that are not in the list are composed as usual: QF_AUFBVDTLIRA.\n\n"
      "Examples:\n"
      "  elenchus generate --logic QF_BV --count 100 --out scripts\n"
      "  elenchus generate --logic UFLIA --solver z3 --size 200 --depth 8 --rng 7");
  command->callback([options, &exit_code] { exit_code = run_generate(*options); });
}

}  // namespace elenchus::cli
