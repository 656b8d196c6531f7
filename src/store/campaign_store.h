#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/bug_folders.h"
#include "store/campaign_folder.h"
#include "store/campaign_view.h"
#include "store/delta.h"
#include "store/figures.h"
#include "store/ledger.h"
#include "store/manifest.h"
#include "store/records.h"
#include "store/stats.h"
#include "store/writer_lock.h"

namespace elenchus::store {

// A finding that was confirmed, with all that its bug's folder will hold.
struct Finding {
  Manifest manifest;  // the id is given by the store; a time of 0 means now
  std::vector<BugFile> files;
  std::string example;  // the test as it was found; kept when the bug is known already
};

// What became of a finding.
struct StoredFinding {
  std::string bug;
  bool is_new = false;
  uint64_t count = 0;  // findings of this bug so far
};

struct StoreOptions {
  std::string program = "elenchus";  // name and version
  std::string command_line;
  // Seconds since 1970, by a clock that somebody may set; by default the system's.
  std::function<double()> clock = {};
  // Seconds since whenever, by a clock that nobody sets; by default the system's, or `clock` where
  // that is given.
  std::function<double()> steady = {};
  // Whatever is counted is kept for a larger campaign, too, until drop_outgoing().
  bool is_shared = false;
};

// Figures for the campaign that this one is a part of. What was given out once is given out with
// the same number again, and never added to.
struct Outgoing {
  uint64_t number = 0;
  std::string delta;  // for parse_delta()
};

// Writes a campaign's folder. A bug's files are complete and on the disk before it is counted
// anywhere, and every change of the database is one transaction: a process killed at any moment
// leaves a folder that open() makes whole. After an error, nothing of what failed is counted, and
// the store can go on (counts wait in memory). Thread-safe; workers count in ledgers of their own.
class CampaignStore {
 public:
  // Makes the folder, which must not exist or be empty.
  static base::Result<std::unique_ptr<CampaignStore>> create(const std::filesystem::path& folder,
                                                             std::string_view settings,
                                                             StoreOptions options = {});

  // Goes on with a campaign: removes what was half-written, takes up bugs whose folder is complete
  // and that the database does not know. problems() says what could not be put right.
  static base::Result<std::unique_ptr<CampaignStore>> open(const std::filesystem::path& folder,
                                                           StoreOptions options = {});

  // For viewers.
  static base::Result<std::unique_ptr<CampaignView>> open_read_only(
      const std::filesystem::path& folder) {
    return CampaignView::open(folder);
  }

  const CampaignFolder& folder() const { return folder_; }
  const CampaignView& view() const { return view_; }
  const std::vector<std::string>& problems() const { return problems_; }

  // Seconds since 1970, as the clock said when the session began: within a session nobody sets this
  // time, and a session begins after the one before has ended.
  double now() const { return session_start_ + (options_.steady() - steady_start_); }

  // The bug with this signature, if there is one. Waits for no disk.
  std::optional<std::string> bug_of(std::string_view signature) const;

  // Stores a finding. A new signature makes a new bug; a known one raises its count, and its first
  // few examples are kept.
  base::Result<StoredFinding> add_finding(Finding finding);

  // What was stored for the time being under this signature has become this finding, which may have
  // another: what was counted for it counts for this. `is_new`: no other was known under its own.
  // Where there is no such bug, or it has become one for good, the finding is stored as any other.
  base::Result<StoredFinding> replace_bug(std::string_view signature, Finding finding);
  // What was stored for the time being stays as it is.
  base::Result<void> make_final(std::string_view signature);

  // Notes that a bug is known upstream, in a few words.
  base::Result<void> make_known(const std::string& id, const std::string& known);

  // Takes a bug that another node has described, so that it is known here; none of its findings is
  // counted. One that came from another node before gets these files; one of this node's own stays.
  base::Result<void> adopt_bug(Manifest manifest, std::vector<BugFile> files,
                               std::string_view node);

  // Puts these figures in the place of all that there are.
  base::Result<void> replace_figures(const Figures& figures);

  // What is to be sent, in the order of its numbers, which only grow; at most so many.
  base::Result<std::vector<Outgoing>> outgoing(size_t most);
  // They have arrived, up to and with this one.
  base::Result<void> drop_outgoing(uint64_t number);

  // Counts a finding that could not be confirmed.
  base::Result<void> add_unconfirmed(const Manifest& finding);

  // Seeds that are new are added; of known ones the folder is replaced, and what was dropped stays
  // so. Workers drop seeds by their ledgers.
  base::Result<void> put_seeds(std::span<const SeedRecord> seeds);
  base::Result<void> put_engines(std::span<const EngineRecord> engines);
  base::Result<void> add_event(Severity severity, std::string_view source,
                               std::string_view message);

  // What a later session should know, by name; the store knows nothing of what it says. A name that
  // is there gets the other content.
  base::Result<void> remember(std::span<const Memory> memories);

  // Adds what was counted to the database, in one transaction. What cannot be written is kept for
  // the next time.
  base::Result<void> flush(const Tallies& tallies);

  // Writes stats.json, fuzzer_stats and plot_data.
  base::Result<void> write_status(const Progress& progress = {});

  // What has been counted so far, with what an unsuccessful flush left over.
  Stats stats() const;

 private:
  CampaignStore(CampaignFolder folder, WriterLock lock, std::shared_ptr<Database> database,
                StoreOptions options);

  static base::Result<std::unique_ptr<CampaignStore>> start(CampaignFolder folder, WriterLock lock,
                                                            StoreOptions options);

  base::Result<void> recover();
  base::Result<void> take_up(const std::string& id, const BugRecord* known);
  base::Result<void> report_problem(std::string problem);
  base::Result<void> begin_session();
  base::Result<void> load_state();

  base::Result<StoredFinding> add_normalized(Finding& finding);
  base::Result<StoredFinding> add_new_bug(Finding& finding);
  // Puts the finding in the place of a bug with the same signature.
  base::Result<StoredFinding> renew_bug(const Manifest& before, Finding& finding);
  base::Result<void> take_along(const std::string& from, const std::string& to);
  base::Result<StoredFinding> rename_bug(const Manifest& before, Finding& finding);
  base::Result<StoredFinding> add_to_bug(const std::string& id, Finding& finding);
  base::Result<void> add_seed(const std::string& id, const std::vector<std::string>& seeds);
  std::string new_id(const Manifest& manifest) const;
  base::Result<void> insert_bug(const Manifest& manifest);
  base::Result<void> update_bug(const Manifest& manifest);
  // The same, and it counts as what it is.
  base::Result<void> change_bug(const Manifest& before, const Manifest& manifest);
  base::Result<void> amend_bug(const Manifest& manifest, const std::vector<BugFile>& files);
  // Of a bug that was found elsewhere.
  base::Result<void> without_findings(std::string_view id);
  base::Result<void> insert_finding(const Manifest& manifest, std::string_view bug, bool confirmed,
                                    uint64_t weight);
  base::Result<void> insert_event(Severity severity, std::string_view source,
                                  std::string_view message);
  void count_finding(const Manifest& manifest, bool confirmed, uint64_t weight);
  void count_bug(const Manifest& manifest);
  // `by`: 1, or -1 for one that is gone.
  void add_to_bug_counts(const Manifest& manifest, int by);

  // A transaction whose figures also go to the outbox.
  base::Result<void> counting(const std::function<base::Result<void>()>& work);
  base::Result<void> write_outbox();
  base::Result<void> write_bucket(int64_t bucket, const Tallies& tallies);
  base::Result<void> write_drops(const Tallies& tallies, uint64_t& fresh);
  base::Result<void> write_repeats(const Tallies& tallies);
  base::Result<void> write_session();
  base::Result<void> join_old_buckets();
  base::Result<void> append_plot(const Stats& stats, const Progress& progress);

  struct KnownBug {
    std::string id;
    std::string kind;
    std::string tested;
    uint64_t count = 0;
    uint64_t examples = 0;
  };

  CampaignFolder folder_;
  WriterLock lock_;
  std::shared_ptr<Database> database_;
  StoreOptions options_;
  CampaignView view_;
  BugFolders bug_folders_;
  std::vector<std::string> problems_;

  // Guarded by the database's mutex.
  std::map<int64_t, Tallies> pending_;  // by bucket
  Delta unsent_;                        // by the transaction under way
  uint64_t offered_ = 0;                // the last row of the outbox that somebody has taken
  double last_joined_ = 0;
  double last_plot_ = 0;
  double last_status_ = 0;
  uint64_t last_runs_ = 0;
  double speed_ = 0;  // runs per second, lately
  int64_t session_ = 0;
  double session_start_ = 0;  // as now() has it
  double steady_start_ = 0;   // the same by the clock that nobody sets
  double own_cpu_before_ = 0;

  mutable std::mutex state_mutex_;  // never held during a write; taken after the database's
  Stats totals_;                    // what the database holds, without the current session's times
  std::map<std::string, KnownBug, std::less<>> by_signature_;
  std::map<std::string, std::string, std::less<>> signature_of_;  // by id
};

}  // namespace elenchus::store
