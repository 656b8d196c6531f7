#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/bucket_sums.h"
#include "store/bug_folders.h"
#include "store/campaign_folder.h"
#include "store/manifest.h"
#include "store/records.h"
#include "store/stats.h"

namespace elenchus::store {

class Database;

// Reads a campaign's folder: during the campaign, after it and beside it, without ever making it
// wait. Thread-safe. What comes from outside (ids, names of files) is checked and never names
// anything but a file of a bug.
class CampaignView {
 public:
  static base::Result<std::unique_ptr<CampaignView>> open(const std::filesystem::path& folder);

  // On a connection that is open already.
  CampaignView(CampaignFolder folder, std::shared_ptr<Database> database);

  const CampaignFolder& folder() const { return folder_; }

  // The text of campaign.toml.
  base::Result<std::string> settings() const;

  // As of the last flush.
  base::Result<Stats> stats() const;

  // The gravest first; among equals, those with fewer options, then the smaller ones.
  base::Result<std::vector<BugRecord>> bugs() const;
  // The bug whose id this is or starts with.
  base::Result<BugRecord> bug(std::string_view id) const;
  // The same with all that their folders tell; one whose folder cannot be read has the rest.
  base::Result<std::vector<record::Bug>> described_bugs() const;
  base::Result<record::Bug> described_bug(std::string_view id) const;
  base::Result<Manifest> manifest(std::string_view id) const { return bug_folders_.manifest(id); }
  base::Result<std::vector<std::string>> bug_files(std::string_view id) const {
    return bug_folders_.files(id);
  }
  base::Result<std::string> read_bug_file(std::string_view id, std::string_view name) const {
    return bug_folders_.read(id, name);
  }

  // Keeps what somebody says of a bug beside it, in place of what was said before. The campaign
  // may be running.
  base::Result<void> mark(std::string_view id, const record::Mark& mark) const;

  // Adds to a bug what was found out about it since: files, then the manifest with their fields in
  // place of the old one.
  base::Result<void> annotate(const Manifest& manifest, const std::vector<BugFile>& files) const;

  // The newest first.
  base::Result<std::vector<FindingRecord>> findings(size_t most) const;

  // Buckets that start at `since` or later, in the order of time.
  base::Result<std::vector<RunBucket>> runs(int64_t since = 0) const;
  base::Result<std::vector<TestBucket>> tests(int64_t since = 0) const;
  base::Result<std::vector<KeyBucket>> keys(int64_t since = 0) const;

  // The same in steps of so many seconds, for plots: runs by solver (of all engines), tests by
  // engine (of all folders). A bucket that is wider than a step counts in the step where it starts.
  base::Result<StepSums> steps(int64_t step) const;

  base::Result<std::vector<FolderRecord>> folders() const;
  base::Result<std::vector<SkipRecord>> skips() const;
  base::Result<std::vector<SeedRecord>> seeds() const;
  base::Result<std::vector<EngineRecord>> engines() const;
  base::Result<std::vector<EventRecord>> events() const;
  base::Result<std::vector<SessionRecord>> sessions() const;
  // What was remembered under names that begin so, by name.
  base::Result<std::vector<Memory>> memories(std::string_view prefix) const;

 private:
  CampaignFolder folder_;
  BugFolders bug_folders_;
  std::shared_ptr<Database> database_;
  mutable BucketSums sums_;  // guarded by the database's mutex
};

}  // namespace elenchus::store
