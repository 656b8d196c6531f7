#include "store/campaign_view.h"

#include <map>
#include <mutex>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "store/database.h"
#include "store/files.h"
#include "store/json.h"
#include "store/queries.h"
#include "store/schema.h"

namespace elenchus::store {
namespace {

Bucket bucket_of(const Statement& row) { return {row.integer(0), row.integer(1)}; }

Severity severity_of(const std::string& word) {
  if (word == "warning") return Severity::kWarning;
  return word == "error" ? Severity::kError : Severity::kNote;
}

// All rows of an answer, each made a record.
template <typename Record, typename Make, typename... Values>
base::Result<std::vector<Record>> collect(Database& database, std::string_view sql, Make make,
                                          const Values&... values) {
  std::vector<Record> records;
  const std::lock_guard lock(database.mutex());
  auto done = database.query(
      sql, [&](const Statement& row) { records.push_back(make(row)); }, values...);
  if (!done) return done.error();
  return records;
}

RunBucket run_bucket_of(const Statement& row) {
  RunBucket record{bucket_of(row), row.text(2), row.text(3), {}};
  for (size_t i = 0; i < kOutcomes; ++i) {
    record.counts.outcomes[i] = row.count(4 + static_cast<int>(i));
  }
  record.counts.wall = row.real(11);
  record.counts.cpu = row.real(12);
  return record;
}

TestBucket test_bucket_of(const Statement& row) {
  return {bucket_of(row),
          row.text(2),
          row.text(3),
          {row.count(4), row.count(5), row.count(6), row.count(7), row.count(8), row.count(9)}};
}

KeyBucket key_bucket_of(const Statement& row) {
  return {bucket_of(row), row.text(2), row.count(3)};
}

}  // namespace

base::Result<std::unique_ptr<CampaignView>> CampaignView::open(
    const std::filesystem::path& folder) {
  CampaignFolder paths(folder);
  std::error_code ignored;
  if (!std::filesystem::exists(paths.database(), ignored)) {
    const bool is_there = std::filesystem::exists(folder, ignored);
    return base::Error{
        base::ErrorKind::kIo,
        fmt::format(
            "'{}' {}", base::shown(folder.native(), 400),
            is_there ? "is not the folder of a campaign: it has no campaign.db" : "does not exist"),
        {}};
  }
  ELENCHUS_ASSIGN_OR_RETURN(auto database,
                            Database::open(paths.database(), Database::Access::kRead));
  if (auto done = check_schema(*database); !done) return done.error();
  return std::make_unique<CampaignView>(std::move(paths),
                                        std::shared_ptr<Database>(std::move(database)));
}

CampaignView::CampaignView(CampaignFolder folder, std::shared_ptr<Database> database)
    : folder_(std::move(folder)), bug_folders_(folder_), database_(std::move(database)) {}

base::Result<std::string> CampaignView::settings() const { return read_file(folder_.settings()); }

base::Result<Stats> CampaignView::stats() const {
  const std::lock_guard lock(database_->mutex());
  return load_stats(*database_, sums_);
}

base::Result<std::vector<BugRecord>> CampaignView::bugs() const {
  const std::lock_guard lock(database_->mutex());
  return load_bugs(*database_);
}

base::Result<BugRecord> CampaignView::bug(std::string_view id) const {
  ELENCHUS_ASSIGN_OR_RETURN(const std::vector<BugRecord> all, bugs());
  const BugRecord* found = nullptr;
  std::string matches;
  for (const BugRecord& bug : all) {
    if (bug.id == id) return bug;
    if (id.empty() || !bug.id.starts_with(id)) continue;
    found = matches.empty() ? &bug : nullptr;
    matches += (matches.empty() ? "" : ", ") + bug.id;
  }
  if (found != nullptr) return *found;
  const auto message =
      matches.empty()
          ? fmt::format("there is no bug '{}' in '{}'", base::shown(id),
                        base::shown(folder_.root().native(), 400))
          : fmt::format("'{}' may be any of {}", base::shown(id), base::shown(matches, 400));
  return base::Error{base::ErrorKind::kIo, message, {}};
}

namespace {

// The description that a bug's folder has, with what the database counts and what somebody said.
record::Bug joined(const BugFolders& folders, Manifest described, const BugRecord& row) {
  described.tested = row.tested;
  described.count = row.count;
  described.first_seen = row.first_seen;
  described.last_seen = row.last_seen;
  described.rank = row.rank;
  described.examples = row.examples;
  described.path = row.path;
  const auto text = folders.read(row.id, kMarkName);
  const auto mark = text ? parse_mark(*text) : base::Result<record::Mark>(text.error());
  if (mark) {
    described.state = mark->state;
    described.reference = mark->reference;
    described.note = mark->note;
  }
  return described;
}

}  // namespace

base::Result<std::vector<record::Bug>> CampaignView::described_bugs() const {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<BugRecord> all, bugs());
  for (BugRecord& bug : all) {
    if (auto described = manifest(bug.id)) bug = joined(bug_folders_, std::move(*described), bug);
  }
  return all;
}

base::Result<record::Bug> CampaignView::described_bug(std::string_view id) const {
  ELENCHUS_ASSIGN_OR_RETURN(const BugRecord row, bug(id));
  ELENCHUS_ASSIGN_OR_RETURN(Manifest described, manifest(row.id));
  return joined(bug_folders_, std::move(described), row);
}

base::Result<void> CampaignView::mark(std::string_view id, const record::Mark& mark) const {
  return bug_folders_.put(id, {std::string(kMarkName), print_mark(mark)});
}

base::Result<void> CampaignView::annotate(const Manifest& manifest,
                                          const std::vector<BugFile>& files) const {
  for (const BugFile& file : files) {
    if (auto done = bug_folders_.put(manifest.id, file); !done) return done;
  }
  // It may have shown near other seeds since the manifest was read.
  const std::lock_guard lock(database_->mutex());
  Manifest annotated = manifest;
  if (auto latest = bug_folders_.manifest(manifest.id)) annotated.seeds = std::move(latest->seeds);
  return bug_folders_.put(manifest.id, {std::string(kManifestName), print_manifest(annotated)});
}

base::Result<std::vector<FindingRecord>> CampaignView::findings(size_t most) const {
  return collect<FindingRecord>(
      *database_,
      "SELECT time, signature, kind, solver, bug, engine, seeds, confirmed, weight FROM findings "
      "ORDER BY id DESC LIMIT ?1",
      [](const Statement& row) {
        return FindingRecord{row.real(0),
                             row.text(1),
                             row.text(2),
                             row.text(3),
                             row.text(4),
                             row.text(5),
                             parse_list(row.text(6)),
                             row.integer(7) != 0,
                             row.count(8)};
      },
      most);
}

base::Result<std::vector<RunBucket>> CampaignView::runs(int64_t since) const {
  return collect<RunBucket>(
      *database_,
      "SELECT bucket, width, engine, solver, sat, unsat, unknown, timeout, memout, crash, "
      "rejected, wall, cpu FROM runs WHERE bucket >= ?1 ORDER BY bucket, engine, solver",
      run_bucket_of, since);
}

base::Result<std::vector<TestBucket>> CampaignView::tests(int64_t since) const {
  return collect<TestBucket>(
      *database_,
      "SELECT bucket, width, engine, folder, tests, accepted, rejected, decided, valid, skipped "
      "FROM tests WHERE bucket >= ?1 ORDER BY bucket, engine, folder",
      test_bucket_of, since);
}

base::Result<std::vector<KeyBucket>> CampaignView::keys(int64_t since) const {
  return collect<KeyBucket>(
      *database_,
      "SELECT bucket, width, solver, known FROM keys WHERE bucket >= ?1 ORDER BY bucket, solver",
      key_bucket_of, since);
}

base::Result<StepSums> CampaignView::steps(int64_t step) const {
  const std::lock_guard lock(database_->mutex());
  return sums_.steps(*database_, step);
}

base::Result<std::vector<FolderRecord>> CampaignView::folders() const {
  const std::lock_guard lock(database_->mutex());
  ELENCHUS_ASSIGN_OR_RETURN(const Tallies made, sums_.totals(*database_));
  ELENCHUS_ASSIGN_OR_RETURN(const auto held, sums_.seeds(*database_));
  std::map<std::string, FolderRecord> folders;
  for (const auto& [name, sums] : held) {
    folders[name] = {name, sums.seeds, sums.dropped, {}, sums.findings, sums.cpu};
  }
  for (const auto& [key, counts] : made.tests) {
    FolderRecord& folder = folders[key.second];
    folder.folder = key.second;
    folder.counts += counts;
  }
  std::vector<FolderRecord> records;
  records.reserve(folders.size());
  for (auto& [name, record] : folders) records.push_back(std::move(record));
  return records;
}

base::Result<std::vector<SkipRecord>> CampaignView::skips() const {
  return collect<SkipRecord>(
      *database_, "SELECT engine, reason, count FROM skips ORDER BY count DESC, engine, reason",
      [](const Statement& row) {
        return SkipRecord{row.text(0), row.text(1), row.count(2)};
      });
}

base::Result<std::vector<SeedRecord>> CampaignView::seeds() const {
  return collect<SeedRecord>(
      *database_,
      "SELECT path, folder, status, reason, tests, accepted, decided, findings, cpu "
      "FROM seeds ORDER BY path",
      [](const Statement& row) {
        return SeedRecord{row.text(0),
                          row.text(1),
                          row.text(2) == "dropped" ? SeedStatus::kDropped : SeedStatus::kUsed,
                          row.text(3),
                          {row.count(4), row.count(5), row.count(6), row.count(7), row.real(8)}};
      });
}

base::Result<std::vector<EngineRecord>> CampaignView::engines() const {
  return collect<EngineRecord>(
      *database_, "SELECT name, pulls, reward, share FROM engines ORDER BY name",
      [](const Statement& row) {
        return EngineRecord{row.text(0), row.real(1), row.real(2), row.real(3)};
      });
}

base::Result<std::vector<EventRecord>> CampaignView::events() const {
  return collect<EventRecord>(
      *database_,
      "SELECT time, last, severity, source, message, count FROM events ORDER BY time, message",
      [](const Statement& row) {
        return EventRecord{row.real(0), row.real(1), severity_of(row.text(2)),
                           row.text(3), row.text(4), row.count(5)};
      });
}

base::Result<std::vector<Memory>> CampaignView::memories(std::string_view prefix) const {
  return collect<Memory>(
      *database_,
      "SELECT name, content FROM memory WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
      [](const Statement& row) {
        return Memory{row.text(0), row.text(1)};
      },
      prefix);
}

base::Result<std::vector<SessionRecord>> CampaignView::sessions() const {
  return collect<SessionRecord>(
      *database_,
      "SELECT start, last, pid, program, command_line, cpu_self, peak_rss_mb FROM sessions "
      "ORDER BY id",
      [](const Statement& row) {
        return SessionRecord{row.real(0), row.real(1), row.integer(2), row.text(3),
                             row.text(4), row.real(5), row.count(6)};
      });
}

}  // namespace elenchus::store
