#include "cli/learn_options.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/plural.h"
#include "campaign/campaign.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/numbers.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "knobs/option_learner.h"

namespace elenchus::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct KnobOptions {
  std::string solver;
  std::string profiles;
  std::string out;
  std::string time = "1h";
  std::string timeout = "0.5s";
  std::string memory = "2G";
  std::vector<std::string> inputs;
  std::vector<std::string> only;
  uint64_t formulas = 0;
  double threshold = 0.1;
  uint64_t rng = 0;
  bool resume = false;
  bool json = false;
  bool quiet = false;
};

class Lesson {
 public:
  Lesson(const KnobOptions& options, double seconds, const solver::RunLimits& limits)
      : options_(options), seconds_(seconds), limits_(limits) {}

  int run() {
    const auto profiles = profiles_with(options_.profiles);
    if (!profiles) return fail(profiles.error(), {});
    const auto solver = solver::find_solver(*profiles, options_.solver);
    if (!solver) return fail(solver.error(), {});
    if (solver->profile->knobs.reader.empty()) {
      const std::string message =
          fmt::format("the profile '{}' does not say how to read options", solver->profile->name);
      return fail({base::ErrorKind::kUnsupported, message, {}}, {});
    }
    learnt_.solver = solver->profile->name;
    learnt_.version = solver->version;
    learnt_.threshold = options_.threshold;
    if (const int code = read_before(); code != kNothingWrong) return code;
    before_ = learnt_.formulas;
    if (seconds_ > 0) {
      knobs::LearnSettings settings;
      settings.options = options_.only;
      settings.limits = limits_;
      const auto readership = solver::readership_of({&*solver, 1}, *ir::OpTable::standard());
      if (!readership) return fail(readership.error(), {});
      knobs::OptionLearner learner(*solver, settings, *readership, learnt_);
      if (learner.option_count() == 0) {
        return fail({base::ErrorKind::kUnsupported,
                     fmt::format("{} lists no option that could be tried", solver->name),
                     {}},
                    {});
      }
      learn(learner);
      runs_ = learner.runs();
      if (write_error_) return fail(*write_error_, options_.out);
    }
    if (auto written = replace_output(options_.out, knobs::print_correlations(learnt_)); !written) {
      return fail(written.error(), options_.out);
    }
    show();
    return kNothingWrong;
  }

 private:
  int read_before() {
    std::vector<std::string> files = options_.inputs;
    std::error_code error;
    if (options_.resume && fs::exists(options_.out, error)) files.push_back(options_.out);
    for (const std::string& file : files) {
      const auto more = correlations_in(file);
      if (!more) return fail(more.error(), file);
      if (more->solver != learnt_.solver) {
        const std::string message =
            fmt::format("{} is about {}, not {}", file, more->solver, learnt_.solver);
        return fail({base::ErrorKind::kUnsupported, message, {}}, file);
      }
      learnt_.merge(*more);
    }
    return kNothingWrong;
  }

  void learn(knobs::OptionLearner& learner) {
    campaign::Control control;
    const Interrupts interrupts(control);
    // A resumed lesson must not repeat the formulas of the one before.
    base::Rng rng(options_.rng ^ (learnt_.formulas << 32));
    const Clock::time_point start = Clock::now();
    const auto stop = [&] { return control.stop || base::seconds_since(start) >= seconds_; };
    double next_word = 5;
    while (!stop() && (options_.formulas == 0 || learnt_.formulas - before_ < options_.formulas)) {
      useless_ += learner.learn_one(rng, stop) ? 0 : 1;
      if (base::seconds_since(start) < next_word) continue;
      next_word = base::seconds_since(start) + 10;
      progress(learner, base::seconds_since(start));
      // What was learnt so far outlives us.
      auto written = replace_output(options_.out, knobs::print_correlations(learnt_));
      if (!written) {
        write_error_ = written.error();
        return;
      }
    }
  }

  void progress(const knobs::OptionLearner& learner, double elapsed) const {
    if (options_.quiet) return;
    const uint64_t made = learnt_.formulas - before_;
    const double each = made == 0 ? elapsed : elapsed / static_cast<double>(made);
    tell(
        "{} formulas with {} options each, {:.1f} s a formula; about {:.0f} more until the "
        "end; {} of {} operations in four formulas or more\n",
        made, learner.option_count(), each, (seconds_ - elapsed) / each, learner.known_operations(),
        learner.all_operations());
  }

  void show() const {
    uint64_t relevant = 0;
    uint64_t conflicts = 0;
    uint64_t pairs = 0;
    uint64_t idle = 0;
    for (const auto& [option, row] : learnt_.table()) {
      bool has_effect = false;
      for (const auto& [operation, effects] : row) {
        ++pairs;
        conflicts += effects.conflicts > 0 ? 1 : 0;
        const bool is_relevant = learnt_.is_relevant({operation}, option);
        relevant += is_relevant ? 1 : 0;
        has_effect = has_effect || effects.seen() > 0;
      }
      idle += has_effect ? 0 : 1;
    }
    if (options_.json) {
      const nlohmann::ordered_json summary = {{"solver", learnt_.solver},
                                              {"version", learnt_.version},
                                              {"formulas", learnt_.formulas},
                                              {"useless", useless_},
                                              {"runs", runs_},
                                              {"options", learnt_.table().size()},
                                              {"idle_options", idle},
                                              {"pairs", pairs},
                                              {"relevant", relevant},
                                              {"conflicts", conflicts}};
      put("{}\n", summary.dump());
    } else if (!options_.quiet) {
      put("{}, {} of them new; {}, {} without any effect\n",
          base::counted(learnt_.formulas, "formula"), learnt_.formulas - before_,
          base::counted(learnt_.table().size(), "option"), idle);
      put("{} pairs of an option and an operation: {} relevant, {} with conflicts\n", pairs,
          relevant, conflicts);
    }
  }

  const KnobOptions& options_;
  double seconds_;
  solver::RunLimits limits_;
  knobs::Correlations learnt_;
  uint64_t before_ = 0;
  uint64_t useless_ = 0;
  uint64_t runs_ = 0;
  std::optional<base::Error> write_error_;
};

}  // namespace

void add_learn_options(CLI::App& learn, int& exit_code) {
  const auto options = std::make_shared<KnobOptions>();
  CLI::App* command = learn.add_subcommand(
      "options", "Learn which options of a solver have to do with which operators");
  command->add_option("FILE", options->inputs, "correlation files to be merged into the result");
  command->add_option("--solver", options->solver, "the solver whose options are tried")
      ->type_name("SPEC")
      ->required();
  add_profiles(*command, options->profiles);
  command->add_option("-o,--out", options->out, "the correlation file")
      ->type_name("FILE")
      ->required();
  command->add_option("--time", options->time, "how long: 20m, 1h; 0s only merges")
      ->type_name("TIME")
      ->capture_default_str();
  add_number(*command, "--formulas", options->formulas, "end after so many formulas");
  command->add_option("--timeout", options->timeout, "limit of a check-sat")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--memory", options->memory, "limit of the solver")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_option("--only", options->only, "only options that fit one of these: smt.arith.*")
      ->type_name("PATTERN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--threshold", options->threshold,
                   "an option is relevant to an operator from this share of effects on")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_flag("--resume", options->resume, "keep what the file knows already, and go on");
  add_rng(*command, options->rng, "number that all random choices follow from");
  command->add_flag("--json", options->json, "the counts as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "no progress, no summary");
  command->footer(
      "Small formulas of four kinds of operators are solved with each option changed alone;\n"
      "what that does to the answer, the statistics or the time is counted. Ctrl-C ends it and\n"
      "keeps what was learnt. docs/options.md says how it is used, docs/formats.md what the file\n"
      "looks like.\n\n"
      "Examples:\n"
      "  elenchus learn options --solver z3 -o z3.options --time 1h\n"
      "  elenchus learn options --solver z3 -o z3.options --resume --time 20m\n"
      "  elenchus learn options --solver z3 a.options b.options -o both.options --time 0s\n"
      "  elenchus fuzz --engine typefuzz+options --correlations z3.options");
  command->callback([options, &exit_code] {
    const auto seconds = parse_duration(options->time);
    const auto limits = run_limits(options->timeout, options->memory);
    if (!seconds || !limits) {
      exit_code = fail(seconds ? limits.error() : seconds.error(), {});
      return;
    }
    exit_code = Lesson(*options, *seconds, *limits).run();
  });
}

}  // namespace elenchus::cli
