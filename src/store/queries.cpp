#include "store/queries.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "record/kind.h"
#include "store/database.h"
#include "store/json.h"
#include "store/schema.h"

namespace elenchus::store {
namespace {

// What is no sum over buckets.
base::Result<void> load_spent(Database& database, Tallies& tallies) {
  // Viewers read what an older program has written.
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t version, schema_version(database));
  if (version < 2) return {};
  return database.query(
      "SELECT purpose, solver, runs, wall, cpu FROM spent", [&](const Statement& row) {
        tallies.spent[{row.text(0), row.text(1)}] = {row.count(2), row.real(3), row.real(4)};
      });
}

base::Result<void> load_tried(Database& database, Tallies& tallies) {
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t version, schema_version(database));
  if (version < 3) return {};
  return database.query(
      "SELECT class, name, count, new_keys, findings FROM tried", [&](const Statement& row) {
        tallies.tried[{row.text(0), row.text(1)}] = {row.count(2), row.count(3), row.count(4)};
      });
}

// The solver that a bug was found on, as runs name it: that of its first finding.
constexpr std::string_view kTested =
    "coalesce((SELECT findings.solver FROM findings WHERE findings.signature = bugs.signature AND "
    "findings.bug = bugs.id ORDER BY findings.id LIMIT 1), bugs.solver)";

base::Result<void> load_findings(Database& database, Stats& stats) {
  auto done = database.query(
      "SELECT engine, solver, confirmed, sum(weight) FROM findings "
      "GROUP BY engine, solver, confirmed",
      [&](const Statement& row) {
        const auto member = row.integer(2) != 0 ? &Counts::findings : &Counts::unconfirmed;
        stats.total.*member += row.count(3);
        stats.engines[row.text(0)].*member += row.count(3);
        stats.solvers[row.text(1)].*member += row.count(3);
      });
  if (!done) return done;
  return database.query(
      "SELECT engine, " + std::string(kTested) +
          " AS tested, count(*), max(first_seen), "
          "sum(rank = ?1), sum(rank = ?2) FROM bugs GROUP BY engine, tested",
      [&](const Statement& row) {
        stats.total.outside_policy_bugs += row.count(5);
        stats.engines[row.text(0)].outside_policy_bugs += row.count(5);
        stats.solvers[row.text(1)].outside_policy_bugs += row.count(5);
        stats.total.known_bugs += row.count(4);
        stats.engines[row.text(0)].known_bugs += row.count(4);
        stats.solvers[row.text(1)].known_bugs += row.count(4);
        stats.total.bugs += row.count(2);
        stats.engines[row.text(0)].bugs += row.count(2);
        stats.solvers[row.text(1)].bugs += row.count(2);
        stats.last_bug = std::max(stats.last_bug, row.real(3));
      },
      record::kKnownRank, record::kOutsideRank);
}

base::Result<void> load_sessions(Database& database, Stats& stats) {
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t version, schema_version(database));
  const std::string written = version >= 2 ? "written" : "last";
  auto done =
      database.query("SELECT start, last, pid, program, command_line, cpu_self, peak_rss_mb, " +
                         written + " FROM sessions ORDER BY id",
                     [&](const Statement& row) {
                       if (stats.sessions++ == 0) stats.start_time = row.real(0);
                       stats.seconds += std::max(0.0, row.real(1) - row.real(0));
                       stats.last_update = row.real(7);
                       stats.pid = row.integer(2);
                       stats.program = row.text(3);
                       stats.command_line = row.text(4);
                       stats.cpu_seconds_self += row.real(5);
                       stats.peak_rss_mb = std::max(stats.peak_rss_mb, row.count(6));
                     });
  if (!done) return done;
  return database.query("SELECT coalesce(sum(count), 0) FROM events WHERE severity <> 'note'",
                        [&](const Statement& row) { stats.warnings = row.count(0); });
}

}  // namespace

base::Result<Stats> load_stats(Database& database, BucketSums& sums) {
  Stats stats;
  ELENCHUS_ASSIGN_OR_RETURN(Tallies tallies, sums.totals(database));
  if (auto done = load_spent(database, tallies); !done) return done.error();
  if (auto done = load_tried(database, tallies); !done) return done.error();
  stats.add(tallies);
  ELENCHUS_ASSIGN_OR_RETURN(const auto seeds, sums.seeds(database));
  for (const auto& [folder, held] : seeds) {
    stats.seeds += held.seeds;
    stats.seeds_dropped += held.dropped;
  }
  if (auto done = load_findings(database, stats); !done) return done.error();
  if (auto done = load_sessions(database, stats); !done) return done.error();
  return stats;
}

base::Result<std::vector<BugRecord>> load_bugs(Database& database) {
  std::vector<BugRecord> bugs;
  auto done = database.query(
      "SELECT id, signature, kind, solver, version, command, options, engine, seeds, first_seen, "
      "last_seen, count, rank, title, size_original, size_reduced, examples, path, " +
          std::string(kTested) + " FROM bugs",
      [&](const Statement& row) {
        BugRecord& bug = bugs.emplace_back();
        bug.id = row.text(0);
        bug.signature = row.text(1);
        bug.kind = row.text(2);
        bug.solver = row.text(3);
        bug.version = row.text(4);
        bug.command = row.text(5);
        bug.options = parse_list(row.text(6));
        bug.engine = row.text(7);
        bug.seeds = parse_list(row.text(8));
        bug.first_seen = row.real(9);
        bug.last_seen = row.real(10);
        bug.count = row.count(11);
        bug.rank = static_cast<int>(row.integer(12));
        bug.title = row.text(13);
        bug.size_original = row.count(14);
        bug.size_reduced = row.count(15);
        bug.examples = row.count(16);
        bug.path = row.text(17);
        bug.tested = row.text(18);
      });
  if (!done) return done.error();
  const auto key = [](const BugRecord& bug) {
    const uint64_t size = bug.size_reduced != 0 ? bug.size_reduced : bug.size_original;
    return std::make_tuple(bug.rank, bug.options.size(), size, std::cref(bug.id));
  };
  std::sort(bugs.begin(), bugs.end(),
            [&key](const BugRecord& a, const BugRecord& b) { return key(a) < key(b); });
  return bugs;
}

}  // namespace elenchus::store
