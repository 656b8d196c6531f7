#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/shared.h"
#include "campaign/worker.h"
#include "solver/profile.h"

namespace elenchus::campaign {

// The state of a campaign, for whoever watches it.
struct Snapshot {
  store::Stats stats;
  std::vector<Share> engines;
  size_t seeds = 0;
  size_t seeds_left = 0;
  size_t seeds_visited = 0;
  double session_seconds = 0;
  double tests_per_second = 0;  // over the last seconds
  uint64_t new_bugs = 0;        // in this session
  std::vector<std::string> warnings;
  bool is_ending = false;
};

// What campaigns need to know beyond their settings.
struct Launch {
  std::filesystem::path folder;
  bool resume = false;
  solver::Profiles profiles = solver::Profiles::standard();
  std::shared_ptr<const ir::OpTable> ops;
  std::shared_ptr<const history::Knowledge> knowledge;  // none: what the program has
  std::vector<knobs::Correlations> learnt;              // of options, each of another solver
  std::string program;                                  // name and version
  std::string command_line;                             // as given
};

// A campaign from its start to its end.
class Campaign {
 public:
  // Finds seeds and solvers, makes or opens the folder. Errors say what to do.
  static base::Result<std::unique_ptr<Campaign>> prepare(Settings settings, const Launch& launch,
                                                         Control& control);

  // Runs until the budget is spent or control says stop; calls `watch` about once a second. The
  // error is one of the disk: the campaign ended early.
  base::Result<void> run(const std::function<void(const Snapshot&)>& watch);

  const Shared& shared() const { return shared_; }
  const store::CampaignStore& store() const { return *shared_.store; }

 private:
  base::Result<void> open_store(const Launch& launch);
  base::Result<void> leave_out_tested_seeds();
  std::string described(const Launch& launch) const;
  base::Result<void> flush();
  base::Result<void> note_warnings();
  Snapshot snapshot();
  std::string nothing_tested(const Snapshot& snapshot) const;
  void supervise(const std::function<void(const Snapshot&)>& watch);

  Shared shared_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<uint32_t> working_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_tick_;
  uint64_t last_tests_ = 0;
  double speed_ = 0;
  bool is_over_ = false;
  std::optional<base::Error> store_error_;
};

// What is going wrong, as far as figures tell: a campaign that tests nothing.
// `enough`: how many tests or runs say something.
std::vector<std::string> warnings_about(const store::Stats& stats, uint64_t enough);

}  // namespace elenchus::campaign
