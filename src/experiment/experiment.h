#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "campaign/campaign.h"
#include "campaign/settings.h"
#include "store/stats.h"

namespace elenchus::experiment {

// One of the things that are compared: an engine, or any other settings.
struct Arm {
  std::string name;
  campaign::Settings settings;
};

// What an experiment's file asks for. Every arm is run so many times, each time until it has spent
// the budget.
struct ExperimentPlan {
  std::string name;
  std::vector<Arm> arms;  // the first is what the others are compared with
  uint32_t repetitions = 5;
  uint64_t rng = 0;
  uint64_t tests = 0;      // the budget of a run, scaled: tests,
  double cpu_seconds = 0;  // or CPU time, solvers' and our own
  double scale = 1;        // times the budget that the file names
};

base::Result<ExperimentPlan> parse_plan(std::string_view toml);

// The text of a plan that has no scale yet, with one.
std::string scaled_plan(std::string_view toml, double scale);

// The rng seed of a run; no two runs have the same.
uint64_t run_seed(const ExperimentPlan& plan, std::string_view arm, uint32_t repetition);

// What came of a run, read from its folder.
struct ExperimentRun {
  std::string arm;
  uint32_t repetition = 0;  // from 1 on
  uint64_t rng = 0;
  store::Counts counts;
  double seconds = 0;
  double cpu_seconds = 0;  // solvers' and our own
  uint64_t keys = 0;       // all solvers together
  // Of solvers built with --coverage, all together; else 0.
  uint64_t lines = 0;
  uint64_t functions = 0;
  uint64_t branches = 0;
  std::vector<std::string> bugs;  // ids; the same bug has the same id in every run
  std::vector<std::pair<double, uint64_t>> growth;  // keys after so many seconds
  // Program, solvers and number of seeds: runs of an arm can be compared where it is the same.
  std::string made_with;
  std::string node;  // where it was made, if several machines share the runs
};

// All runs of a plan, in the order in which they are made: repetitions are the outer loop, so that
// the arms take turns and a machine that becomes slower does so for all.
std::vector<ExperimentRun> planned_runs(const ExperimentPlan& plan);

struct ExperimentHooks {
  std::string program;  // name and version
  // Operators and knowledge for settings.
  std::function<base::Result<campaign::Launch>(const campaign::Settings&)> launch;
  // A run is complete, after so many others.
  std::function<void(size_t before, const ExperimentRun& run)> watch;
};

// For a run that others could make as well.
struct Company {
  // Before it begins, as far as it is known then: an error is the end of it.
  std::function<base::Result<void>(const ExperimentRun&)> begins;
  // Whether somebody else has it by now.
  std::function<bool()> has_taken_over;
};

// What an arm lacks to be launched.
base::Result<void> check_launches(const ExperimentPlan& plan, const ExperimentHooks& hooks);

// Whether the run is complete in the folder.
bool is_complete(const std::filesystem::path& folder, const ExperimentRun& run);

// Makes the run in folder/runs, unless it is complete there, and reads what came of it. False: it
// was stopped or taken over, and will be made again.
base::Result<bool> complete_run(const ExperimentPlan& plan, const std::filesystem::path& folder,
                                const ExperimentHooks& hooks, ExperimentRun& run,
                                const campaign::Control& control, const Company& company = {});

// Makes all runs that have not been made yet and gives all that are complete. What an arm lacks to
// be launched is said before any is run. When control says stop, the run under way is left
// incomplete.
base::Result<std::vector<ExperimentRun>> run_experiment(const ExperimentPlan& plan,
                                                        const std::filesystem::path& folder,
                                                        const ExperimentHooks& hooks,
                                                        campaign::Control& control);

}  // namespace elenchus::experiment
