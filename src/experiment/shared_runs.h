#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "experiment/experiment.h"
#include "share/address.h"
#include "share/experiments.h"
#include "store/writer_lock.h"

namespace elenchus::experiment {

// What came of a run, as one value of a database.
std::string print_run(const ExperimentRun& run);
base::Result<ExperimentRun> parse_run(std::string_view json);

// An experiment whose runs several processes share out through a database.
struct SharedPlan {
  share::Address address;  // its campaign is the experiment's name
  std::string text;        // of the plan
  share::Maker maker;
  double lease = 120;  // seconds until others take over the run of a silent process
  // The server is away, or back again (empty). What was made waits in the folder.
  std::function<void(const std::string& trouble)> tell;
};

// The folder of this process, which no other may work in, and what others know it by.
struct Workplace {
  store::WriterLock lock;
  share::Maker maker;
};
base::Result<Workplace> take_workplace(const std::filesystem::path& folder, std::string name);

// Makes runs, as long as there are some that nobody makes, and waits for those that others make:
// they may come to nothing. Gives all that are complete, whoever made them. A run of a process that
// is silent for longer than the lease is made anew by another one; a run has one result, the first
// that came. As long as the server is away, the run under way goes on.
base::Result<std::vector<ExperimentRun>> make_shared_runs(const ExperimentPlan& plan,
                                                          const SharedPlan& shared,
                                                          const std::filesystem::path& folder,
                                                          const ExperimentHooks& hooks,
                                                          campaign::Control& control);

// Those that are complete.
base::Result<std::vector<ExperimentRun>> read_shared_runs(share::SharedExperiment& experiment);

}  // namespace elenchus::experiment
