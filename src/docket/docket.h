#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "docket/partners.h"
#include "docket/suspicion.h"
#include "store/record_folders.h"

namespace elenchus::docket {

// How many suspicions stand where.
struct DocketCounts {
  uint64_t suspected = 0;
  uint64_t confirmed = 0;
  uint64_t reduced = 0;
  uint64_t unconfirmed = 0;
  uint64_t lost = 0;  // findings of which nothing was written down: too many of their cause wait

  uint64_t open() const { return suspected + confirmed + reduced; }
  std::vector<std::pair<std::string_view, uint64_t>> by_stage() const;
};

// How the docket takes a finding.
struct Reception {
  bool is_wanted = false;  // write it down
  bool is_sample = false;  // although its cause is known well
  bool is_first = false;   // nothing of its cause was met before
  std::string bug = {};    // if not wanted: the signature of the bug that it counts for, if known
};

// A suspicion that was taken up.
struct Assignment {
  Suspicion suspicion;
  // The signature of a bug that accounts for it by its looks. Where that bug shows on the same
  // solver, there is no need to look further.
  std::string probable_bug;
};

// The suspicions of a campaign, on the disk before anybody does anything with them. Thread-safe.
//
// A frequent bug makes thousands of findings. Of those that probably have one cause, one is
// prosecuted at a time; the others wait, and the longer the more often they turned out to be known,
// or to be nothing. Only those that have no operator in common, and that no bug accounts for, are
// prosecuted together: a wrong answer says little of its cause.
// Once a cause is known well, what a known bug accounts for is only counted, but for a few samples
// at growing distances: a bug that is reduced to a common operator must not hide all others. For
// the same reason the first finding of each family of tests is looked into: what descends from
// another seed is more likely to be another bug. What no bug accounts for is written down however
// much of its cause waits, up to a number that no disk minds; what goes beyond it is counted as
// lost.
class Docket {
 public:
  using Clock = std::function<double()>;  // seconds, never set back

  // Takes up what is there. What cannot be read is left where it is; problems() says so.
  static base::Result<std::unique_ptr<Docket>> open(const std::filesystem::path& folder,
                                                    Clock clock = {});

  const std::vector<std::string>& problems() const { return problems_; }

  // A bug that is stored.
  void add_bug(const std::string& signature);

  // What a later session should know beyond what lies in the folder, by name: as much as has
  // changed since the last call.
  std::map<std::string, std::string> take_notes();
  void restore(std::string_view name, std::string_view content);

  // Counts a finding, and says whether it is to be written down. `family`: the seed that the test
  // descends from.
  Reception receive(const std::string& cause, const std::string& look, const std::string& family);

  // Writes a suspicion down; it is on the disk when this returns. Gives it its id.
  base::Result<void> add(Suspicion suspicion, bool is_sample = false);

  // The one to prosecute next: the gravest, then the newest to us. Nothing where none is due;
  // `waits` says whether some will be.
  struct Taken {
    std::optional<Assignment> assignment;
    bool waits = false;
  };
  // `at_once`: none has to wait, since testing is over.
  base::Result<Taken> take(bool at_once);

  // Writes down how far it has come.
  base::Result<void> advance(const Suspicion& suspicion);

  // It is described, as the bug of this signature, or counted for it. Says how many findings like
  // it were met while it waited.
  base::Result<uint64_t> settle(const Suspicion& suspicion, const std::string& bug, bool is_new);
  // It does not show again.
  base::Result<void> give_up(const Suspicion& suspicion);
  // Nobody can do anything for it in this session.
  void set_aside(const Suspicion& suspicion);
  // It was not brought to an end, and keeps its place.
  void put_back(const Suspicion& suspicion);

  DocketCounts counts() const;
  // Whether nothing is left that can be done here.
  bool is_done() const;

  // From here on others have a say in what is taken. They live longer than the docket is used.
  void set_partners(Partners* partners);
  // Ids and looks of what waits or is under way.
  std::vector<std::pair<std::string, std::string>> open() const;
  base::Result<Suspicion> read(const std::string& id) const;
  // A suspicion of another node, as files_of() gives it; refused where its look is another.
  base::Result<void> adopt(const std::vector<store::RecordFile>& files, const std::string& look);
  // Another node has found out that the look counts for the bug of this signature. What waits here
  // goes; says how many findings like it were met, for each engine.
  base::Result<std::map<std::string, uint64_t>> settle_elsewhere(const std::string& look,
                                                                 const std::string& bug);

 private:
  struct Entry {
    std::string cause;
    std::string look;
    int rank = 0;
    Stage stage = Stage::kSuspected;
    bool is_sample = false;
    bool is_first_of_family = false;
    bool is_accounted_for = false;  // by a bug that is stored
    bool is_taken = false;
  };
  struct Cause {
    uint64_t met = 0;
    uint32_t waiting = 0;
    uint32_t known = 0;              // in a row that turned out to be known
    uint32_t failed = 0;             // in a row that did not show again
    double not_before = 0;           // by the clock
    std::set<std::string> families;  // of suspicions that were written down
  };
  struct Look {
    bool is_waiting = false;
    uint32_t failed = 0;
    uint64_t unbooked = 0;  // findings that were only counted, for a bug not described yet
    std::string bug;
  };

  Docket(std::filesystem::path folder, Clock clock);
  base::Result<void> load();
  void enter(const std::string& id, const Suspicion& suspicion, bool is_sample);
  void leave(const std::string& id);
  // When the next of a cause is due, after so many in a row that brought nothing new.
  double due_after(uint32_t in_a_row) const;
  bool is_better(const Entry& one, const Entry& other) const;
  std::string bug_accounting_for(const std::string& look) const;
  bool may_go_on(const Entry& entry, bool at_once,
                 const std::vector<std::string_view>& rivals) const;
  // By cause, the looks of what is under way.
  std::map<std::string_view, std::vector<std::string_view>> under_way() const;

  void note_bug(const std::string& signature);
  void remember(const std::string& look, const std::string& bug);
  void forget(const std::string& signature, const std::string& bug);

  store::RecordFolders folders_;
  Clock clock_;
  Partners* partners_ = nullptr;  // guarded by the mutex, like what follows it
  std::vector<std::string> problems_;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by id, which is in the order of arrival
  std::map<std::string, Cause> causes_;
  std::map<std::string, Look> looks_;  // of those that were written down
  std::vector<std::string> bugs_;      // signatures
  struct Unnoted {
    std::set<std::string> causes;
    std::set<std::pair<std::string, std::string>> families;  // each after its cause
    std::set<std::string> looks;
  };
  Unnoted unnoted_;
  uint64_t unconfirmed_ = 0;
  uint64_t lost_ = 0;
  uint64_t next_ = 1;
};

// The unconfirmed suspicions of a campaign's docket, the gravest first. For viewers.
base::Result<std::vector<Suspicion>> read_docket(const std::filesystem::path& folder);

}  // namespace elenchus::docket
