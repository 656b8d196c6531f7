#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "share/address.h"
#include "share/connection.h"
#include "store/campaign_store.h"
#include "store/record_folders.h"

namespace elenchus::share {

// A folder that looks like a campaign's and shows a shared one: whoever reads folders reads it. The
// folder belongs to this machine's user, and is brought up to date by whoever opened it first;
// others read what that one has taken.
class Mirror {
 public:
  // Of the campaign that the address names, or the only one that there is. `cache`: where such
  // folders lie, one for each campaign.
  static base::Result<std::unique_ptr<Mirror>> open(const Address& address,
                                                    const std::filesystem::path& cache);

  const std::filesystem::path& folder() const { return folder_; }
  base::Result<void> refresh();
  // What is in the folder; null: another program keeps it up to date.
  store::CampaignStore* store() { return store_.get(); }
  // Files of bugs that are known upstream, as nodes were given them.
  const std::vector<std::string>& known() const { return known_; }

  // Writes down what somebody says of a bug, for all nodes.
  base::Result<void> mark(const std::string& signature, const record::Mark& mark);

 private:
  Mirror(Address address, std::filesystem::path cache)
      : address_(std::move(address)), cache_(std::move(cache)) {}

  base::Result<void> connect();
  base::Result<void> find_campaign();
  base::Result<void> open_folder();
  base::Result<void> take_bugs();
  base::Result<void> take_marks();
  base::Result<void> take_known();
  base::Result<void> add_folder(const store::RecordFolders& folders, const std::string& id,
                                std::string_view table, int64_t row);
  base::Result<void> take_suspicions();
  base::Result<void> take_pool();
  // From a table with a row for each node: its columns, and those of `nodes`.
  base::Result<Rows> of_all_nodes(std::string_view columns, std::string_view table,
                                  std::string_view groups);
  base::Result<void> take_figures();
  base::Result<void> take_nodes();
  base::Result<void> read_buckets(store::Figures& figures);
  base::Result<void> read_sums(store::Figures& figures);
  base::Result<void> read_records(store::Figures& figures);
  base::Result<void> read_session(store::Figures& figures);

  Address address_;
  std::filesystem::path cache_;
  std::unique_ptr<Connection> connection_;
  int64_t campaign_ = 0;
  std::string identity_;  // of the campaign, with its server and when it was made
  std::string settings_;
  std::filesystem::path folder_;
  std::vector<std::string> known_;
  std::unique_ptr<store::CampaignStore> store_;  // none: another program has it
};

// What is known of each campaign and node of a database, for people and for programs.
struct NodeLine {
  std::string campaign;
  std::string name;
  std::string program;
  std::string host;
  std::string standing;  // "alive", "stalled" or "ended"
  double silent = 0;     // seconds since it was last heard of
  double running = 0;    // seconds since it first was
  uint64_t tests = 0;
  uint64_t bugs = 0;
  double tests_per_second = 0;
  double load = 0;
  uint64_t jobs = 0;
};
base::Result<std::vector<NodeLine>> read_nodes(Connection& connection);

}  // namespace elenchus::share
