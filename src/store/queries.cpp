#include "store/queries.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "store/database.h"
#include "store/json.h"
#include "store/kinds.h"

namespace elenchus::store {
namespace {

base::Result<void> load_tallies(Database& database, Stats& stats) {
  Tallies tallies;
  auto done = database.query(
      "SELECT engine, solver, sum(sat), sum(unsat), sum(unknown), sum(timeout), sum(memout), "
      "sum(crash), sum(rejected), sum(wall), sum(cpu) FROM runs GROUP BY engine, solver",
      [&](const Statement& row) {
        RunCounts& counts = tallies.runs[{row.text(0), row.text(1)}];
        for (size_t i = 0; i < kOutcomes; ++i) {
          counts.outcomes[i] = row.count(2 + static_cast<int>(i));
        }
        counts.wall = row.real(9);
        counts.cpu = row.real(10);
      });
  if (!done) return done;
  done = database.query(
      "SELECT engine, sum(tests), sum(accepted), sum(rejected), sum(decided), sum(valid), "
      "sum(skipped) FROM tests GROUP BY engine",
      [&](const Statement& row) {
        tallies.tests[{row.text(0), ""}] = {row.count(1), row.count(2), row.count(3),
                                            row.count(4), row.count(5), row.count(6)};
      });
  if (!done) return done;
  done = database.query("SELECT solver, max(known) FROM keys GROUP BY solver",
                        [&](const Statement& row) { tallies.keys[row.text(0)] = row.count(1); });
  if (!done) return done;
  stats.add(tallies);
  return {};
}

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
      "SELECT engine, solver, count(*), max(first_seen), sum(rank = ?1) FROM bugs "
      "GROUP BY engine, solver",
      [&](const Statement& row) {
        stats.total.known_bugs += row.count(4);
        stats.engines[row.text(0)].known_bugs += row.count(4);
        stats.solvers[row.text(1)].known_bugs += row.count(4);
        stats.total.bugs += row.count(2);
        stats.engines[row.text(0)].bugs += row.count(2);
        stats.solvers[row.text(1)].bugs += row.count(2);
        stats.last_bug = std::max(stats.last_bug, row.real(3));
      },
      kKnownRank);
}

base::Result<void> load_sessions(Database& database, Stats& stats) {
  auto done = database.query(
      "SELECT start, last, pid, program, command_line, cpu_self, peak_rss_mb FROM sessions "
      "ORDER BY id",
      [&](const Statement& row) {
        if (stats.sessions++ == 0) stats.start_time = row.real(0);
        stats.seconds += std::max(0.0, row.real(1) - row.real(0));
        stats.last_update = row.real(1);
        stats.pid = row.integer(2);
        stats.program = row.text(3);
        stats.command_line = row.text(4);
        stats.cpu_seconds_self += row.real(5);
        stats.peak_rss_mb = std::max(stats.peak_rss_mb, row.count(6));
      });
  if (!done) return done;
  done = database.query("SELECT count(*), coalesce(sum(status = 'dropped'), 0) FROM seeds",
                        [&](const Statement& row) {
                          stats.seeds = row.count(0);
                          stats.seeds_dropped = row.count(1);
                        });
  if (!done) return done;
  return database.query("SELECT coalesce(sum(count), 0) FROM events WHERE severity <> 'note'",
                        [&](const Statement& row) { stats.warnings = row.count(0); });
}

}  // namespace

base::Result<Stats> load_stats(Database& database) {
  Stats stats;
  if (auto done = load_tallies(database, stats); !done) return done.error();
  if (auto done = load_findings(database, stats); !done) return done.error();
  if (auto done = load_sessions(database, stats); !done) return done.error();
  return stats;
}

base::Result<std::vector<BugRecord>> load_bugs(Database& database) {
  std::vector<BugRecord> bugs;
  auto done = database.query(
      "SELECT id, signature, kind, solver, version, command, options, engine, seeds, first_seen, "
      "last_seen, count, rank, title, size_original, size_reduced, examples, path FROM bugs",
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
