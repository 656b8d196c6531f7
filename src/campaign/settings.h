#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace elenchus::campaign {

// Which options of solvers a bug may need to be reported.
enum class Policy : uint8_t { kDefault, kRegular, kAnything };
std::string_view to_string(Policy policy);
base::Result<Policy> policy_of(std::string_view name);

// How engines with +options choose: relevant options by a genetic search, or, to see what each half
// is good for, relevant ones at random, any by the search, any at random.
enum class OptionsFrom : uint8_t { kBoth, kRelevant, kSearch, kRandom };
std::string_view to_string(OptionsFrom way);
base::Result<OptionsFrom> options_from_of(std::string_view name);

// The neighbourhood of seeds first, short visits first, forgetting what visits brought, the pool.
std::span<const std::string_view> search_parts();

// What a campaign was asked to do. Kept as campaign.toml, so that it can be resumed.
struct Settings {
  std::vector<std::string> seeds;    // files and folders; empty: the embedded ones
  std::vector<std::string> solvers;  // SPECs; empty: every solver that is found
  std::string profiles;              // a folder with further profiles of solvers
  std::vector<std::string> engines;  // empty: all
  std::vector<std::string> lanes;    // checks, terms; empty: all
  std::vector<std::string> set;      // tunables of engines: NAME=VALUE
  uint32_t jobs = 1;
  double seconds = 0;              // 0: until somebody stops it
  uint64_t tests = 0;              // 0: no limit
  uint64_t bugs = 0;               // 0: no limit
  std::string logic;               // only seeds of this logic
  std::vector<std::string> focus;  // operators that tests should use
  std::string operators;           // a file with further operators
  std::string operators_only;      // a file with the only operators to make terms of
  std::string baseline;            // SPEC of the version to compare with; empty: none
  std::string history;             // a knowledge file for the engine skeleton
  // Files that say which options matter to which operations, for engines with +options.
  std::vector<std::string> correlations;
  uint64_t rng = 0;
  double timeout = 2;
  uint64_t memory = 2ULL << 30;
  bool fresh = false;
  Policy policy = Policy::kRegular;
  OptionsFrom options_from = OptionsFrom::kBoth;
  bool only_seeds = false;           // run the seeds as they are, each once, and make no mutants
  std::vector<std::string> oracles;  // optional ones that are switched on
  // Parts of the search that are left out, to see what they are good for: search_parts().
  std::vector<std::string> without;
  uint32_t reduce_tries = 300;  // solver runs that reducing one finding may cost
  double prosecution = 0.25;    // the share of the time that goes to what was found
  double grace = 30;            // seconds for what was found, after the time is up
  double diagnosis = 5;         // seconds of solvers for saying why a new bug shows; 0: none
  std::string share;            // the URL of the database; empty: nothing is shared
  std::string campaign;         // the name of the shared campaign
  std::string node;             // what this part of it is called
  uint64_t max_disk = 0;        // bytes that the folder may take; 0: no limit

  bool has(std::string_view search_part) const;
};

std::string print_settings(const Settings& settings);
// Whether a campaign can be run with it.
base::Result<void> check_settings(const Settings& settings);

// What the text does not say is as in `defaults`.
base::Result<Settings> parse_settings(std::string_view toml, Settings defaults = {});

}  // namespace elenchus::campaign
