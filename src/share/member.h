#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/bug.h"
#include "share/connection.h"
#include "share/foreign_bugs.h"
#include "share/worth.h"
#include "store/record_folders.h"

namespace elenchus::share {

// A node as it introduces itself.
struct Introduction {
  std::string campaign;
  std::string name;     // as people see it
  std::string uid;      // of the node's folder: the same after every restart
  std::string program;  // name and version
  std::string host;
  std::string settings;     // campaign.toml; that of the first node stays
  bool is_restart = false;  // the process is new: it holds nothing
};

// A suspicion for everybody: texts that are compared, and files that are not looked into.
struct SharedSuspicion {
  std::string look;
  std::string cause;
  std::string kind;
  int rank = 0;
  std::vector<std::string> needs;  // solvers with their versions
  std::vector<store::RecordFile> files;
};

// A suspicion that this node may prosecute. Without files: it is among those that it has.
struct Claim {
  std::string look;
  std::vector<store::RecordFile> files;
  bool is_broken = false;  // its files cannot be read
};

// Of an engine or a seed.
struct NamedWorth {
  std::string what;  // "engine" or "seed"
  std::string name;
  Worth worth;
};

// What has changed since the last time; some of it may be told twice.
struct News {
  struct Bug {
    int64_t id = 0;
    std::string signature;
    int64_t changed = 0;
    bool is_own = false;  // this node has described it
  };
  struct Verdict {
    std::string look;
    std::string stage;  // "open", "described" or "unconfirmed"
    std::string bug;    // its signature, where it is described
  };
  struct Marked {
    std::string signature;
    record::Mark mark;
  };
  std::vector<Bug> bugs;
  std::vector<Verdict> verdicts;
  std::vector<Marked> marks;
  std::vector<std::string> known;  // files of bugs that are known upstream
  std::vector<int64_t> pool;
  std::vector<std::pair<std::string, uint64_t>> keys;  // board, key
  uint64_t unclaimed = 0;                              // suspicions
  uint64_t expired = 0;                                // leases
  uint64_t nodes = 1;                                  // that are alive, with this one
  uint64_t place = 0;                                  // of this one among them, from 0
};

// How far a node has followed the news of a campaign.
struct Followed {
  std::string campaign;  // its number and when it was made
  int64_t horizon = 0;   // changes before this one are known
};

// A node's place in a shared campaign: every question and answer that passes between the two. After
// an error the transaction it was in has not happened; whoever asks again does no harm.
class Member {
 public:
  // Makes the campaign if it is new, and finds the node again by its uid. Where another folder has
  // the name already, the node gets one with a number.
  static base::Result<Member> join(Connection& connection, const Introduction& introduction);

  const std::string& name() const { return name_; }
  // The number of the last figures that arrived.
  uint64_t last_delta() const { return last_delta_; }

  // Says that the node is alive, and prolongs its leases.
  base::Result<void> greet(const std::string& state, double lease);
  // The same with figures, which are added once: those after last_delta(), up to this number.
  base::Result<void> add_delta(uint64_t number, const std::string& delta, const std::string& state,
                               double lease);

  // Of one that this node has told before, the files are replaced.
  base::Result<void> add_bug(const record::Bug& bug, const std::vector<store::RecordFile>& files);
  // The stage that it has there now.
  base::Result<std::string> add_suspicion(const SharedSuspicion& suspicion);
  base::Result<void> add_pool(const std::vector<store::RecordFile>& files, std::string_view digest);
  base::Result<void> add_keys(std::string_view board, std::vector<int64_t> keys);
  base::Result<void> put_worths(const std::vector<NamedWorth>& worths);
  base::Result<void> put_mark(std::string_view signature, const record::Mark& mark);

  base::Result<void> add_known(std::string_view entries);

  // It was described as the bug of this signature, or counts for it.
  base::Result<void> settle(std::string_view look, std::string_view bug);
  // It did not show again.
  base::Result<void> give_up(std::string_view look);
  // Somebody else may have it.
  base::Result<void> release(std::string_view look);

  base::Result<News> news();
  const Followed& followed() const { return followed_; }
  // Begins the news there. False, and they begin anew, where it is another campaign or server.
  base::Result<bool> go_on_from(const Followed& followed);
  base::Result<std::vector<ForeignBug>> bugs(const std::vector<int64_t>& ids);
  // Those that can be read.
  base::Result<std::vector<std::vector<store::RecordFile>>> pool(const std::vector<int64_t>& ids);
  // Of all other nodes together.
  base::Result<std::vector<NamedWorth>> worths();

  // The looks whose leases this node has, whether or not it has heard of it.
  base::Result<std::vector<std::string>> held();
  // Leases that ended are given up, whoever had them.
  base::Result<void> drop_expired_leases();
  // A suspicion that nobody works on and whose cause nobody works on: `mine` first, else the
  // gravest. `solvers`: what the node has; `refused`: what it cannot do anything for.
  base::Result<std::optional<Claim>> claim(const std::vector<std::string>& mine,
                                           const std::vector<std::string>& solvers,
                                           const std::vector<std::string>& refused, double lease);

  // The node ends, and holds nothing any longer.
  base::Result<void> leave();

 private:
  explicit Member(Connection& connection) : connection_(&connection) {}
  base::Result<void> enter(const Introduction& introduction);
  base::Result<void> change_suspicion(std::string_view look, std::string_view change,
                                      std::string_view where, const Value& third);

  Connection* connection_;
  int64_t campaign_ = 0;
  int64_t node_ = 0;
  std::string name_;
  uint64_t last_delta_ = 0;
  Followed followed_;
};

}  // namespace elenchus::share
