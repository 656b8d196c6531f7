// `elenchus experiment FILE.toml`: engines or settings compared on equal budgets, on one machine
// or, with `--share URL`, on several.

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
#include "cli/node_name.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "experiment/experiment.h"
#include "experiment/experiment_tables.h"
#include "experiment/shared_runs.h"
#include "share/connection.h"
#include "share/schema.h"

namespace elenchus::cli {
namespace {

using experiment::ExperimentPlan;
using experiment::ExperimentRun;

struct ExperimentOptions {
  std::string file;
  std::string out;
  std::string share;
  std::string node;
  double lease = 120;
  double scale = 1;
  bool dry = false;
  bool quiet = false;
};

void show_plan(const ExperimentPlan& plan) {
  for (const ExperimentRun& run : experiment::planned_runs(plan)) {
    put("{} {} rng {}\n", run.arm, run.repetition, run.rng);
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

experiment::ExperimentHooks hooks_of(const ExperimentOptions& options, const ExperimentPlan& plan,
                                     std::string& unreadable) {
  const size_t all = plan.arms.size() * plan.repetitions;
  experiment::ExperimentHooks hooks;
  hooks.program = "elenchus " ELENCHUS_VERSION;
  hooks.launch = [&](const campaign::Settings& settings) {
    return launch_for(settings, unreadable);
  };
  hooks.watch = [&options, all](size_t before, const ExperimentRun& run) {
    if (options.quiet) return;
    tell("{}/{} {} {}: {} tests, {:.0f} s of CPU time, {} keys, {} bugs\n", before + 1, all,
         run.arm, run.repetition, run.counts.tests, run.cpu_seconds, run.keys, run.bugs.size());
  };
  return hooks;
}

// The experiment is called as the URL says, or else as the plan.
base::Result<share::Address> address_of(const std::string& url, const ExperimentPlan& plan) {
  ELENCHUS_ASSIGN_OR_RETURN(const share::Address address, share::parse_address(url));
  if (!address.campaign.empty()) return address;
  auto named = share::parse_address(share::with_campaign(address.url, plan.name));
  if (named && named->campaign == plan.name) return named;
  return base::Error{
      base::ErrorKind::kUnsupported,
      fmt::format("the plan's name '{}' is none for a URL; ?campaign=NAME in the URL "
                  "gives the experiment another one",
                  base::shown(plan.name, 100)),
      {}};
}

base::Result<std::vector<ExperimentRun>> run_shared(const ExperimentOptions& options,
                                                    const ExperimentPlan& plan,
                                                    const std::string& text,
                                                    const std::string& folder,
                                                    const experiment::ExperimentHooks& hooks,
                                                    campaign::Control& control) {
  ELENCHUS_ASSIGN_OR_RETURN(share::Address address, address_of(options.share, plan));
  ELENCHUS_ASSIGN_OR_RETURN(
      const experiment::Workplace workplace,
      experiment::take_workplace(folder,
                                 options.node.empty() ? usual_node_name(folder) : options.node));
  const experiment::SharedPlan shared{
      .address = std::move(address),
      .text = text,
      .maker = workplace.maker,
      .lease = options.lease,
      .tell = [](const std::string& trouble) {
        tell("elenchus experiment: {}\n",
             trouble.empty() ? "the server answers again"
                             : fmt::format("warning: {}; goes on, and tries again", trouble));
      }};
  return experiment::make_shared_runs(plan, shared, folder, hooks, control);
}

int run_plan(const ExperimentOptions& options) {
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
  std::string unreadable;  // the file that an arm names and that cannot be read
  const experiment::ExperimentHooks hooks = hooks_of(options, *plan, unreadable);
  campaign::Control control;
  const Interrupts interrupts(control);
  const auto runs = options.share.empty()
                        ? experiment::run_experiment(*plan, folder, hooks, control)
                        : run_shared(options, *plan, *text, folder, hooks, control);
  if (!runs) return fail(runs.error(), unreadable);
  if (const auto written = write_results(folder, *plan, *runs); !written) {
    return fail(written.error(), {});
  }
  if (!options.quiet) put("{}", experiment::summary_markdown(*plan, *runs));
  return kNothingWrong;
}

struct Found {
  ExperimentPlan plan;
  std::string text;
  std::vector<ExperimentRun> runs;
};

base::Result<Found> find_shared(const std::string& url) {
  ELENCHUS_ASSIGN_OR_RETURN(const share::Address address, share::parse_address(url));
  ELENCHUS_ASSIGN_OR_RETURN(const auto connection,
                            share::Connection::open(address, share::kReadersPatience));
  if (auto fits = share::check_schema(*connection); !fits) return fits.error();
  ELENCHUS_ASSIGN_OR_RETURN(auto experiment,
                            share::SharedExperiment::find(*connection, address.campaign));
  ELENCHUS_ASSIGN_OR_RETURN(ExperimentPlan plan, experiment::parse_plan(experiment.plan()));
  ELENCHUS_ASSIGN_OR_RETURN(auto runs, experiment::read_shared_runs(experiment));
  return Found{std::move(plan), experiment.plan(), std::move(runs)};
}

// Makes nothing: shows what others have made so far.
int show_shared(const ExperimentOptions& options) {
  const auto found = find_shared(options.file);
  if (!found) return fail(found.error(), {});
  if (options.dry) {
    show_plan(found->plan);
    return kNothingWrong;
  }
  if (!options.out.empty()) {
    auto written = keep_plan(options.out, found->text);
    if (written) written = write_results(options.out, found->plan, found->runs);
    if (!written) return fail(written.error(), {});
  }
  if (!options.quiet) put("{}", experiment::summary_markdown(found->plan, found->runs));
  return kNothingWrong;
}

int run_experiment_command(const ExperimentOptions& options) {
  if (!share::is_address(options.file)) return run_plan(options);
  if (options.share.empty() && options.scale == 1) return show_shared(options);
  return fail({base::ErrorKind::kUnsupported,
               "a URL in place of the plan shows what was made; to make runs, give the plan and "
               "--share URL",
               {}},
              {});
}

}  // namespace

void add_experiment_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExperimentOptions>();
  CLI::App* experiment =
      app.add_subcommand("experiment", "Compare engines or settings on equal budgets");
  experiment
      ->add_option(
          "FILE", options->file,
          "the plan (docs/formats.md describes it), or the URL of an experiment that others "
          "run, to look at it")
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
  experiment
      ->add_option("--share", options->share,
                   "share out the runs with all who are given the same plan and this PostgreSQL "
                   "database (postgresql://HOST/DATABASE, without a password)")
      ->type_name("URL");
  experiment
      ->add_option("--node", options->node,
                   "what this part of it is called (default: the machine and the folder)")
      ->type_name("NAME");
  // For tests: how long a lease lasts, in seconds.
  experiment->add_option("--share-lease", options->lease)
      ->group("")
      ->check(CLI::Range(0.1, 86400.0));
  experiment->add_flag("--dry-run", options->dry, "list the runs and their rng seeds");
  experiment->add_flag("-q,--quiet", options->quiet, "no progress, no table");
  experiment->footer(
      "Ctrl-C ends it; the same command continues with the first run that is not complete.\n\n"
      "With --share, each process makes runs that no other one makes, in a folder of its own, and "
      "waits for\nthe others; all write the tables of all runs. A run that a machine left "
      "unfinished "
      "when it died is\nmade again.\n\n"
      "Examples:\n"
      "  elenchus experiment bench/experiments/engines.toml\n"
      "  elenchus experiment bench/experiments/diver.toml --scale 0.1 -o small\n"
      "  elenchus experiment plan.toml -o results --dry-run\n"
      "  elenchus experiment plan.toml --share postgresql://db/fuzzing -o /scratch/plan\n"
      "  elenchus experiment 'postgresql://db/fuzzing?campaign=plan' -o tables");
  experiment->callback([options, &exit_code] { exit_code = run_experiment_command(*options); });
}

}  // namespace elenchus::cli
