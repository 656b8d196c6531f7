#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "campaign/prosecutor.h"
#include "campaign/scheduler.h"
#include "campaign/seeds.h"
#include "campaign/settings.h"
#include "ir/op_table.h"
#include "ir/truth.h"
#include "knobs/catalogue.h"
#include "knobs/correlations.h"
#include "mutate/registry.h"
#include "solver/solver.h"
#include "store/campaign_store.h"

namespace elenchus::campaign {

// How a campaign is told to end. Set from a signal handler or another thread.
struct Control {
  std::atomic<bool> stop = false;  // no further tests; what was found is confirmed and kept
  std::atomic<bool> now = false;   // not even that
};

// What some test has shown of solvers, by solver: keys of statistics or of coverage, or edges.
// Thread-safe.
class KeyBoard {
 public:
  explicit KeyBoard(size_t solvers) : seen_(solvers) {}
  // How many of the keys are new; `known` is how many there are in all after that.
  uint32_t add(size_t solver, std::span<const uint64_t> keys, uint64_t& known);

 private:
  std::mutex mutex_;
  std::vector<std::unordered_set<uint64_t>> seen_;
};

// The seeds whose status is known, for engines that take two. Thread-safe.
class Matchmaker {
 public:
  explicit Matchmaker(size_t seeds) : is_known_(seeds, false) {}
  void note(size_t seed, ir::Truth status, std::string_view logic);
  // Another seed of this status, mostly of the same logic; none where no other is known.
  std::optional<size_t> partner_of(size_t seed, ir::Truth status, std::string_view logic,
                                   base::Rng& rng);

 private:
  std::mutex mutex_;
  std::vector<bool> is_known_;
  // By status and logic; under no logic, those of all.
  std::map<std::pair<ir::Truth, std::string>, std::vector<size_t>> seeds_;
};

// What the workers of a campaign have in common. Everything that changes is thread-safe.
struct Shared {
  Settings settings;
  std::shared_ptr<const ir::OpTable> ops;
  mutate::EngineSettings engine_settings;  // as the user wants them, for these solvers
  std::vector<solver::Solver> solvers;
  // For each solver, how large a coverage map it wants; nothing where it is not instrumented.
  std::vector<std::optional<size_t>> map_sizes;
  // For each solver, where its gcov counts go; nothing where it was not built with --coverage.
  std::vector<std::optional<std::filesystem::path>> code_folders;
  // By solver, where an engine wants options: what there is, and what was learnt of it.
  std::vector<knobs::Catalogue> catalogues;
  std::vector<const knobs::Correlations*> correlations;
  std::vector<knobs::Correlations> learnt;
  SeedList seeds;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<store::CampaignStore> store;
  Docket docket;
  std::unique_ptr<KeyBoard> keys;
  std::unique_ptr<KeyBoard> edges;  // of instrumented solvers: keys without how often
  std::unique_ptr<Matchmaker> matchmaker;
  Control* control = nullptr;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::atomic<uint64_t> tests = 0;     // given out in this session
  std::atomic<uint64_t> new_bugs = 0;  // stored in this session
  std::atomic<bool> budget_spent = false;
  std::atomic<bool> store_failed = false;

  // Whether no further test should be started.
  bool is_over();
  // Whether what is under way should end with what it has: so it was told, or the time has been up
  // for a while.
  bool is_overdue() const;
  // Takes one test from the budget; false when there is none left.
  bool take_test();
};

}  // namespace elenchus::campaign
