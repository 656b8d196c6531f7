// What passes between a campaign's folder and the campaign that it is a part of: bugs of other
// nodes come in, figures go out. The outbox is a table, written in the transaction that counts, so
// that what was counted is sent once, whoever is killed when.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/campaign_store.h"
#include "store/database.h"

namespace elenchus::store {
namespace {

// Figures are added to the last row until it is as large as this: it is read again each time.
constexpr size_t kLargestOutgoing = size_t{1} << 20;

base::Result<void> put_buckets(Database& database, const Figures& figures) {
  for (const RunBucket& row : figures.runs) {
    const auto& of = row.counts.outcomes;
    auto done = database.run(
        "INSERT INTO runs VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        row.bucket.start, row.bucket.width, row.engine, row.solver, of[0], of[1], of[2], of[3],
        of[4], of[5], of[6], row.counts.wall, row.counts.cpu);
    if (!done) return done;
  }
  for (const TestBucket& row : figures.tests) {
    const TestCounts& of = row.counts;
    auto done = database.run("INSERT INTO tests VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                             row.bucket.start, row.bucket.width, row.engine, row.folder, of.tests,
                             of.accepted, of.rejected, of.decided, of.valid, of.skipped);
    if (!done) return done;
  }
  for (const KeyBucket& row : figures.keys) {
    auto done = database.run("INSERT INTO keys VALUES(?1, ?2, ?3, ?4)", row.bucket.start,
                             row.bucket.width, row.solver, row.known);
    if (!done) return done;
  }
  return {};
}

base::Result<void> put_sums(Database& database, const Tallies& sums) {
  for (const auto& [key, of] : sums.spent) {
    auto done = database.run("INSERT INTO spent VALUES(?1, ?2, ?3, ?4, ?5)", key.first, key.second,
                             of.runs, of.wall, of.cpu);
    if (!done) return done;
  }
  for (const auto& [key, count] : sums.skips) {
    auto done = database.run("INSERT INTO skips VALUES(?1, ?2, ?3)", key.first, key.second, count);
    if (!done) return done;
  }
  for (const auto& [key, of] : sums.tried) {
    auto done = database.run("INSERT INTO tried VALUES(?1, ?2, ?3, ?4, ?5)", key.first, key.second,
                             of.count, of.new_keys, of.findings);
    if (!done) return done;
  }
  return {};
}

base::Result<void> put_records(Database& database, const Figures& figures) {
  for (const SeedRecord& row : figures.seeds) {
    const char* status = row.status == SeedStatus::kDropped ? "dropped" : "used";
    auto done =
        database.run("INSERT INTO seeds VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", row.path,
                     row.folder, status, row.reason, row.counts.tests, row.counts.accepted,
                     row.counts.decided, row.counts.findings, row.counts.cpu);
    if (!done) return done;
  }
  for (const FindingRecord& row : figures.findings) {
    auto done = database.run(
        "INSERT INTO findings(time, signature, kind, solver, bug, engine, seeds, confirmed, "
        "weight) VALUES(?1, ?2, ?3, ?4, ?5, ?6, '[]', ?7, ?8)",
        row.time, row.signature, row.kind, row.solver, row.bug, row.engine, row.confirmed,
        row.weight);
    if (!done) return done;
  }
  for (const auto& [signature, seen] : figures.bugs) {
    auto done = database.run(
        "UPDATE bugs SET count = ?2, first_seen = ?3, last_seen = ?4 WHERE signature = ?1",
        signature, seen.count, seen.first, seen.last);
    if (!done) return done;
  }
  const SessionRecord& one = figures.session;
  return database.run(
      "INSERT INTO sessions(id, start, last, pid, program, command_line, cpu_self, peak_rss_mb, "
      "written) VALUES(?1, ?2, ?3, 0, ?4, ?5, ?6, ?7, ?3)",
      one.pid, one.start, one.last, one.program, one.command_line, one.cpu_self, one.peak_rss_mb);
}

}  // namespace

// The session's id grows with every time, so that viewers see that all has changed.
base::Result<void> CampaignStore::replace_figures(const Figures& figures) {
  const std::lock_guard lock(database_->mutex());
  Figures all = figures;
  const auto bug_of_finding = [&](const FindingRecord& row) {
    return row.confirmed ? bug_of(row.signature).value_or("") : std::string();
  };
  for (FindingRecord& row : all.findings) row.bug = bug_of_finding(row);
  return database_->transaction([&]() -> base::Result<void> {
    auto done = database_->query("SELECT coalesce(max(id), 0) + 1 FROM sessions",
                                 [&](const Statement& row) { all.session.pid = row.integer(0); });
    if (!done) return done;
    for (const char* table :
         {"runs", "tests", "keys", "spent", "skips", "tried", "seeds", "findings", "sessions"}) {
      done = database_->run(fmt::format("DELETE FROM {}", table));
      if (!done) return done;
    }
    if (done = put_buckets(*database_, all); !done) return done;
    if (done = put_sums(*database_, all.sums); !done) return done;
    return put_records(*database_, all);
  });
}

base::Result<void> CampaignStore::counting(const std::function<base::Result<void>()>& work) {
  unsent_ = {};
  return database_->transaction([&]() -> base::Result<void> {
    if (auto done = work(); !done) return done;
    return write_outbox();
  });
}

base::Result<void> CampaignStore::write_outbox() {
  if (!options_.is_shared || unsent_.empty()) return {};
  uint64_t number = 0;
  std::string content;
  auto done = database_->query(
      "SELECT number, content FROM outbox WHERE number > ?1 ORDER BY number DESC LIMIT 1",
      [&](const Statement& row) {
        number = row.count(0);
        content = row.text(1);
      },
      offered_);
  if (!done) return done;
  if (number == 0 || content.size() > kLargestOutgoing) {
    return database_->run("INSERT INTO outbox(content) VALUES(?1)", print_delta(unsent_));
  }
  ELENCHUS_ASSIGN_OR_RETURN(Delta delta, parse_delta(content));
  delta.merge(unsent_);
  return database_->run("UPDATE outbox SET content = ?2 WHERE number = ?1", number,
                        print_delta(delta));
}

base::Result<std::vector<Outgoing>> CampaignStore::outgoing(size_t most) {
  const std::lock_guard lock(database_->mutex());
  std::vector<Outgoing> rows;
  auto done = database_->query(
      "SELECT number, content FROM outbox ORDER BY number LIMIT ?1",
      [&](const Statement& row) {
        rows.push_back({row.count(0), row.text(1)});
      },
      most);
  if (!done) return done.error();
  if (!rows.empty()) offered_ = std::max(offered_, rows.back().number);
  return rows;
}

base::Result<void> CampaignStore::drop_outgoing(uint64_t number) {
  const std::lock_guard lock(database_->mutex());
  return database_->transaction(
      [&] { return database_->run("DELETE FROM outbox WHERE number <= ?1", number); });
}

base::Result<void> CampaignStore::without_findings(std::string_view id) {
  return database_->run("UPDATE bugs SET count = 0 WHERE id = ?1", id);
}

base::Result<void> CampaignStore::adopt_bug(Manifest manifest, std::vector<BugFile> files,
                                            std::string_view node) {
  std::erase_if(files, [](const BugFile& file) { return file.name == kManifestName; });
  if (const auto known = bug_of(manifest.signature)) {
    manifest.id = *known;
    return amend_bug(manifest, files);
  }
  const std::lock_guard lock(database_->mutex());
  if (bug_of(manifest.signature)) return {};  // found here meanwhile
  manifest.id = new_id(manifest);
  files.push_back({std::string(kNodeName), fmt::format("{}\n", node)});
  if (!bug_folders_.exists(manifest.id)) {
    if (auto done = bug_folders_.add(manifest, files); !done) return done;
  }
  auto done = database_->transaction([&]() -> base::Result<void> {
    if (auto inserted = insert_bug(manifest); !inserted) return inserted;
    return without_findings(manifest.id);
  });
  if (!done) return done;
  count_bug(manifest);
  const std::lock_guard state(state_mutex_);
  by_signature_.find(manifest.signature)->second.count = 0;
  return {};
}

base::Result<void> CampaignStore::amend_bug(const Manifest& manifest,
                                            const std::vector<BugFile>& files) {
  if (!bug_folders_.read(manifest.id, kNodeName)) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest before, bug_folders_.manifest(manifest.id));
  if (auto done = view_.annotate(manifest, files); !done) return done;
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest amended, bug_folders_.manifest(manifest.id));
  return change_bug(before, amended);
}

}  // namespace elenchus::store
