// Statistics: from the workers' tallies into the database and the status files.

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "store/campaign_store.h"
#include "store/database.h"
#include "store/files.h"
#include "store/usage.h"

namespace elenchus::store {
namespace {

constexpr int64_t kBucketSeconds = 10;

// After some time, buckets are joined to wider ones, so that a week stays quick to read.
struct Width {
  int64_t seconds;
  int64_t age;  // seconds
};
constexpr Width kWider[] = {{60, 2 * 3600}, {600, 2 * 86400}};
constexpr double kJoinEvery = 600;

// plot_data gets a line every five seconds at first, and less often as it grows.
double plot_interval(double seconds) { return std::clamp(seconds / 2000, 5.0, 60.0); }

base::Result<void> write_runs(Database& database, int64_t bucket, const Tallies& tallies) {
  ELENCHUS_ASSIGN_OR_RETURN(
      Statement run,
      database.prepare("INSERT INTO runs VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
                       "?12, ?13) ON CONFLICT DO UPDATE SET "
                       "sat = sat + ?5, unsat = unsat + ?6, unknown = unknown + ?7, "
                       "timeout = timeout + ?8, memout = memout + ?9, crash = crash + ?10, "
                       "rejected = rejected + ?11, wall = wall + ?12, cpu = cpu + ?13"));
  for (const auto& [key, counts] : tallies.runs) {
    const auto& of = counts.outcomes;
    auto done = run.run(bucket, kBucketSeconds, key.first, key.second, of[0], of[1], of[2], of[3],
                        of[4], of[5], of[6], counts.wall, counts.cpu);
    if (!done) return done;
  }
  return {};
}

base::Result<void> write_tests(Database& database, int64_t bucket, const Tallies& tallies) {
  ELENCHUS_ASSIGN_OR_RETURN(
      Statement test,
      database.prepare("INSERT INTO tests VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
                       "ON CONFLICT DO UPDATE SET tests = tests + ?5, accepted = accepted + ?6, "
                       "rejected = rejected + ?7, decided = decided + ?8, valid = valid + ?9, "
                       "skipped = skipped + ?10"));
  for (const auto& [key, counts] : tallies.tests) {
    auto done =
        test.run(bucket, kBucketSeconds, key.first, key.second, counts.tests, counts.accepted,
                 counts.rejected, counts.decided, counts.valid, counts.skipped);
    if (!done) return done;
  }
  return {};
}

// What is not kept in buckets, and keys.
base::Result<void> write_sums(Database& database, int64_t bucket, const Tallies& tallies) {
  for (const auto& [key, sum] : tallies.spent) {
    auto done = database.run(
        "INSERT INTO spent VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET "
        "runs = runs + ?3, wall = wall + ?4, cpu = cpu + ?5",
        key.first, key.second, sum.runs, sum.wall, sum.cpu);
    if (!done) return done;
  }
  for (const auto& [key, tried] : tallies.tried) {
    auto done = database.run(
        "INSERT INTO tried VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET "
        "count = count + ?3, new_keys = new_keys + ?4, findings = findings + ?5",
        key.first, key.second, tried.count, tried.new_keys, tried.findings);
    if (!done) return done;
  }
  for (const auto& [solver, known] : tallies.keys) {
    auto done = database.run(
        "INSERT INTO keys VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET known = max(known, ?4)",
        bucket, kBucketSeconds, solver, known);
    if (!done) return done;
  }
  for (const auto& [key, count] : tallies.skips) {
    auto done = database.run(
        "INSERT INTO skips VALUES(?1, ?2, ?3) ON CONFLICT DO UPDATE SET count = count + ?3",
        key.first, key.second, count);
    if (!done) return done;
  }
  return {};
}

base::Result<void> write_seeds(Database& database, const Tallies& tallies) {
  ELENCHUS_ASSIGN_OR_RETURN(
      Statement seed,
      database.prepare("INSERT INTO seeds(path, tests, accepted, decided, findings, cpu) "
                       "VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET "
                       "tests = tests + ?2, accepted = accepted + ?3, decided = decided + ?4, "
                       "findings = findings + ?5, cpu = cpu + ?6"));
  for (const auto& [path, counts] : tallies.seeds) {
    auto done =
        seed.run(path, counts.tests, counts.accepted, counts.decided, counts.findings, counts.cpu);
    if (!done) return done;
  }
  return {};
}

}  // namespace

base::Result<void> CampaignStore::flush(const Tallies& tallies) {
  const std::lock_guard lock(database_->mutex());
  const double time = now();
  if (!tallies.empty()) {
    {
      const std::lock_guard state(state_mutex_);
      totals_.add(tallies);
      for (const auto& [key, count] : tallies.repeats) {
        const auto signature = signature_of_.find(key.first);
        if (signature == signature_of_.end()) continue;
        KnownBug& bug = by_signature_.find(signature->second)->second;
        bug.count += count;
        totals_.total.findings += count;
        totals_.engines[key.second].findings += count;
        totals_.solvers[bug.tested].findings += count;
      }
    }
    const int64_t bucket = static_cast<int64_t>(time) / kBucketSeconds * kBucketSeconds;
    pending_[bucket].merge(tallies);
  }
  // SQLite would go on writing to a file that nobody can find any more.
  if (database_->is_gone()) return file_error("find", folder_.database(), ENOENT);
  uint64_t dropped = 0;
  auto done = counting([&]() -> base::Result<void> {
    for (const auto& [bucket, counted] : pending_) {
      const int64_t width = delta_width(static_cast<double>(bucket) - totals_.start_time);
      unsent_.buckets[bucket / width * width].merge(counted);
      if (auto written = write_bucket(bucket, counted); !written) return written;
      if (auto written = write_drops(counted, dropped); !written) return written;
      if (auto written = write_repeats(counted); !written) return written;
    }
    return write_session();
  });
  if (!done) return done;
  pending_.clear();
  {
    const std::lock_guard state(state_mutex_);
    totals_.seeds_dropped += dropped;
  }
  if (time - last_joined_ < kJoinEvery) return {};
  done = database_->transaction([&] { return join_old_buckets(); });
  if (done) last_joined_ = time;
  return done;
}

base::Result<void> CampaignStore::write_bucket(int64_t bucket, const Tallies& tallies) {
  if (auto done = write_runs(*database_, bucket, tallies); !done) return done;
  if (auto done = write_tests(*database_, bucket, tallies); !done) return done;
  if (auto done = write_sums(*database_, bucket, tallies); !done) return done;
  return write_seeds(*database_, tallies);
}

base::Result<void> CampaignStore::write_drops(const Tallies& tallies, uint64_t& fresh) {
  ELENCHUS_ASSIGN_OR_RETURN(
      Statement statement,
      database_->prepare("INSERT INTO seeds(path, folder, status, reason) "
                         "VALUES(?1, ?2, 'dropped', ?3) ON CONFLICT DO UPDATE SET "
                         "folder = excluded.folder, status = 'dropped', reason = excluded.reason "
                         "WHERE status <> 'dropped'"));
  for (const auto& [path, drop] : tallies.dropped) {
    if (auto done = statement.run(path, drop.folder, drop.reason); !done) return done;
    fresh += static_cast<uint64_t>(database_->changes());
  }
  return {};
}

base::Result<void> CampaignStore::write_repeats(const Tallies& tallies) {
  for (const auto& [key, count] : tallies.repeats) {
    Manifest manifest;
    manifest.engine = key.second;
    manifest.time = static_cast<int64_t>(now());
    std::string id;  // by now
    {
      const std::lock_guard state(state_mutex_);
      const auto signature = signature_of_.find(key.first);
      if (signature == signature_of_.end()) continue;
      const KnownBug& bug = by_signature_.find(signature->second)->second;
      id = bug.id;
      manifest.signature = signature->second;
      manifest.kind = bug.kind;
      manifest.tested = bug.tested;
    }
    auto done = database_->run(
        "UPDATE bugs SET count = count + ?2, last_seen = max(last_seen, ?3) WHERE id = ?1", id,
        count, static_cast<double>(manifest.time));
    if (!done) return done;
    if (done = insert_finding(manifest, id, true, count); !done) return done;
  }
  return {};
}

base::Result<void> CampaignStore::write_session() {
  const Usage usage = own_usage();
  return database_->run(
      "UPDATE sessions SET last = ?2, cpu_self = ?3, peak_rss_mb = ?4, written = ?5 WHERE id = ?1",
      session_, now(), usage.cpu_seconds - own_cpu_before_, usage.peak_rss_mb, options_.clock());
}

base::Result<void> CampaignStore::join_old_buckets() {
  const auto time = static_cast<int64_t>(now());
  for (const Width& width : kWider) {
    const int64_t limit = (time - width.age) / width.seconds * width.seconds;
    // Into a table aside, then back: a bucket's new start may be another's old one.
    const auto join = [&](std::string_view table, std::string_view names,
                          std::string_view sums) -> base::Result<void> {
      return database_->run_script(fmt::format(
          "CREATE TEMP TABLE joined AS SELECT bucket - bucket % {1} AS start, {1} AS width, {2}, "
          "{3} FROM {0} WHERE bucket < {4} AND width < {1} GROUP BY start, {2};"
          "DELETE FROM {0} WHERE bucket < {4} AND width < {1};"
          "INSERT INTO {0} SELECT * FROM joined; DROP TABLE joined;",
          table, width.seconds, names, sums, limit));
    };
    auto done = join("runs", "engine, solver",
                     "sum(sat), sum(unsat), sum(unknown), sum(timeout), sum(memout), sum(crash), "
                     "sum(rejected), sum(wall), sum(cpu)");
    if (!done) return done;
    done = join("tests", "engine, folder",
                "sum(tests), sum(accepted), sum(rejected), sum(decided), sum(valid), sum(skipped)");
    if (!done) return done;
    if (done = join("keys", "solver", "max(known)"); !done) return done;
  }
  return {};
}

Stats CampaignStore::stats() const {
  const std::lock_guard lock(state_mutex_);
  Stats stats = totals_;
  const Usage usage = own_usage();
  stats.seconds += now() - session_start_;
  stats.cpu_seconds_self += usage.cpu_seconds - own_cpu_before_;
  stats.peak_rss_mb = std::max(stats.peak_rss_mb, usage.peak_rss_mb);
  stats.last_update = options_.clock();
  stats.pid = getpid();
  stats.program = options_.program;
  stats.command_line = options_.command_line;
  return stats;
}

base::Result<void> CampaignStore::write_status(const Progress& progress) {
  const std::lock_guard lock(database_->mutex());
  const Stats stats = this->stats();
  const double time = now();
  const double passed = time - last_status_;
  if (passed >= 1 || speed_ == 0) {
    const auto runs = static_cast<double>(stats.total.runs - last_runs_);
    speed_ = passed > 0 ? runs / passed : 0;
    last_status_ = time;
    last_runs_ = stats.total.runs;
  }
  auto done = replace_file(folder_.stats(), print_stats(stats, progress), Durability::kLater);
  if (!done) return done;
  done = replace_file(folder_.fuzzer_stats(), print_fuzzer_stats(stats, progress, speed_),
                      Durability::kLater);
  if (!done) return done;
  if (last_plot_ != 0 && time - last_plot_ < plot_interval(stats.seconds)) return {};
  done = append_plot(stats, progress);
  if (done) last_plot_ = time;
  return done;
}

base::Result<void> CampaignStore::append_plot(const Stats& stats, const Progress& progress) {
  std::error_code ignored;
  const auto& path = folder_.plot_data();
  const bool is_new = !std::filesystem::exists(path, ignored);
  const std::uintmax_t before = is_new ? 0 : std::filesystem::file_size(path, ignored);
  auto done = append_to_file(
      path, (is_new || before == 0 ? plot_header() : "") + plot_line(stats, progress, speed_));
  // Half a line would spoil the next one.
  if (!done) std::filesystem::resize_file(path, before, ignored);
  return done;
}

}  // namespace elenchus::store
