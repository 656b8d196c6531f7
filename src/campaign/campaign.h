#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "campaign/exchange.h"
#include "campaign/shared.h"
#include "campaign/worker.h"
#include "docket/office.h"
#include "mutate/registry.h"
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
  docket::DocketCounts docket;
  bool is_ending = false;
  std::string share;  // how it stands with the other nodes; empty: there are none
};

// What campaigns need to know beyond their settings.
struct Launch {
  std::filesystem::path folder;
  bool resume = false;
  solver::Profiles profiles = solver::Profiles::standard();
  std::shared_ptr<const ir::OpTable> ops;
  mutate::OperatorSet only;  // the operators that tests are made of; null: all
  std::shared_ptr<const history::Knowledge> knowledge;  // none: what the program has
  std::vector<knobs::Correlations> learnt;              // of options, each of another solver
  std::string program;                                  // name and version
  std::string command_line;                             // as given
  SharePace share_pace;                                 // of a campaign on many machines
  std::string known;       // a file of bugs known upstream, for all its nodes; empty: none
  double cpu_seconds = 0;  // that solvers and we may take in all; 0: as much as it needs
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

  // How it stands with the other nodes of a shared campaign; empty: there are none.
  std::string share_state() const { return exchange_ ? exchange_->state() : std::string(); }

  const Shared& shared() const { return shared_; }
  const store::CampaignStore& store() const { return *shared_.store; }

 private:
  base::Result<void> open_store(const Launch& launch);
  // Takes up what earlier sessions learnt.
  base::Result<void> recall();
  base::Result<void> recall_seeds();
  base::Result<void> recall_keys();
  // Puts down what a later session should know.
  base::Result<void> remember();
  std::string described(const Launch& launch) const;
  base::Result<void> flush();
  base::Result<void> note_warnings();
  Snapshot snapshot();
  std::string nothing_tested(const Snapshot& snapshot) const;
  docket::Service service();
  void set_up_labs();
  void hire(base::Rng& rng);
  // A thread for each worker and each prosecutor, as far as they could be started.
  void start_threads();
  // Starts one that counts as one of `busy` until it ends. False, and a failure, where it cannot.
  bool start_thread(std::atomic<uint32_t>& busy, std::function<void()> work);
  bool start_exchange();
  bool cannot_start(const std::system_error& error);
  void reward(const store::Manifest& bug);
  base::Result<void> close(const std::function<void(const Snapshot&)>& watch);
  void supervise(const std::function<void(const Snapshot&)>& watch);
  // Joins the shared campaign, if there is one, or says why not.
  base::Result<void> join(const Launch& launch);
  void check_disk();
  // What was counted waits in memory for a while where the disk is full.
  void note_flush(const base::Result<void>& flushed);
  // Says what was kept and how to go on.
  base::Error with_a_way_on(base::Error error) const;

  Shared shared_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<docket::WaitingList> waiting_;
  std::unique_ptr<Exchange> exchange_;  // none: nothing is shared
  std::unique_ptr<docket::Service> service_;
  std::vector<std::unique_ptr<docket::Office>> offices_;
  std::vector<std::thread> threads_;
  std::atomic<uint32_t> testing_ = 0;      // threads
  std::atomic<uint32_t> prosecuting_ = 0;  // threads
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_tick_;
  uint64_t last_tests_ = 0;
  double speed_ = 0;
  bool is_over_ = false;
  std::map<std::string, std::string> unsaved_;  // memories, by name
  uint64_t key_notes_ = 0;                      // stored by this and earlier sessions
  // Since when, and why, nothing could be written.
  std::optional<std::pair<std::chrono::steady_clock::time_point, base::Error>> unwritten_;
};

// What is going wrong, as far as figures tell: a campaign that tests nothing.
// `enough`: how many tests or runs say something.
std::vector<std::string> warnings_about(const store::Stats& stats, uint64_t enough);

}  // namespace elenchus::campaign
