// `elenchus experiment FILE.toml`: engines or settings compared on equal budgets.

#include "cli/experiment_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/launch.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "experiment/experiment.h"
#include "experiment/experiment_tables.h"

namespace elenchus::cli {
namespace {

using experiment::ExperimentPlan;
using experiment::ExperimentRun;

struct ExperimentOptions {
  std::string file;
  std::string out;
  double scale = 1;
  bool dry = false;
  bool quiet = false;
};

void show_plan(const ExperimentPlan& plan) {
  for (uint32_t repetition = 1; repetition <= plan.repetitions; ++repetition) {
    for (const experiment::Arm& arm : plan.arms) {
      put("{} {} rng {}\n", arm.name, repetition, experiment::run_seed(plan, arm.name, repetition));
    }
  }
}

// The plan is kept beside the results; another plan's results cannot be gone on with.
base::Result<void> keep_plan(const std::string& folder, std::string_view text) {
  const std::string path = folder + "/experiment.toml";
  if (std::filesystem::exists(path)) {
    ELENCHUS_ASSIGN_OR_RETURN(const Input kept, read_input(path));
    if (kept.view() == text) return {};
    return base::Error{
        base::ErrorKind::kUnsupported,
        fmt::format("{} has the results of another plan, or of this one with another budget "
                    "(--scale); name another folder with --out",
                    folder),
        {}};
  }
  std::error_code failed;
  std::filesystem::create_directories(folder + "/plots", failed);
  if (failed) {
    return base::Error{
        base::ErrorKind::kIo,
        fmt::format("cannot make the folder '{}': {}", base::shown(folder, 400), failed.message()),
        {}};
  }
  return write_output(path, std::string(text));
}

base::Result<void> write_results(const std::string& folder, const ExperimentPlan& plan,
                                 const std::vector<ExperimentRun>& runs) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"runs.csv", experiment::runs_csv(runs)},
      {"summary.csv", experiment::summary_csv(plan, runs)},
      {"summary.md", experiment::summary_markdown(plan, runs)}};
  for (auto& [name, svg] : experiment::plots_svg(plan, runs)) {
    files.emplace_back("plots/" + name, std::move(svg));
  }
  for (const auto& [name, content] : files) {
    if (auto done = write_output(fmt::format("{}/{}", folder, name), content); !done) return done;
  }
  return {};
}

// The plan's text, with the scale that the command line gives. The text as it is comes first, so
// that mistakes are named by their own lines.
base::Result<std::string> read_plan(const ExperimentOptions& options) {
  ELENCHUS_ASSIGN_OR_RETURN(const Input input, read_input(options.file));
  ELENCHUS_ASSIGN_OR_RETURN(const ExperimentPlan plan, experiment::parse_plan(input.view()));
  if (options.scale == 1) return std::string(input.view());
  if (plan.scale == 1) return experiment::scaled_plan(input.view(), options.scale);
  return base::Error{base::ErrorKind::kUnsupported,
                     fmt::format("the plan is scaled by {} already", plan.scale),
                     {}};
}

int run_experiment_command(const ExperimentOptions& options) {
  const auto text = read_plan(options);
  if (!text) return fail(text.error(), options.file);
  const auto plan = experiment::parse_plan(*text);
  if (!plan) return fail(plan.error(), options.file);
  if (options.dry) {
    show_plan(*plan);
    return kNothingWrong;
  }
  const std::string folder = options.out.empty()
                                 ? std::filesystem::path(options.file).stem().string() + "-results"
                                 : options.out;
  if (const auto kept = keep_plan(folder, *text); !kept) return fail(kept.error(), {});
  const size_t all = plan->arms.size() * plan->repetitions;
  experiment::ExperimentHooks hooks;
  std::string named;  // the file that an arm names and that cannot be read
  hooks.launch = [&](const campaign::Settings& settings) { return launch_for(settings, named); };
  hooks.watch = [&](size_t index, const ExperimentRun& run, bool done) {
    if (options.quiet || !done) return;
    tell("{}/{} {} {}: {} tests, {:.0f} s of CPU time, {} keys, {} bugs\n", index + 1, all, run.arm,
         run.repetition, run.counts.tests, run.cpu_seconds, run.keys, run.bugs.size());
  };
  campaign::Control control;
  const Interrupts interrupts(control);
  const auto runs = experiment::run_experiment(*plan, folder, hooks, control);
  if (!runs) return fail(runs.error(), named);
  if (const auto written = write_results(folder, *plan, *runs); !written) {
    return fail(written.error(), {});
  }
  if (!options.quiet) put("{}", experiment::summary_markdown(*plan, *runs));
  return kNothingWrong;
}

}  // namespace

void add_experiment_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExperimentOptions>();
  CLI::App* experiment =
      app.add_subcommand("experiment", "Compare engines or settings on equal budgets");
  experiment->add_option("FILE", options->file, "the plan (docs/formats.md describes it)")
      ->required();
  experiment
      ->add_option("-o,--out", options->out,
                   "the folder for runs, tables and plots (default: <FILE's name>-results); runs "
                   "that are complete there are not repeated")
      ->type_name("DIR");
  require_positive(
      *experiment
           ->add_option("--scale", options->scale,
                        "multiply the budget of every run: 0.01 for a first look, 10 to be sure")
           ->type_name("F"));
  experiment->add_flag("--dry-run", options->dry, "list the runs and their rng seeds");
  experiment->add_flag("-q,--quiet", options->quiet, "no progress, no table");
  experiment->footer(
      "Ctrl-C ends it; the same command continues with the first run that is not complete.\n\n"
      "Examples:\n"
      "  elenchus experiment bench/experiments/engines.toml\n"
      "  elenchus experiment bench/experiments/diver.toml --scale 0.1 -o small\n"
      "  elenchus experiment plan.toml -o results --dry-run");
  experiment->callback([options, &exit_code] { exit_code = run_experiment_command(*options); });
}

}  // namespace elenchus::cli
