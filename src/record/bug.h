#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace elenchus::record {

// What one solver said to the formula of a bug.
struct SolverAnswer {
  std::string solver;
  std::string version;
  std::string command;
  std::string answer;
};

// In place of an engine's name, where a seed shows the bug as it is.
inline constexpr std::string_view kSeedItself = "seed";

// A bug as everybody sees it: the store, the page, the command line, JSON and SARIF.
// docs/formats.md explains each field.
struct Bug {
  std::string id;
  std::string kind;
  std::string title;
  std::string solver;
  std::string tested;  // the campaign's name for the solver, as runs have it; empty: the same
  std::string version;
  std::string command;
  std::vector<std::string> options;
  std::string engine;
  std::vector<std::string> seeds;
  uint64_t rng_seed = 0;
  std::string logic;
  std::string expectation;
  std::string evidence;
  std::string probable = {};                   // the graver kind that it probably is; empty: none
  std::vector<std::string> confirmed_by = {};  // other solvers that confirm the right answer
  std::vector<std::string> disclaimed = {};  // options that it needs, and that the solver disclaims
  std::vector<std::string> frames = {};      // of a crash: the functions, the innermost first
  // Why it shows, as far as a diagnosis could find out.
  bool diagnosed = false;
  std::vector<std::string> gone_with = {};  // options, each of which alone makes it vanish
  uint64_t options_tried = 0;
  std::string quiet_edit = {};  // the smallest edit of the script that does not show it
  std::string arises = {};      // the first step of the solver that goes wrong, or that none does
  std::vector<SolverAnswer> answers;
  std::string signature;
  std::string shape;                  // of the reduced script, up to renaming
  std::vector<std::string> shown_by;  // versions of the solver that show it
  std::vector<std::string> theories;  // of the operators of the reduced script
  uint64_t random_seeds = 0;          // of the solver, that were tried
  uint64_t random_seeds_shown = 0;    // those with which it shows
  bool needs_history = false;         // the last check-sat alone does not show it
  bool is_provisional =
      false;          // the time was up before it was brought to its end; it waits for more
  std::string known;  // the bug upstream that it is; empty: new
  std::string new_since = {};  // the version that does not show it; empty: none was asked
  std::string outside_policy;  // why the campaign's policy does not report it; empty: it does
  uint64_t size_original = 0;  // bytes of the test as it was found
  uint64_t size_reduced = 0;   // bytes after reduction; 0: not reduced
  int64_t time = 0;            // when it was found, seconds since 1970

  // What the campaign adds while it goes on.
  uint64_t count = 0;     // findings
  double first_seen = 0;  // seconds since 1970, like the next
  double last_seen = 0;
  int rank = 0;           // 1 is the gravest, see rank_of(), kKnownRank, kOutsideRank
  uint64_t examples = 0;  // scripts in also/
  std::string path = {};  // of the bug's folder, below the campaign's

  // What somebody has made of it since, see Mark.
  std::string state = {};
  std::string reference = {};
  std::string note = {};
};

// What somebody says of a bug; kept beside it.
struct Mark {
  std::string state;      // one of bug_states()
  std::string reference;  // where it is reported
  std::string note;
};

// "reported", "fixed", "not-a-bug", "known"; a bug without a mark is open.
std::span<const std::string_view> bug_states();

// What tells how grave it is: the place of its kind, or of the one that it probably is, in kinds().
// Those that the baseline does not show come before all others, by kNewLead. Behind come bugs that
// need an option which the solver disclaims, then kKnownRank, and kOutsideRank is last.
int rank_of(const Bug& bug);

// The name under which what is found counts, next to the runs.
inline const std::string& tested_solver(const Bug& bug) {
  return bug.tested.empty() ? bug.solver : bug.tested;
}

// Where a field of a bug is shown; several are joined with |.
enum View : uint32_t {
  kManifest = 1U << 0,  // manifest.json
  kListed = 1U << 1,    // a list of bugs, as JSON
  kDetails = 1U << 2,   // one bug, as JSON
  kRow = 1U << 3,       // the page's table of bugs
  kCard = 1U << 4,      // the page's view of one bug
  kSarif = 1U << 5,     // properties of a result
};

// The fields of a bug that a view shows, in the order of bug_fields.def.
nlohmann::ordered_json to_json(const Bug& bug, View view);

// Reads the fields of a manifest. Unknown ones are passed over; id, kind, solver and signature must
// be there.
base::Result<Bug> bug_of_json(const nlohmann::ordered_json& object);

}  // namespace elenchus::record
