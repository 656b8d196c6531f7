// Findings become bugs here. The order of writing is what makes it safe: files aside, flushed,
// renamed (BugFolders::add), then one transaction with the rows, then the counts in memory. A
// process killed between the first two leaves a complete folder without a row, which recover()
// takes up.

#include "store/campaign_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "store/database.h"
#include "store/json.h"
#include "store/kinds.h"

namespace elenchus::store {
namespace {

constexpr uint64_t kExamples = 3;
// Rows in the table of findings for one signature; beyond, the weight of a row rises.
constexpr uint64_t kFindingRows = 1000;
constexpr size_t kMaxSlug = 40;

int rank_of_bug(const Manifest& manifest) {
  return manifest.known.empty() ? rank_of(manifest.kind) : kKnownRank;
}

// Lower-case letters and digits with single hyphens between.
std::string slug(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, kMaxSlug)) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain) {
      result += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result.empty() ? "x" : result;
}

// What is written is what is compared: strings as manifest.json will give them back.
base::Result<Manifest> normalized(Manifest manifest, std::string id, double now) {
  manifest.id = std::move(id);
  if (manifest.time == 0) manifest.time = static_cast<int64_t>(now);
  return parse_manifest(print_manifest(manifest));
}

}  // namespace

std::optional<std::string> CampaignStore::bug_of(std::string_view signature) const {
  const std::lock_guard lock(state_mutex_);
  const auto found = by_signature_.find(signature);
  if (found == by_signature_.end()) return std::nullopt;
  return found->second.id;
}

base::Result<StoredFinding> CampaignStore::add_finding(Finding finding) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(finding.manifest,
                            normalized(std::move(finding.manifest), "unnamed", now()));
  if (const auto known = bug_of(finding.manifest.signature)) return add_to_bug(*known, finding);
  return add_new_bug(finding);
}

base::Result<StoredFinding> CampaignStore::add_new_bug(Finding& finding) {
  Manifest& manifest = finding.manifest;
  manifest.id = new_id(manifest);
  // It is there when its row could not be written the last time.
  if (!bug_folders_.exists(manifest.id)) {
    if (auto done = bug_folders_.add(manifest, finding.files); !done) return done.error();
  }
  auto done = database_->transaction([&]() -> base::Result<void> {
    if (auto inserted = insert_bug(manifest); !inserted) return inserted;
    return insert_finding(manifest, manifest.id, true, 1);
  });
  if (!done) return done.error();
  count_bug(manifest);
  count_finding(manifest, true, 1);
  return StoredFinding{manifest.id, true, 1};
}

base::Result<StoredFinding> CampaignStore::add_to_bug(const std::string& id, Finding& finding) {
  Manifest& manifest = finding.manifest;
  manifest.id = id;
  uint64_t examples = 0;
  {
    const std::lock_guard lock(state_mutex_);
    examples = by_signature_.find(manifest.signature)->second.examples;
  }
  if (!bug_folders_.exists(id)) {
    // Somebody removed it, but the bug is still there.
    if (auto done = bug_folders_.add(manifest, finding.files); !done) return done.error();
  } else if (examples < kExamples && !finding.example.empty()) {
    const BugFile file{fmt::format("{}/{}.smt2", kExamplesName, ++examples), finding.example};
    if (auto done = bug_folders_.put(id, file); !done) return done.error();
  }
  auto done = database_->transaction([&]() -> base::Result<void> {
    auto updated = database_->run(
        "UPDATE bugs SET count = count + 1, last_seen = max(last_seen, ?2), examples = ?3 "
        "WHERE id = ?1",
        id, static_cast<double>(manifest.time), examples);
    if (!updated) return updated;
    return insert_finding(manifest, id, true, 1);
  });
  if (!done) return done.error();
  count_finding(manifest, true, 1);
  const std::lock_guard lock(state_mutex_);
  KnownBug& bug = by_signature_.find(manifest.signature)->second;
  bug.examples = examples;
  return StoredFinding{id, false, ++bug.count};
}

base::Result<void> CampaignStore::add_unconfirmed(const Manifest& finding) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest manifest, normalized(finding, "unnamed", now()));
  auto done = database_->transaction(
      [&] { return insert_finding(manifest, std::string_view(), false, 1); });
  if (done) count_finding(manifest, false, 1);
  return done;
}

std::string CampaignStore::new_id(const Manifest& manifest) const {
  const std::string start = slug(manifest.solver) + '-' + slug(manifest.kind) + '-';
  const std::string digits = fmt::format("{:016x}", base::hash_bytes(manifest.signature));
  const auto is_free = [&](const std::string& id) {
    {
      const std::lock_guard lock(state_mutex_);
      if (signature_of_.contains(id)) return false;
    }
    if (!bug_folders_.exists(id)) return true;
    const auto there = bug_folders_.manifest(id);
    return there.has_value() && there->id == id && there->signature == manifest.signature;
  };
  for (const size_t length : {8, 12, 16}) {
    std::string id = start + digits.substr(0, length);
    if (is_free(id)) return id;
  }
  for (int n = 2;; ++n) {
    std::string id = fmt::format("{}{}-{}", start, digits, n);
    if (is_free(id)) return id;
  }
}

base::Result<void> CampaignStore::insert_bug(const Manifest& manifest) {
  return database_->run(
      "INSERT INTO bugs(id, signature, kind, solver, version, command, options, engine, seeds, "
      "first_seen, last_seen, count, rank, title, size_original, size_reduced, path) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, 1, ?11, ?12, ?13, ?14, ?15)",
      manifest.id, manifest.signature, manifest.kind, manifest.solver, manifest.version,
      manifest.command, list_text(manifest.options), manifest.engine, list_text(manifest.seeds),
      static_cast<double>(manifest.time), rank_of_bug(manifest), manifest.title,
      manifest.size_original, manifest.size_reduced, "bugs/" + manifest.id);
}

base::Result<void> CampaignStore::update_bug(const Manifest& manifest) {
  return database_->run(
      "UPDATE bugs SET kind = ?2, solver = ?3, version = ?4, command = ?5, options = ?6, "
      "engine = ?7, seeds = ?8, rank = ?9, title = ?10, size_original = ?11, size_reduced = ?12 "
      "WHERE id = ?1",
      manifest.id, manifest.kind, manifest.solver, manifest.version, manifest.command,
      list_text(manifest.options), manifest.engine, list_text(manifest.seeds),
      rank_of_bug(manifest), manifest.title, manifest.size_original, manifest.size_reduced);
}

base::Result<void> CampaignStore::insert_finding(const Manifest& manifest, std::string_view bug,
                                                 bool confirmed, uint64_t weight) {
  uint64_t rows = 0;
  auto done = database_->query(
      "SELECT count(*) FROM findings WHERE signature = ?1",
      [&rows](const Statement& row) { rows = row.count(0); }, manifest.signature);
  if (!done) return done;
  if (rows >= kFindingRows) {
    done = database_->run(
        "UPDATE findings SET weight = weight + ?4, time = ?5 WHERE id = (SELECT max(id) FROM "
        "findings WHERE signature = ?1 AND engine = ?2 AND confirmed = ?3)",
        manifest.signature, manifest.engine, confirmed, weight, static_cast<double>(manifest.time));
    if (!done || database_->changes() > 0) return done;
  }
  return database_->run(
      "INSERT INTO findings(time, signature, kind, solver, bug, engine, seeds, confirmed, weight) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      static_cast<double>(manifest.time), manifest.signature, manifest.kind, manifest.solver, bug,
      manifest.engine, list_text(manifest.seeds), confirmed, weight);
}

void CampaignStore::count_finding(const Manifest& manifest, bool confirmed, uint64_t weight) {
  const std::lock_guard lock(state_mutex_);
  const auto member = confirmed ? &Counts::findings : &Counts::unconfirmed;
  totals_.total.*member += weight;
  totals_.engines[manifest.engine].*member += weight;
  totals_.solvers[manifest.solver].*member += weight;
}

void CampaignStore::count_bug(const Manifest& manifest) {
  const std::lock_guard lock(state_mutex_);
  ++totals_.total.bugs;
  ++totals_.engines[manifest.engine].bugs;
  ++totals_.solvers[manifest.solver].bugs;
  if (!manifest.known.empty()) {
    ++totals_.total.known_bugs;
    ++totals_.engines[manifest.engine].known_bugs;
    ++totals_.solvers[manifest.solver].known_bugs;
  }
  totals_.last_bug = std::max(totals_.last_bug, static_cast<double>(manifest.time));
  KnownBug& bug = by_signature_[manifest.signature];
  bug.id = manifest.id;
  bug.kind = manifest.kind;
  bug.solver = manifest.solver;
  bug.count = 1;
  signature_of_[manifest.id] = manifest.signature;
}

base::Result<void> CampaignStore::put_bug_file(std::string_view id, const BugFile& file) {
  const std::lock_guard lock(database_->mutex());
  if (file.name == kManifestName) {
    return base::Error{
        base::ErrorKind::kInternal, "manifest.json is written by update_manifest()", {}};
  }
  return bug_folders_.put(id, file);
}

base::Result<void> CampaignStore::update_manifest(const Manifest& manifest) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest before, bug_folders_.manifest(manifest.id));
  Manifest after = manifest;
  after.signature = before.signature;
  after.time = before.time;
  ELENCHUS_ASSIGN_OR_RETURN(after, normalized(after, before.id, now()));
  auto done =
      bug_folders_.put(after.id, {std::string(kManifestName), print_manifest(after), false});
  if (!done) return done;
  return database_->transaction([&] { return update_bug(after); });
}

base::Result<void> CampaignStore::put_seeds(std::span<const SeedRecord> seeds) {
  const std::lock_guard lock(database_->mutex());
  auto done = database_->transaction([&]() -> base::Result<void> {
    ELENCHUS_ASSIGN_OR_RETURN(
        Statement statement,
        database_->prepare("INSERT INTO seeds(path, folder, hash, status, reason) "
                           "VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(path) DO UPDATE SET "
                           "folder = excluded.folder, hash = excluded.hash, "
                           "status = excluded.status, reason = excluded.reason"));
    for (const SeedRecord& seed : seeds) {
      const char* status = seed.status == SeedStatus::kDropped ? "dropped" : "used";
      auto put = statement.run(seed.path, seed.folder, seed.hash, status, seed.reason);
      if (!put) return put;
    }
    return {};
  });
  if (!done) return done;
  uint64_t all = 0;
  uint64_t dropped = 0;
  done = database_->query("SELECT count(*), coalesce(sum(status = 'dropped'), 0) FROM seeds",
                          [&](const Statement& row) {
                            all = row.count(0);
                            dropped = row.count(1);
                          });
  const std::lock_guard state(state_mutex_);
  totals_.seeds = all;
  totals_.seeds_dropped = dropped;
  return done;
}

base::Result<void> CampaignStore::put_engines(std::span<const EngineRecord> engines) {
  const std::lock_guard lock(database_->mutex());
  return database_->transaction([&]() -> base::Result<void> {
    for (const EngineRecord& engine : engines) {
      auto put = database_->run("INSERT OR REPLACE INTO engines VALUES(?1, ?2, ?3, ?4)",
                                engine.name, engine.pulls, engine.reward, engine.share);
      if (!put) return put;
    }
    return {};
  });
}

base::Result<void> CampaignStore::add_event(Severity severity, std::string_view source,
                                            std::string_view message) {
  const std::lock_guard lock(database_->mutex());
  auto done = insert_event(severity, source, message);
  if (!done || severity == Severity::kNote) return done;
  const std::lock_guard state(state_mutex_);
  ++totals_.warnings;
  return done;
}

base::Result<void> CampaignStore::insert_event(Severity severity, std::string_view source,
                                               std::string_view message) {
  return database_->run(
      "INSERT INTO events VALUES(?1, ?1, ?2, ?3, ?4, 1) ON CONFLICT(source, message) DO UPDATE SET "
      "last = excluded.last, count = count + 1",
      now(), to_string(severity), source, message);
}

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "?";
}

}  // namespace elenchus::store
