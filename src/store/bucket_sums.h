#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "store/ledger.h"

namespace elenchus::store {

class Database;

// Sums in steps of some seconds; each begins at the first number.
struct StepSums {
  template <typename Counts>
  using By = std::map<std::pair<int64_t, std::string>, Counts>;

  By<RunCounts> runs;    // by solver
  By<TestCounts> tests;  // by engine
  By<uint64_t> keys;     // by solver: known at the end
};

// The seeds of one folder.
struct SeedSums {
  uint64_t seeds = 0;
  uint64_t dropped = 0;
  uint64_t findings = 0;
  double cpu = 0;  // seconds of all solvers
};

// Sums over the tables of a campaign, for those who look again and again. Buckets that are some
// minutes old change no more, except that they are joined to wider ones, so their sums are kept
// from one look to the next and only later buckets are read again. All are read again every ten
// minutes, and when a session begins. Seeds change all the time: they are read again so seldom that
// it takes a hundredth of the time. Whoever calls holds the database's mutex.
class BucketSums {
 public:
  // Runs, tests and keys of all buckets.
  base::Result<Tallies> totals(Database& database);
  base::Result<StepSums> steps(Database& database, int64_t step);
  // By folder.
  base::Result<std::map<std::string, SeedSums>> seeds(Database& database);

 private:
  // The first bucket that may still change.
  base::Result<int64_t> first_open(Database& database);

  using Clock = std::chrono::steady_clock;

  int64_t sessions_ = 0;
  Clock::time_point read_at_;
  Tallies totals_;  // of buckets before the next
  int64_t totals_until_ = 0;
  int64_t step_ = 0;
  StepSums steps_;  // of buckets before the next
  int64_t steps_until_ = 0;
  std::map<std::string, SeedSums> seeds_;
  Clock::time_point seeds_good_until_;
};

}  // namespace elenchus::store
