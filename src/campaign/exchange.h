#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "campaign/shared.h"
#include "docket/partners.h"
#include "share/address.h"
#include "share/connection.h"
#include "share/member.h"
#include "store/ledger.h"

namespace elenchus::campaign {

// How often nodes talk to the server, and for how long a suspicion stays with a silent node.
struct SharePace {
  double every = 5;    // seconds
  double lease = 120;  // seconds
};

// What passes between this campaign and the others of a shared one: a thread that talks to the
// database now and then, and catches up when it could not. Nobody waits for it; as long as the
// server is away, the campaign goes on alone.
class Exchange : public docket::Partners {
 public:
  struct Plan {
    share::Address address;
    share::Introduction introduction;
    SharePace pace;
    std::string known;  // a file of bugs that are known upstream, for all nodes; empty: none
  };
  Exchange(Shared& shared, Plan plan);
  ~Exchange() override;

  // Talks to the server for the first time, in this thread; an error is for the user, and will be
  // tried again.
  base::Result<void> begin();
  void start();
  void stop();
  // After stop(): sends what is left, if the server is there, and says goodbye. Takes nothing, so
  // that nothing is counted any more.
  void finish();

  store::Ledger& ledger() { return ledger_; }
  // How it stands, in a few words; whether that is trouble.
  std::string state() const;
  bool is_alone() const;

  // The files of this bug have changed. Waits for nobody.
  void tell_again(const std::string& bug);

  bool may_take(const std::string& look) override;
  bool has_no_more() override;
  void settled(const std::string& look, const std::string& bug) override;
  void given_up(const std::string& look) override;
  void set_aside(const std::string& look) override;

 private:
  // What became of a suspicion here, to be told.
  struct Event {
    enum class What : uint8_t { kSettled, kGivenUp, kSetAside } what;
    std::string look;
    std::string bug;
  };

  void run();
  void tell_state(std::string state, bool is_alone);
  bool has_left_others() const;
  base::Result<void> talk();
  double pause_after(uint32_t failures, bool is_testing);
  base::Result<void> connect();
  base::Result<void> exchange();
  base::Result<void> send_figures();
  base::Result<void> send_bugs();
  base::Result<void> send_bug(const store::BugRecord& bug);
  base::Result<void> send_events();
  base::Result<void> send_suspicions();
  base::Result<void> send_keys();
  base::Result<void> send_pool();
  base::Result<void> send_marks();
  base::Result<void> send_worths();
  base::Result<void> take_news();
  base::Result<void> take_bugs(const std::vector<share::News::Bug>& bugs);
  base::Result<void> take_bug(const share::ForeignBug& bug);
  base::Result<void> take_verdict(const share::News::Verdict& verdict);
  base::Result<void> take_pool(std::vector<int64_t> ids);
  base::Result<void> take_pooled(const std::vector<store::RecordFile>& files);
  base::Result<void> take_mark(const share::News::Marked& marked);
  base::Result<void> take_known(const std::string& entries);
  base::Result<void> take_worths();
  void place_seeds();
  base::Result<void> take_claims();
  base::Result<void> take_claim(const share::Claim& claim);
  base::Result<void> release_lost_claims();
  void take_key(const std::string& board, uint64_t key);
  void add_event(Event event);
  std::string node_state();
  std::vector<std::string> solvers() const;
  size_t most_claims() const;

  Shared& shared_;
  Plan plan_;
  store::Ledger ledger_;
  std::thread thread_;
  std::atomic<bool> stop_ = false;

  mutable std::mutex mutex_;
  bool is_alone_ = true;
  // Since when nobody was reached; nothing until somebody was.
  std::optional<std::chrono::steady_clock::time_point> heard_at_;
  std::string state_;
  std::set<std::string> held_;    // looks that this node may prosecute
  std::set<std::string> closed_;  // looks that nobody claims any longer
  std::deque<Event> events_;
  std::set<std::string> changed_bugs_;  // ids, since the last round
  bool has_no_more_ = false;

  // Of whoever talks to the server.
  base::Rng jitter_;
  std::unique_ptr<share::Connection> connection_;
  std::optional<share::Member> member_;
  std::optional<share::Followed> followed_;  // what was taken whole; none: begin anew
  uint64_t rounds_ = 0;
  double exchanging_ = 0;  // seconds that all rounds took
  bool has_hung_ = false;  // the last attempt failed, and took its time
  uint64_t next_slow_round_ = 0;
  uint64_t nodes_ = 1;  // that are alive
  uint64_t unclaimed_ = 0;
  uint64_t expired_ = 0;
  uint64_t bugs_seen_ = UINT64_MAX;
  std::optional<share::ForeignBugs> foreign_bugs_;
  std::set<std::string> stale_bugs_;           // ids of those of which the server has not all
  std::set<std::string> known_bugs_;           // signatures that the server has
  std::map<std::string, std::string> stages_;  // of looks, as the server has them
  std::set<int64_t> known_pool_;               // ids of scripts that were taken
  std::set<std::string> refused_;              // looks that nobody here can do anything for
  std::map<std::string, std::string> marks_;   // by id, as they were told or heard
  std::set<std::string> known_;                // files of known bugs that were taken
  std::map<std::string, std::vector<int64_t>> keys_;   // by board, still to be sent
  std::deque<std::vector<store::RecordFile>> pooled_;  // still to be sent
  std::map<std::string, share::Worth> heard_;          // what others had of engines and seeds
  std::unordered_map<std::string, size_t> seed_places_;
  size_t seeds_placed_ = 0;
  uint64_t tests_before_ = 0;
  std::chrono::steady_clock::time_point looked_ = {};
  double speed_ = 0;
};

}  // namespace elenchus::campaign
