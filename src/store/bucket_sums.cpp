#include "store/bucket_sums.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "store/database.h"

namespace elenchus::store {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
// A bucket may be written to for so many seconds after its end.
constexpr int64_t kSettled = 120;
// The widest bucket: joining must not move what is read again among what is kept.
constexpr int64_t kWidest = 600;
constexpr std::chrono::minutes kReadAllAgain(10);

RunCounts run_counts(const Statement& row, int first) {
  RunCounts counts;
  for (size_t i = 0; i < kOutcomes; ++i)
    counts.outcomes[i] = row.count(first + static_cast<int>(i));
  counts.wall = row.real(first + static_cast<int>(kOutcomes));
  counts.cpu = row.real(first + static_cast<int>(kOutcomes) + 1);
  return counts;
}

TestCounts test_counts(const Statement& row, int first) {
  return {row.count(first),     row.count(first + 1), row.count(first + 2),
          row.count(first + 3), row.count(first + 4), row.count(first + 5)};
}

// Adds the buckets from `from` on and before `to`.
base::Result<void> add_totals(Database& database, int64_t from, int64_t to, Tallies& sums) {
  auto done = database.query(
      "SELECT engine, solver, sum(sat), sum(unsat), sum(unknown), sum(timeout), sum(memout), "
      "sum(crash), sum(rejected), sum(wall), sum(cpu) FROM runs "
      "WHERE bucket >= ?1 AND bucket < ?2 GROUP BY engine, solver",
      [&](const Statement& row) {
        sums.runs[{row.text(0), row.text(1)}] += run_counts(row, 2);
      },
      from, to);
  if (!done) return done;
  done = database.query(
      "SELECT engine, folder, sum(tests), sum(accepted), sum(rejected), sum(decided), sum(valid), "
      "sum(skipped) FROM tests WHERE bucket >= ?1 AND bucket < ?2 GROUP BY engine, folder",
      [&](const Statement& row) {
        sums.tests[{row.text(0), row.text(1)}] += test_counts(row, 2);
      },
      from, to);
  if (!done) return done;
  return database.query(
      "SELECT solver, max(known) FROM keys WHERE bucket >= ?1 AND bucket < ?2 GROUP BY solver",
      [&](const Statement& row) {
        uint64_t& known = sums.keys[row.text(0)];
        known = std::max(known, row.count(1));
      },
      from, to);
}

base::Result<void> add_steps(Database& database, int64_t from, int64_t to, int64_t step,
                             StepSums& sums) {
  auto done = database.query(
      "SELECT bucket / ?3 * ?3 AS at, solver, sum(sat), sum(unsat), sum(unknown), sum(timeout), "
      "sum(memout), sum(crash), sum(rejected), sum(wall), sum(cpu) FROM runs "
      "WHERE bucket >= ?1 AND bucket < ?2 GROUP BY at, solver",
      [&](const Statement& row) {
        sums.runs[{row.integer(0), row.text(1)}] += run_counts(row, 2);
      },
      from, to, step);
  if (!done) return done;
  done = database.query(
      "SELECT bucket / ?3 * ?3 AS at, engine, sum(tests), sum(accepted), sum(rejected), "
      "sum(decided), sum(valid), sum(skipped) FROM tests "
      "WHERE bucket >= ?1 AND bucket < ?2 GROUP BY at, engine",
      [&](const Statement& row) {
        sums.tests[{row.integer(0), row.text(1)}] += test_counts(row, 2);
      },
      from, to, step);
  if (!done) return done;
  return database.query(
      "SELECT bucket / ?3 * ?3 AS at, solver, max(known) FROM keys "
      "WHERE bucket >= ?1 AND bucket < ?2 GROUP BY at, solver",
      [&](const Statement& row) {
        uint64_t& known = sums.keys[{row.integer(0), row.text(1)}];
        known = std::max(known, row.count(2));
      },
      from, to, step);
}

}  // namespace

base::Result<int64_t> BucketSums::first_open(Database& database) {
  int64_t sessions = 0;
  auto done = database.query("SELECT coalesce(max(id), 0) FROM sessions",
                             [&](const Statement& row) { sessions = row.integer(0); });
  if (!done) return done.error();
  const auto now = Clock::now();
  if (sessions != sessions_ || now - read_at_ > kReadAllAgain) {
    *this = {};
    sessions_ = sessions;
    read_at_ = now;
  }
  int64_t newest = 0;
  done = database.query(
      "SELECT max((SELECT coalesce(max(bucket), 0) FROM runs), "
      "(SELECT coalesce(max(bucket), 0) FROM tests))",
      [&](const Statement& row) { newest = row.integer(0); });
  if (!done) return done.error();
  return std::max<int64_t>(newest - kSettled, 0) / kWidest * kWidest;
}

base::Result<Tallies> BucketSums::totals(Database& database) {
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t open, first_open(database));
  if (open > totals_until_) {
    if (auto done = add_totals(database, totals_until_, open, totals_); !done) {
      *this = {};  // some of it may be there
      return done.error();
    }
    totals_until_ = open;
  }
  Tallies all = totals_;
  if (auto done = add_totals(database, totals_until_, kEnd, all); !done) return done.error();
  return all;
}

base::Result<StepSums> BucketSums::steps(Database& database, int64_t step) {
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t open, first_open(database));
  if (step != step_) {
    steps_ = {};
    steps_until_ = 0;
    step_ = step;
  }
  if (open > steps_until_) {
    if (auto done = add_steps(database, steps_until_, open, step, steps_); !done) {
      *this = {};
      return done.error();
    }
    steps_until_ = open;
  }
  StepSums all = steps_;
  if (auto done = add_steps(database, steps_until_, kEnd, step, all); !done) return done.error();
  return all;
}

base::Result<std::map<std::string, SeedSums>> BucketSums::seeds(Database& database) {
  constexpr int kShare = 100;
  if (auto open = first_open(database); !open) return open.error();
  const Clock::time_point start = Clock::now();
  if (start < seeds_good_until_) return seeds_;
  std::map<std::string, SeedSums> sums;
  auto done = database.query(
      "SELECT folder, count(*), sum(status = 'dropped'), sum(findings), sum(cpu) FROM seeds "
      "GROUP BY folder",
      [&](const Statement& row) {
        sums[row.text(0)] = {row.count(1), row.count(2), row.count(3), row.real(4)};
      });
  if (!done) return done.error();
  seeds_ = std::move(sums);
  seeds_good_until_ = Clock::now() + kShare * (Clock::now() - start);
  return seeds_;
}

}  // namespace elenchus::store
