#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "campaign/bandit.h"
#include "share/worth.h"

namespace elenchus::campaign {

// How one solver fares with the mutants of one seed.
struct Pace {
  float usual = 0;  // seconds, of those that it decided: a mean that forgets slowly
  uint32_t decided = 0;
  uint32_t timeouts = 0;
  uint32_t rejected = 0;
  uint32_t tests = 0;
};

// What a visit to a seed brought, and what it cost.
struct Yield {
  uint32_t tests = 0;
  uint32_t causes = 0;      // of suspicions, that nobody had met
  uint32_t suspicions = 0;  // of a look that nobody had met
  uint32_t new_keys = 0;    // statistics or edges that no test had before
  double seconds = 0;       // CPU time, and the wall time of timeouts

  // Runs of guests, under options or as variants, apart from that: the same tests would have
  // brought the rest without them.
  struct Guests {
    uint32_t causes = 0;  // as above, in a run of theirs
    uint32_t suspicions = 0;
    uint32_t new_keys = 0;
    double seconds = 0;
  };
  Guests guests = {};
};

using share::Worth;

// Which seed to visit with which engine, and for how long.
struct Visit {
  size_t seed = 0;
  size_t engine = 0;
  bool is_first = false;    // nobody has visited the seed yet
  uint32_t tests = 0;       // that it should make, at most
  std::vector<Pace> paces;  // by solver
  bool is_refused = false;  // by the engine: it will not be sent there again
};

// What may be left out, to see what it is good for.
struct SearchParts {
  bool neighbourhood = true;  // what lies next to a seed comes first
  bool breadth = true;        // visits are short at first
  bool forgetting = true;     // what visits brought counts less the longer ago it was
};

// Gives out visits: to seeds and engines by what they brought per second lately, and to the least
// visited in a fixed part of the cases, so that nothing is starved. Visits are short at first, so
// that every seed is seen soon, and grow where they pay. Thread-safe; asked once per visit, not per
// test.
class Scheduler {
 public:
  Scheduler(size_t seeds, std::vector<std::string> engines, size_t solvers, base::Rng rng,
            const SearchParts& parts = {});

  // False when there is no seed left.
  bool next(Visit& visit);
  void report(const Visit& visit, const Yield& yield);
  // The visit could not be made, in place of report(): as if it had not been given out.
  void give_back(const Visit& visit);
  // What came of a visit to the seed turned out to be new bugs, later.
  void reward(size_t seed, std::string_view engine, double bugs);
  // Another seed: its place. Solvers will fare with its mutants as with those of its ancestor.
  size_t add_seed(std::optional<size_t> ancestor = {});
  // The seed is of no use.
  void drop(size_t seed);

  // What visits brought in this session, for others to learn from: engines, and seeds that paid.
  struct Earnings {
    std::map<std::string, Worth> engines;
    std::map<size_t, Worth> seeds;
  };
  Earnings earnings() const;
  // What others had of them. Unknown engines are passed over.
  void learn(std::string_view engine, const Worth& worth);
  void learn(size_t seed, const Worth& worth);

  // What a scheduler of a later session needs to go on as this one would, as text.
  struct Notes {
    std::string whole;                                  // engines, and where the rounds are
    std::vector<std::pair<size_t, std::string>> seeds;  // those that changed since the last call
  };
  Notes take_notes();
  // Goes on where the notes were taken; before the first next(). `whole` comes first. What cannot
  // be read, or is of other engines or solvers, is passed over.
  void restore(std::string_view whole);
  void restore_seed(size_t seed, std::string_view note);

  size_t seeds_left() const;
  size_t seeds_visited() const;
  size_t seeds() const;
  std::vector<Share> engine_shares() const;

 private:
  struct SeedState {
    uint32_t visits = 0;
    uint32_t reports = 0;
    uint32_t bugs = 0;   // that came of it in this session
    bool is_new = true;  // nobody was, or is, there for the first visit
    uint32_t level = 0;  // how many times the length of visits was doubled
    bool dropped = false;
    double value = 0;  // lately
    double seconds = 0;
    std::vector<Pace> paces;
    uint64_t refused = 0;  // bits of the engines that have no use for it
    bool is_noted = true;  // nothing has changed since notes were taken
  };

  size_t pick_seed();
  size_t pick_engine(const SeedState& seed);
  size_t pick_neighbourhood(const SeedState& seed);
  size_t least_visited();
  uint32_t length_of_visit(const SeedState& seed) const;
  double weight_of(const SeedState& seed) const;
  void set_weight(size_t seed, double weight);

  // Seeds in random order, for the rounds.
  void draw_round();
  void append_seed();
  void earn(size_t seed, std::string_view engine, double value, double seconds);

  mutable std::mutex mutex_;
  base::Rng rng_;
  base::Rng first_rng_;  // as it was before the round was drawn
  std::vector<SeedState> seeds_;
  std::vector<std::string> engine_names_;
  SearchParts parts_;
  Bandit engines_;
  std::optional<size_t> neighbourhood_;  // the engine that looks at it, plain
  std::vector<size_t> neighbourhood_ways_;
  bool has_these_engines_ = true;  // whoever took the notes that are restored
  size_t solvers_;
  size_t left_ = 0;
  size_t visited_ = 0;
  std::vector<uint32_t> round_;  // seeds in random order, for the rounds
  size_t round_at_ = 0;
  std::vector<uint32_t> newcomers_;  // that were added and not visited yet
  std::vector<double> weights_;
  double total_weight_ = 0;
  Earnings earnings_;
  std::vector<double> sums_ = {0};  // a Fenwick tree over the weights
};

}  // namespace elenchus::campaign
