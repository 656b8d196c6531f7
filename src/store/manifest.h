#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace elenchus::store {

// What one solver said to the formula of a bug.
struct SolverAnswer {
  std::string solver;
  std::string version;
  std::string command;
  std::string answer;
};

// In place of an engine's name, where a seed shows the bug as it is.
inline constexpr std::string_view kSeedItself = "seed";

// The description of a bug, stored as manifest.json; docs/formats.md explains each field.
struct Manifest {
  std::string id;
  std::string kind;
  std::string solver;
  std::string version;
  std::string command;
  std::vector<std::string> options;
  std::string engine;
  std::vector<std::string> seeds;
  std::string expectation;
  std::string evidence;
  std::string signature;
  std::string title;
  std::string logic;
  uint64_t rng_seed = 0;
  uint64_t size_original = 0;  // bytes of the test as it was found
  uint64_t size_reduced = 0;   // bytes after reduction; 0: not reduced
  int64_t time = 0;            // when it was found, seconds since 1970
  std::vector<SolverAnswer> answers;
  std::string shape = {};                  // of the reduced script, up to renaming
  std::string known = {};                  // the bug upstream that it is; empty: new
  std::vector<std::string> shown_by = {};  // versions of the solver that show it
  std::vector<std::string> theories = {};  // of the operators of the reduced script
  uint64_t random_seeds = 0;               // of the solver, that were tried
  uint64_t random_seeds_shown = 0;         // those with which it shows
};

// JSON text of one object, with a line for each field. Bytes that are no UTF-8 are replaced.
std::string print_manifest(const Manifest& manifest);

// Reads that back. Unknown fields are passed over; id, kind, solver and signature must be there.
base::Result<Manifest> parse_manifest(std::string_view text);

}  // namespace elenchus::store
