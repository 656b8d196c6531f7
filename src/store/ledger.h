#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "record/outcome.h"

namespace elenchus::store {

using record::kOutcomes;
using record::Outcome;

// What a run was for.
enum class Purpose : uint8_t {
  kTest,       // to test a mutant
  kProbe,      // to test a seed as it is
  kLearn,      // to learn something of a seed that engines want: models, cores
  kProsecute,  // to confirm, reduce or describe a finding
  kTerms,      // to ask about terms, many in each run
  kApart,      // for repro.sh, a debugger or a diagnosis, which start it in their own way
};
inline constexpr size_t kPurposes = 6;

const char* to_string(Purpose purpose);

// What runs cost.
struct Spent {
  uint64_t runs = 0;
  double wall = 0;  // seconds
  double cpu = 0;   // seconds

  Spent& operator+=(const Spent& other);
};

// Runs of one engine's tests by one solver.
struct RunCounts {
  std::array<uint64_t, kOutcomes> outcomes = {};
  double wall = 0;  // seconds
  double cpu = 0;   // seconds

  uint64_t of(Outcome outcome) const { return outcomes[static_cast<size_t>(outcome)]; }
  uint64_t runs() const;
  RunCounts& operator+=(const RunCounts& other);
};

// Tests that one engine made from the seeds of one folder.
struct TestCounts {
  uint64_t tests = 0;
  uint64_t accepted = 0;  // at least one solver took it
  uint64_t rejected = 0;  // no solver took it
  uint64_t decided = 0;   // at least one solver said sat or unsat
  uint64_t valid = 0;     // holds under its model
  uint64_t skipped = 0;   // attempts in which the engine made no test

  TestCounts& operator+=(const TestCounts& other);
};

// What came of one seed.
struct SeedCounts {
  uint64_t tests = 0;
  uint64_t accepted = 0;
  uint64_t decided = 0;
  uint64_t findings = 0;
  double cpu = 0;  // seconds of all solvers

  SeedCounts& operator+=(const SeedCounts& other);
};

// How often something was tried, and what came of it.
struct Tried {
  uint64_t count = 0;
  uint64_t new_keys = 0;  // that no test had shown before
  uint64_t findings = 0;  // as oracles claim them, before anybody confirms them

  Tried& operator+=(const Tried& other);
};

// Why a seed is of no use.
struct Drop {
  std::string folder;
  std::string reason;
};

// Two names, compared without copying.
struct PairLess {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    const int order = std::string_view(a.first).compare(b.first);
    return order != 0 ? order < 0 : std::string_view(a.second) < std::string_view(b.second);
  }
};
using NamePair = std::pair<std::string, std::string>;

// Everything counted during some seconds.
struct Tallies {
  std::map<NamePair, RunCounts, PairLess> runs;    // engine, solver
  std::map<NamePair, Spent, PairLess> spent;       // purpose, solver
  std::map<NamePair, TestCounts, PairLess> tests;  // engine, seed folder
  std::map<NamePair, uint64_t, PairLess> skips;    // engine, reason
  std::map<NamePair, uint64_t, PairLess> repeats;  // bug, engine
  std::map<std::string, SeedCounts, std::less<>> seeds;
  std::map<std::string, Drop, std::less<>> dropped;   // by the seed's path
  std::map<std::string, uint64_t, std::less<>> keys;  // solver: keys known in all
  std::map<NamePair, Tried, PairLess> tried;          // class ("option", "mode" ...), name

  bool empty() const;
  void merge(const Tallies& other);
};

// Where a worker counts. Each worker has its own; only the thread that flushes comes by every few
// seconds, so that the lock is free practically always. Nothing here touches a file.
class Ledger {
 public:
  // `engine`: whose work the run is due to; kSeedItself where it is a seed.
  void add_run(std::string_view engine, std::string_view solver, Outcome outcome,
               double wall_seconds, double cpu_seconds, Purpose purpose = Purpose::kTest);
  // What a solver was asked in another way than by runs.
  void add_spent(Purpose purpose, std::string_view solver, const Spent& spent);
  void add_test(std::string_view engine, std::string_view folder, bool accepted, bool decided,
                bool valid = false);
  void add_skip(std::string_view engine, std::string_view folder, std::string_view reason);
  void add_seed_use(std::string_view path, const SeedCounts& counts);
  void drop_seed(std::string_view path, std::string_view folder, std::string_view reason);
  // A finding that belongs to a bug already stored and is not worth confirming again.
  void add_repeat(std::string_view bug, std::string_view engine, uint64_t count = 1);
  // Something that tests vary, such as an option, a tactic or a mode: `what` is its class. Beyond
  // some thousand names all further ones count as "others".
  void add_tried(std::string_view what, std::string_view name, const Tried& tried);
  // How many statistic or coverage keys of a solver have been seen in all.
  void set_keys(std::string_view solver, uint64_t known);

  // What was counted since the last call.
  Tallies take();

 private:
  std::mutex mutex_;
  Tallies tallies_;
};

}  // namespace elenchus::store
