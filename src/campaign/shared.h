#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "campaign/lanes.h"
#include "campaign/pool.h"
#include "campaign/scheduler.h"
#include "campaign/seeds.h"
#include "campaign/settings.h"
#include "docket/docket.h"
#include "ir/op_table.h"
#include "ir/truth.h"
#include "knobs/catalogue.h"
#include "knobs/correlations.h"
#include "lab/solver_lab.h"
#include "lab/turnstile.h"
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
  explicit KeyBoard(size_t solvers) : seen_(solvers), unnoted_(solvers), untold_(solvers) {}
  // How many of the keys are new; `known` is how many there are in all after that.
  // `fresh`: where the new ones go, too.
  uint32_t add(size_t solver, std::span<const uint64_t> keys, uint64_t& known,
               std::vector<uint64_t>* fresh = nullptr);

  // Those that were added since the last call, as text for restore(). Beyond a million of a solver
  // they are not noted.
  std::string take_notes(size_t solver);
  void restore(size_t solver, std::string_view notes);

  // For a campaign of several nodes. From the first call on, what tests show is kept for the next;
  // the first gives all there is.
  std::vector<uint64_t> take_untold(size_t solver);
  // Others have seen it.
  void learn(size_t solver, uint64_t key);

 private:
  std::mutex mutex_;
  std::vector<std::unordered_set<uint64_t>> seen_;
  std::vector<std::vector<uint64_t>> unnoted_;
  // None: nobody wants them.
  std::vector<std::optional<std::vector<uint64_t>>> untold_;
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

// How the solvers answered the seeds as they are. Thread-safe.
class AnswerBoard {
 public:
  void note(const std::string& seed, std::string answers);
  // False where nothing is known of the seed.
  bool differ(const std::string& seed, std::string_view answers) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> answers_;
};

// What the seeds say, names left aside: of those that are alike, one is enough. Thread-safe.
class LooksOfSeeds {
 public:
  // The seed that has this look and came first: the one that asks, if there was none.
  std::string first_with(uint64_t look, const std::string& seed);

 private:
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::string> seeds_;
};

// A script that a reduction came by and that shows something else, and where the test came from
// that was reduced.
struct Stray {
  std::string script;
  docket::Origin origin;
};

// Those that are to be tested like seeds. The oldest go where there are too many. Thread-safe.
class Strays {
 public:
  void add(Stray stray);
  std::optional<Stray> take();

 private:
  static constexpr size_t kMost = 100;
  std::mutex mutex_;
  std::deque<Stray> strays_;
};

// What the workers of a campaign have in common. Everything that changes is thread-safe.
struct Shared {
  Settings settings;
  std::vector<std::string> engines;  // that take turns, in all ways that are wanted
  std::shared_ptr<const ir::OpTable> ops;
  mutate::EngineSettings engine_settings;  // as the user wants them, for these solvers
  // Of the tests that all nodes make, this one's; all as long as there is no other.
  std::shared_ptr<mutate::Slice> slice = std::make_shared<mutate::Slice>();
  std::vector<solver::Solver> solvers;
  solver::Profiles profiles;
  // For each solver, how large a coverage map it wants; nothing where it is not instrumented.
  std::vector<std::optional<size_t>> map_sizes;
  // For each solver, where its gcov counts go; nothing where it was not built with --coverage.
  std::vector<std::optional<std::filesystem::path>> code_folders;
  // By solver, where an engine wants options: what there is, and what was learnt of it.
  std::vector<knobs::Catalogue> catalogues;
  std::vector<const knobs::Correlations*> correlations;
  std::vector<knobs::Correlations> learnt;
  // The last of the solvers, which is not under test: the others are compared with it.
  std::optional<size_t> baseline;
  SeedList seeds;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<Lanes> lanes = std::make_unique<Lanes>(std::vector<std::string>{"checks"});
  std::unique_ptr<store::CampaignStore> store;
  std::unique_ptr<docket::Docket> docket;
  std::unique_ptr<Pool> pool;  // none: nothing joins
  std::unique_ptr<lab::Turnstile> turnstile;
  std::function<void(lab::SolverLab&)> prepare_lab;  // lets it start processes as is wanted here
  Strays strays;
  AnswerBoard answers;
  LooksOfSeeds looks;
  std::unique_ptr<KeyBoard> keys;
  std::unique_ptr<KeyBoard> edges;  // of instrumented solvers: keys without how often
  std::unique_ptr<Matchmaker> matchmaker;
  Control* control = nullptr;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::atomic<uint64_t> tests = 0;     // given out in this session
  std::atomic<uint64_t> new_bugs = 0;  // stored in this session
  std::atomic<bool> budget_spent = false;
  double cpu_seconds = 0;     // that it may take, solvers and ourselves; 0: as much as it needs
  double own_cpu_before = 0;  // of this program, before the campaign began

  // A seed by its place with the scheduler: those that were given, then those of the pool.
  SeedFile seed(size_t place) const;
  // The script of the pool is a seed from here on.
  void adopt(const Pooled& entry);

  // Ends the campaign: it could not keep what it finds, or could not test. The first reason counts.
  void fail(base::Error error);
  // The same where a finding is lost but for the message, which has its script: each is told.
  void fail_with_loss(const base::Error& error);
  std::optional<base::Error> failure() const;
  // Whether no further test should be started.
  bool is_over();
  // Testing has ended; prosecution has the time of its grace from here on, if it has one.
  void end_testing(bool has_grace);
  bool is_testing() const { return is_testing_; }
  // Whether what is under way should end with what it has: so it was told, or the grace is over.
  bool is_overdue() const;
  // Takes one test from the budget; false when there is none left.
  bool take_test();
  // A test that was taken and could not be made goes back to the budget.
  void give_back_test();
  // A solver has taken CPU time.
  void spend(double cpu_seconds) { solver_cpu_.fetch_add(cpu_seconds, std::memory_order_relaxed); }

 private:
  // Whether solvers and the program itself have taken the CPU time that they have.
  bool is_cpu_spent() const;

  std::atomic<bool> is_testing_ = true;
  std::atomic<std::chrono::steady_clock::time_point> overdue_at_ =
      std::chrono::steady_clock::time_point::max();
  std::atomic<bool> has_failed_ = false;
  std::atomic<double> solver_cpu_ = 0;
  mutable std::mutex failure_mutex_;
  std::optional<base::Error> failure_;
  mutable std::mutex descendants_mutex_;
  std::vector<SeedFile> descendants_;  // in the order of the scheduler
};

}  // namespace elenchus::campaign
