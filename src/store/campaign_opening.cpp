// Making a campaign's folder, and making one whole again that a killed process left behind.

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "store/campaign_store.h"
#include "store/database.h"
#include "store/files.h"
#include "store/queries.h"
#include "store/schema.h"
#include "store/usage.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;

base::Error refuse(const fs::path& folder, std::string_view why) {
  return {base::ErrorKind::kIo, fmt::format("'{}' {}", base::shown(folder.native(), 400), why), {}};
}

// What create() makes before campaign.toml. A folder with only that is a campaign that never began.
bool is_from_creation(const CampaignFolder& folder, const std::string& name) {
  if (name == folder.bugs().filename() || name == folder.docket().filename()) {
    std::error_code ignored;
    return fs::is_empty(folder.root() / name, ignored);
  }
  return name == folder.lock().filename() ||
         name.starts_with(folder.database().filename().string()) ||
         name.starts_with(kTemporaryPrefix) || name == "lost+found";
}

base::Result<void> check_is_usable(const CampaignFolder& folder) {
  std::error_code error;
  const fs::path& root = folder.root();
  if (!fs::exists(root, error)) return {};
  if (!fs::is_directory(root, error)) return refuse(root, "is not a folder; give another name");
  if (fs::exists(folder.settings(), error)) {
    return refuse(root, "is a campaign already; continue it with --resume, or name another folder");
  }
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(root));
  for (const std::string& name : names) {
    if (is_from_creation(folder, name)) continue;
    return refuse(root, fmt::format("is not empty (it has '{}'); give an empty or new folder",
                                    base::shown(name)));
  }
  return {};
}

// The last line of plot_data may have been cut short.
void drop_torn_line(const fs::path& path) {
  const auto text = read_file(path);
  if (!text || text->empty() || text->back() == '\n') return;
  const size_t end = text->rfind('\n');
  std::error_code ignored;
  fs::resize_file(path, end == std::string::npos ? 0 : end + 1, ignored);
}

bool is_described_as(const BugRecord& bug, const Manifest& manifest) {
  return bug.kind == manifest.kind && bug.solver == manifest.solver &&
         bug.version == manifest.version && bug.command == manifest.command &&
         bug.options == manifest.options && bug.engine == manifest.engine &&
         bug.seeds == manifest.seeds && bug.title == manifest.title &&
         bug.size_original == manifest.size_original && bug.size_reduced == manifest.size_reduced;
}

}  // namespace

CampaignStore::CampaignStore(CampaignFolder folder, WriterLock lock,
                             std::shared_ptr<Database> database, StoreOptions options)
    : folder_(std::move(folder)),
      lock_(std::move(lock)),
      database_(std::move(database)),
      options_(std::move(options)),
      view_(folder_, database_),
      bug_folders_(folder_) {
  if (!options_.steady) {
    options_.steady = options_.clock ? options_.clock : base::seconds_now;
  }
  if (!options_.clock) options_.clock = base::wall_time;
  session_start_ = options_.clock();
  steady_start_ = options_.steady();
}

base::Result<std::unique_ptr<CampaignStore>> CampaignStore::create(const fs::path& folder,
                                                                   std::string_view settings,
                                                                   StoreOptions options) {
  CampaignFolder paths(folder);
  if (auto done = check_is_usable(paths); !done) return done.error();
  if (auto done = make_folder(paths.root()); !done) return done.error();
  // The folder's own name. Where its parent may not be read, that is as durable as it gets.
  (void)sync_folder(fs::absolute(paths.root()).parent_path());
  ELENCHUS_ASSIGN_OR_RETURN(WriterLock lock, WriterLock::acquire(paths.lock()));
  // Another process may have been quicker.
  if (auto done = check_is_usable(paths); !done) return done.error();
  for (const char* end : {"", "-wal", "-shm", "-journal"}) {
    if (auto done = remove_tree(paths.database().string() + end); !done) return done.error();
  }
  if (auto done = make_folder(paths.bugs()); !done) return done.error();
  if (auto done = make_folder(paths.docket()); !done) return done.error();
  ELENCHUS_ASSIGN_OR_RETURN(auto store, start(paths, std::move(lock), std::move(options)));
  // The last step: whoever has this file is a campaign.
  if (auto done = replace_file(paths.settings(), settings, Durability::kNow); !done) {
    return done.error();
  }
  return store;
}

base::Result<std::unique_ptr<CampaignStore>> CampaignStore::open(const fs::path& folder,
                                                                 StoreOptions options) {
  CampaignFolder paths(folder);
  std::error_code error;
  if (!fs::exists(paths.root(), error)) return refuse(folder, "does not exist");
  if (!fs::exists(paths.settings(), error)) {
    return refuse(folder, "is not the folder of a campaign: it has no campaign.toml");
  }
  ELENCHUS_ASSIGN_OR_RETURN(WriterLock lock, WriterLock::acquire(paths.lock()));
  if (auto done = make_folder(paths.bugs()); !done) return done.error();
  if (auto done = make_folder(paths.docket()); !done) return done.error();
  return start(paths, std::move(lock), std::move(options));
}

base::Result<std::unique_ptr<CampaignStore>> CampaignStore::start(CampaignFolder folder,
                                                                  WriterLock lock,
                                                                  StoreOptions options) {
  ELENCHUS_ASSIGN_OR_RETURN(auto database,
                            Database::open(folder.database(), Database::Access::kWrite));
  if (auto done = prepare_schema(*database); !done) return done.error();
  std::string verdict;
  auto done = database->query("PRAGMA quick_check(1)",
                              [&](const Statement& row) { verdict = row.text(0); });
  if (!done) return done.error();
  if (verdict != "ok") {
    return base::Error{
        base::ErrorKind::kIo,
        fmt::format("'{}' is damaged ({}); move it away and resume the campaign, which takes its "
                    "bugs up again from the folder bugs/ (statistics are lost)",
                    folder.database().string(), base::shown(verdict)),
        {}};
  }
  std::unique_ptr<CampaignStore> store(new CampaignStore(std::move(folder), std::move(lock),
                                                         std::move(database), std::move(options)));
  // Whoever had the folder before may have given out all that is there.
  done = store->database_->query("SELECT coalesce(max(number), 0) FROM outbox",
                                 [&](const Statement& row) { store->offered_ = row.count(0); });
  if (!done) return done.error();
  if (done = store->recover(); !done) return done.error();
  if (done = store->load_state(); !done) return done.error();
  if (done = store->begin_session(); !done) return done.error();
  return store;
}

base::Result<void> CampaignStore::recover() {
  if (auto done = bug_folders_.remove_temporaries(); !done) return done;
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(folder_.root()));
  for (const std::string& name : names) {
    if (!name.starts_with(kTemporaryPrefix)) continue;
    if (auto done = remove_tree(folder_.root() / name); !done) return done;
  }
  drop_torn_line(folder_.plot_data());

  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, bug_folders_.list());
  return counting([&]() -> base::Result<void> {
    ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, load_bugs(*database_));
    std::map<std::string_view, const BugRecord*> by_id;
    for (const BugRecord& bug : bugs) {
      by_id[bug.id] = &bug;
      if (bug_folders_.exists(bug.id)) continue;
      auto done = report_problem(fmt::format(
          "the folder of the bug {} is missing; its row in the database stays", bug.id));
      if (!done) return done;
    }
    for (const std::string& id : ids) {
      const auto known = by_id.find(id);
      auto done = take_up(id, known == by_id.end() ? nullptr : known->second);
      if (!done) return done;
    }
    return {};
  });
}

// Makes the database know what the folder says.
base::Result<void> CampaignStore::take_up(const std::string& id, const BugRecord* known) {
  const auto manifest = bug_folders_.manifest(id);
  if (!manifest) {
    return report_problem(
        fmt::format("the bug {} is left alone: {}", id, manifest.error().message));
  }
  if (manifest->id != id || (known != nullptr && known->signature != manifest->signature)) {
    return report_problem(fmt::format(
        "the folder bugs/{} is left alone: its manifest.json is that of another bug, {}", id,
        base::shown(manifest->id)));
  }
  if (known != nullptr) {
    return is_described_as(*known, *manifest) ? base::Result<void>() : update_bug(*manifest);
  }
  // It was to be counted, or it has become another bug. What it was made of waits in the docket.
  if (manifest->is_provisional) return bug_folders_.remove(id);
  std::string other;
  auto done = database_->query(
      "SELECT id FROM bugs WHERE signature = ?1",
      [&other](const Statement& row) { other = row.text(0); }, manifest->signature);
  if (!done) return done;
  if (!other.empty()) {
    return report_problem(
        fmt::format("the folder bugs/{} is left alone: it has the signature of {}", id, other));
  }
  if (done = insert_bug(*manifest); !done) return done;
  if (bug_folders_.read(id, kNodeName)) return without_findings(id);
  return insert_finding(*manifest, id, true, 1);
}

base::Result<void> CampaignStore::report_problem(std::string problem) {
  problems_.push_back(std::move(problem));
  return insert_event(Severity::kWarning, "store", problems_.back());
}

base::Result<void> CampaignStore::load_state() {
  BucketSums sums;
  ELENCHUS_ASSIGN_OR_RETURN(totals_, load_stats(*database_, sums));
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, load_bugs(*database_));
  for (const BugRecord& bug : bugs) {
    by_signature_[bug.signature] = {bug.id, bug.kind, bug.tested, bug.count, bug.examples};
    signature_of_[bug.id] = bug.signature;
  }
  last_runs_ = totals_.total.runs;
  return {};
}

base::Result<void> CampaignStore::begin_session() {
  // The clock may have been set back since the session before.
  double last = 0;
  auto done = database_->query("SELECT coalesce(max(last), 0) FROM sessions",
                               [&](const Statement& row) { last = row.real(0); });
  if (!done) return done;
  session_start_ = std::max(now(), last);
  steady_start_ = options_.steady();
  last_status_ = session_start_;
  own_cpu_before_ = own_usage().cpu_seconds;
  if (totals_.sessions == 0) totals_.start_time = session_start_;
  ++totals_.sessions;
  done = database_->run(
      "INSERT INTO sessions(start, last, pid, program, command_line, written) "
      "VALUES(?1, ?1, ?2, ?3, ?4, ?5)",
      session_start_, static_cast<int64_t>(getpid()), options_.program, options_.command_line,
      options_.clock());
  if (!done) return done;
  return database_->query("SELECT max(id) FROM sessions",
                          [this](const Statement& row) { session_ = row.integer(0); });
}

}  // namespace elenchus::store
