#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/rng.h"

namespace elenchus::campaign {

// How one solver fares with the mutants of one seed.
struct Pace {
  float usual = 0;  // seconds, of those that it decided: a mean that forgets slowly
  uint32_t decided = 0;
  uint32_t timeouts = 0;
  uint32_t rejected = 0;
  uint32_t tests = 0;
};

// What a visit to a seed brought.
struct Yield {
  uint32_t tests = 0;
  uint32_t decided = 0;
  uint32_t new_keys = 0;        // statistics that no test had before
  uint32_t new_signatures = 0;  // findings of a kind that was not met before
  double seconds = 0;           // that it took, all runs together
};

// Which seed to visit with which engine.
struct Visit {
  size_t seed = 0;
  size_t engine = 0;
  bool is_first = false;    // nobody has visited the seed yet
  std::vector<Pace> paces;  // by solver
  bool is_refused = false;  // by the engine: it will not be sent there again
};

// A share of the time, for the status screen.
struct Share {
  std::string name;
  uint64_t visits = 0;
  double seconds = 0;
  double value = 0;
};

// Gives out visits: to seeds and engines by what they yielded per second so far, and to the least
// visited in a fixed part of the cases, so that nothing is starved. Thread-safe; asked once per
// visit, not per test.
class Scheduler {
 public:
  Scheduler(size_t seeds, std::vector<std::string> engines, size_t solvers, base::Rng rng);

  // False when there is no seed left.
  bool next(Visit& visit);
  void report(const Visit& visit, const Yield& yield);
  // The seed is of no use.
  void drop(size_t seed);

  size_t seeds_left() const;
  size_t seeds_visited() const;
  std::vector<Share> engine_shares() const;

 private:
  struct SeedState {
    uint32_t visits = 0;
    bool dropped = false;
    double value = 0;
    double seconds = 0;
    std::vector<Pace> paces;
    uint64_t refused = 0;  // bits of the engines that have no use for it
  };

  size_t pick_seed();
  size_t least_visited();
  size_t pick_engine();
  size_t willing_engine(const SeedState& seed);
  double weight_of(const SeedState& seed) const;
  void set_weight(size_t seed, double weight);

  mutable std::mutex mutex_;
  base::Rng rng_;
  std::vector<SeedState> seeds_;
  std::vector<Share> engines_;
  size_t solvers_;
  size_t left_;
  size_t visited_ = 0;
  std::vector<uint32_t> round_;  // seeds in random order, for the rounds
  size_t round_at_ = 0;
  std::vector<double> weights_;
  double total_weight_ = 0;
  std::vector<double> sums_;  // a Fenwick tree over the weights
};

}  // namespace elenchus::campaign
