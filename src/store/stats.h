#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/ledger.h"

namespace elenchus::store {

// What was done in all, or by one engine or one solver.
struct Counts {
  uint64_t tests = 0;
  uint64_t runs = 0;
  uint64_t accepted = 0;
  uint64_t rejected = 0;
  uint64_t decided = 0;
  uint64_t valid = 0;
  uint64_t skipped = 0;
  uint64_t sat = 0;
  uint64_t unsat = 0;
  uint64_t unknown = 0;
  uint64_t timeouts = 0;
  uint64_t memouts = 0;
  uint64_t crashes = 0;
  uint64_t rejected_runs = 0;
  uint64_t findings = 0;
  uint64_t unconfirmed = 0;
  uint64_t bugs = 0;
  uint64_t known_bugs = 0;           // among them
  uint64_t outside_policy_bugs = 0;  // among them, and not known
  double wall_seconds_solvers = 0;
  double cpu_seconds_solvers = 0;

  void add(const RunCounts& counts);
  void add(const TestCounts& counts);
};

// The class under which lanes are among what was tried: "checks", "terms".
inline constexpr const char* kLaneClass = "lane";

// The class of what became of the terms that solvers were asked about: "z3 answered".
inline constexpr const char* kTermClass = "term";

// The state of a campaign: what stats.json says. docs/formats.md explains each field.
struct Stats {
  Counts total;
  std::map<std::string, Counts, std::less<>> engines;
  // A solver's tests are its runs, and it accepted, rejected or decided them itself.
  std::map<std::string, Counts, std::less<>> solvers;
  std::map<std::string, Spent, std::less<>> spent;    // by purpose
  std::map<std::string, uint64_t, std::less<>> keys;  // by solver
  std::map<NamePair, Tried, PairLess> tried;          // class, name

  double seconds = 0;  // all sessions together
  double cpu_seconds_self = 0;
  uint64_t peak_rss_mb = 0;
  double start_time = 0;   // of the first session, seconds since 1970
  double last_update = 0;  // seconds since 1970, by the system's clock
  double last_bug = 0;     // when the newest bug was found; 0: never
  uint64_t sessions = 0;
  int64_t pid = 0;
  uint64_t seeds = 0;
  uint64_t seeds_dropped = 0;
  uint64_t warnings = 0;
  std::string program;
  std::string command_line;

  void add(const Tallies& tallies);
  uint64_t known_keys() const;
  // Bugs that are to be reported.
  uint64_t news() const { return total.bugs - total.known_bugs - total.outside_policy_bugs; }
};

// What only the campaign's loop knows, for the files in AFL's form.
struct Progress {
  uint64_t corpus = 0;        // seeds and mutants that joined them
  uint64_t corpus_added = 0;  // mutants among them
  uint64_t current = 0;       // index of the seed at work
  uint64_t pending = 0;       // not used yet
  uint64_t cycles = 0;        // times that every seed was used
  uint64_t timeout_ms = 0;
  // What was found and is not settled, by how far it has come.
  std::vector<std::pair<std::string_view, uint64_t>> suspicions = {};
};

// One JSON object.
std::string print_stats(const Stats& stats, const Progress& progress = {});

// Lines `key : value` as afl-fuzz 4.04c writes them.
std::string print_fuzzer_stats(const Stats& stats, const Progress& progress,
                               double recent_runs_per_second);

// The first line of plot_data, and a later one.
std::string plot_header();
std::string plot_line(const Stats& stats, const Progress& progress, double recent_runs_per_second);

}  // namespace elenchus::store
