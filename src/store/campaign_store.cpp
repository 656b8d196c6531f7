// Findings become bugs here. The order of writing is what makes it safe: files aside, flushed,
// renamed (BugFolders::add), then one transaction with the rows, then the counts in memory. A
// process killed between the first two leaves a complete folder without a row, which recover()
// takes up.

#include "store/campaign_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "record/kind.h"
#include "record/provisional.h"
#include "store/database.h"
#include "store/json.h"

namespace elenchus::store {
namespace {

constexpr uint64_t kExamples = 3;
// Seeds that a bug names: more say nothing more.
constexpr size_t kMostSeeds = 32;
// Rows in the table of findings for one signature; beyond, the weight of a row rises.
constexpr uint64_t kFindingRows = 1000;
constexpr size_t kMaxSlug = 40;

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
  return add_normalized(finding);
}

// What is brought to its end takes the place of what was told for the time being.
base::Result<StoredFinding> CampaignStore::add_normalized(Finding& finding) {
  const auto known = bug_of(finding.manifest.signature);
  if (!known) return add_new_bug(finding);
  auto added = add_to_bug(*known, finding);
  if (!added || finding.manifest.is_provisional) return added;
  const auto before = bug_folders_.manifest(*known);
  return before && before->is_provisional ? renew_bug(*before, finding) : added;
}

namespace {

// The report says no longer that more is to come.
base::Result<void> finish_report(const BugFolders& folders, const std::string& id) {
  constexpr std::string_view kReport = "report.md";
  const std::string note = std::string(record::kProvisionalNote) + "\n\n";
  auto report = folders.read(id, kReport);
  const size_t at = report ? report->find(note) : std::string::npos;
  if (at == std::string::npos) return {};
  report->erase(at, note.size());
  return folders.put(id, {std::string(kReport), std::move(*report)});
}

}  // namespace

base::Result<void> CampaignStore::make_final(std::string_view signature) {
  const std::lock_guard lock(database_->mutex());
  const auto id = bug_of(signature);
  if (!id) return {};
  ELENCHUS_ASSIGN_OR_RETURN(Manifest manifest, bug_folders_.manifest(*id));
  if (!manifest.is_provisional) return {};
  manifest.is_provisional = false;
  if (auto done = finish_report(bug_folders_, *id); !done) return done;
  return bug_folders_.put(*id, {std::string(kManifestName), print_manifest(manifest)});
}

base::Result<void> CampaignStore::make_known(const std::string& id, const std::string& known) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest before, bug_folders_.manifest(id));
  Manifest manifest = before;
  manifest.known = known;
  auto put = bug_folders_.put(id, {std::string(kManifestName), print_manifest(manifest)});
  return put ? change_bug(before, manifest) : put;
}

base::Result<void> CampaignStore::change_bug(const Manifest& before, const Manifest& manifest) {
  auto updated = update_bug(manifest);
  if (!updated) return updated;
  add_to_bug_counts(before, -1);
  add_to_bug_counts(manifest, 1);
  return {};
}

base::Result<StoredFinding> CampaignStore::replace_bug(std::string_view signature,
                                                       Finding finding) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(finding.manifest,
                            normalized(std::move(finding.manifest), "unnamed", now()));
  const auto id = bug_of(signature);
  if (!id) return add_normalized(finding);
  const auto before = bug_folders_.manifest(*id);
  // Somebody may have changed the file.
  const bool is_it = before && before->id == *id && before->signature == signature;
  if (!is_it || !before->is_provisional) return add_normalized(finding);
  const bool is_same = before->signature == finding.manifest.signature;
  return is_same ? renew_bug(*before, finding) : rename_bug(*before, finding);
}

// Its mark and its examples stay.
base::Result<StoredFinding> CampaignStore::renew_bug(const Manifest& before, Finding& finding) {
  Manifest& manifest = finding.manifest;
  manifest.id = before.id;
  manifest.seeds = before.seeds;
  for (const BugFile& file : finding.files) {
    if (auto put = bug_folders_.put(manifest.id, file); !put) return put.error();
  }
  const BugFile last{std::string(kManifestName), print_manifest(manifest)};
  if (auto put = bug_folders_.put(manifest.id, last); !put) return put.error();
  if (auto done = update_bug(manifest); !done) return done.error();
  add_to_bug_counts(before, -1);
  add_to_bug_counts(manifest, 1);
  const std::lock_guard lock(state_mutex_);
  return StoredFinding{manifest.id, true, by_signature_.find(manifest.signature)->second.count};
}

// What users said of a bug, and its examples, go with it to its new name.
base::Result<void> CampaignStore::take_along(const std::string& from, const std::string& to) {
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, bug_folders_.files(from));
  ELENCHUS_ASSIGN_OR_RETURN(const auto taken, bug_folders_.files(to));
  for (const std::string& name : names) {
    const bool is_theirs = name == kMarkName || name.starts_with(std::string(kExamplesName) + '/');
    if (!is_theirs || std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    ELENCHUS_ASSIGN_OR_RETURN(std::string text, bug_folders_.read(from, name));
    if (auto put = bug_folders_.put(to, {name, std::move(text)}); !put) return put;
  }
  return {};
}

// The new folder is complete before the old one goes; recover() removes that where it has no row.
base::Result<StoredFinding> CampaignStore::rename_bug(const Manifest& before, Finding& finding) {
  Manifest& manifest = finding.manifest;
  const auto known = bug_of(manifest.signature);
  manifest.id = known ? *known : new_id(manifest);
  if (!bug_folders_.exists(manifest.id)) {
    if (auto done = bug_folders_.add(manifest, finding.files); !done) return done.error();
  }
  if (auto done = take_along(before.id, manifest.id); !done) return done.error();
  auto done = counting([&]() -> base::Result<void> {
    if (!known) {
      if (auto inserted = insert_bug(manifest); !inserted) return inserted;
      // What was counted for the old one is all there is.
      auto emptied = database_->run("UPDATE bugs SET count = 0 WHERE id = ?1", manifest.id);
      if (!emptied) return emptied;
    }
    auto moved = database_->run(
        "UPDATE bugs SET count = bugs.count + old.count, first_seen = min(bugs.first_seen, "
        "old.first_seen), last_seen = max(bugs.last_seen, old.last_seen) "
        "FROM (SELECT * FROM bugs WHERE id = ?2) AS old WHERE bugs.id = ?1",
        manifest.id, before.id);
    if (!moved) return moved;
    moved = database_->run("UPDATE findings SET bug = ?1, signature = ?3 WHERE bug = ?2",
                           manifest.id, before.id, manifest.signature);
    if (!moved) return moved;
    return database_->run("DELETE FROM bugs WHERE id = ?1", before.id);
  });
  if (!done) return done.error();
  if (!known) count_bug(manifest);
  add_to_bug_counts(before, -1);
  uint64_t count = 0;
  {
    const std::lock_guard lock(state_mutex_);
    const auto old = by_signature_.find(before.signature);
    KnownBug& bug = by_signature_[manifest.signature];
    count = bug.count = old->second.count + (known ? bug.count : 0);
    by_signature_.erase(old);
    // Repeats that are not written yet have the old name.
    signature_of_[before.id] = manifest.signature;
  }
  if (auto removed = bug_folders_.remove(before.id); !removed) return removed.error();
  return StoredFinding{manifest.id, !known, count};
}

base::Result<StoredFinding> CampaignStore::add_new_bug(Finding& finding) {
  Manifest& manifest = finding.manifest;
  manifest.id = new_id(manifest);
  // It is there when its row could not be written the last time.
  if (!bug_folders_.exists(manifest.id)) {
    if (auto done = bug_folders_.add(manifest, finding.files); !done) return done.error();
  }
  auto done = counting([&]() -> base::Result<void> {
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
  if (auto noted = add_seed(id, manifest.seeds); !noted) return noted.error();
  auto done = counting([&]() -> base::Result<void> {
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

// That a bug shows near other seeds, too, is something to go on. The first of a test's seeds is the
// one that it descends from.
base::Result<void> CampaignStore::add_seed(const std::string& id,
                                           const std::vector<std::string>& seeds) {
  if (seeds.empty()) return {};
  auto known = bug_folders_.manifest(id);
  if (!known) return {};  // somebody changed it; the finding counts all the same
  auto& all = known->seeds;
  const bool is_named = std::find(all.begin(), all.end(), seeds.front()) != all.end();
  if (is_named || all.size() >= kMostSeeds) return {};
  all.push_back(seeds.front());
  const BugFile file{std::string(kManifestName), print_manifest(*known)};
  if (auto put = bug_folders_.put(id, file); !put) return put;
  return database_->run("UPDATE bugs SET seeds = ?2 WHERE id = ?1", id, list_text(all));
}

base::Result<void> CampaignStore::add_unconfirmed(const Manifest& finding) {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Manifest manifest, normalized(finding, "unnamed", now()));
  auto done = counting([&] { return insert_finding(manifest, std::string_view(), false, 1); });
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
      static_cast<double>(manifest.time), record::rank_of(manifest), manifest.title,
      manifest.size_original, manifest.size_reduced, "bugs/" + manifest.id);
}

base::Result<void> CampaignStore::update_bug(const Manifest& manifest) {
  return database_->run(
      "UPDATE bugs SET kind = ?2, solver = ?3, version = ?4, command = ?5, options = ?6, "
      "engine = ?7, seeds = ?8, rank = ?9, title = ?10, size_original = ?11, size_reduced = ?12 "
      "WHERE id = ?1",
      manifest.id, manifest.kind, manifest.solver, manifest.version, manifest.command,
      list_text(manifest.options), manifest.engine, list_text(manifest.seeds),
      record::rank_of(manifest), manifest.title, manifest.size_original, manifest.size_reduced);
}

base::Result<void> CampaignStore::insert_finding(const Manifest& manifest, std::string_view bug,
                                                 bool confirmed, uint64_t weight) {
  unsent_.findings[{manifest.signature, manifest.kind, tested_solver(manifest), manifest.engine,
                    confirmed}] += {weight, static_cast<double>(manifest.time)};
  uint64_t rows = 0;
  auto done = database_->query(
      "SELECT count(*) FROM findings WHERE signature = ?1",
      [&rows](const Statement& row) { rows = row.count(0); }, manifest.signature);
  if (!done) return done;
  if (rows >= kFindingRows) {
    done = database_->run(
        "UPDATE findings SET weight = weight + ?4, time = ?5 WHERE id = (SELECT max(id) FROM "
        "findings WHERE signature = ?1 AND engine = ?2 AND confirmed = ?3 AND solver = ?6)",
        manifest.signature, manifest.engine, confirmed, weight, static_cast<double>(manifest.time),
        tested_solver(manifest));
    if (!done || database_->changes() > 0) return done;
  }
  return database_->run(
      "INSERT INTO findings(time, signature, kind, solver, bug, engine, seeds, confirmed, weight) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      static_cast<double>(manifest.time), manifest.signature, manifest.kind,
      tested_solver(manifest), bug, manifest.engine, list_text(manifest.seeds), confirmed, weight);
}

void CampaignStore::count_finding(const Manifest& manifest, bool confirmed, uint64_t weight) {
  const std::lock_guard lock(state_mutex_);
  const auto member = confirmed ? &Counts::findings : &Counts::unconfirmed;
  totals_.total.*member += weight;
  totals_.engines[manifest.engine].*member += weight;
  totals_.solvers[tested_solver(manifest)].*member += weight;
}

void CampaignStore::add_to_bug_counts(const Manifest& manifest, int by) {
  const std::lock_guard lock(state_mutex_);
  const auto add = [&](uint64_t Counts::*member) {
    const auto change = static_cast<uint64_t>(by);  // of -1, all that makes the sum one less
    totals_.total.*member += change;
    totals_.engines[manifest.engine].*member += change;
    totals_.solvers[tested_solver(manifest)].*member += change;
  };
  add(&Counts::bugs);
  const int rank = record::rank_of(manifest);
  if (rank == record::kKnownRank) add(&Counts::known_bugs);
  if (rank == record::kOutsideRank) add(&Counts::outside_policy_bugs);
}

void CampaignStore::count_bug(const Manifest& manifest) {
  add_to_bug_counts(manifest, 1);
  const std::lock_guard lock(state_mutex_);
  totals_.last_bug = std::max(totals_.last_bug, static_cast<double>(manifest.time));
  KnownBug& bug = by_signature_[manifest.signature];
  bug.id = manifest.id;
  bug.kind = manifest.kind;
  bug.tested = tested_solver(manifest);
  bug.count = 1;
  signature_of_[manifest.id] = manifest.signature;
}

base::Result<void> CampaignStore::put_seeds(std::span<const SeedRecord> seeds) {
  const std::lock_guard lock(database_->mutex());
  auto done = database_->transaction([&]() -> base::Result<void> {
    ELENCHUS_ASSIGN_OR_RETURN(
        Statement statement,
        database_->prepare("INSERT INTO seeds(path, folder, status, reason) "
                           "VALUES(?1, ?2, ?3, ?4) ON CONFLICT(path) DO UPDATE SET "
                           "folder = excluded.folder"));
    for (const SeedRecord& seed : seeds) {
      const char* status = seed.status == SeedStatus::kDropped ? "dropped" : "used";
      auto put = statement.run(seed.path, seed.folder, status, seed.reason);
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

base::Result<void> CampaignStore::remember(std::span<const Memory> memories) {
  const std::lock_guard lock(database_->mutex());
  return database_->transaction([&]() -> base::Result<void> {
    ELENCHUS_ASSIGN_OR_RETURN(Statement statement,
                              database_->prepare("INSERT OR REPLACE INTO memory VALUES(?1, ?2)"));
    for (const Memory& memory : memories) {
      if (auto put = statement.run(memory.name, memory.content); !put) return put;
    }
    return {};
  });
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
