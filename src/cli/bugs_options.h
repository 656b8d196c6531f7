#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/trial_options.h"
#include "record/bug.h"

namespace elenchus::cli {

// What was asked of `elenchus bugs`, whichever of its commands it was.
struct BugsOptions {
  std::vector<std::string> folders;
  std::string id;
  std::vector<std::string> ids;
  std::string solver;
  TrialOptions trial;
  std::string format = "github";
  uint64_t limit = 3;
  std::string out = "-";
  bool unconfirmed = false;
  // Only bugs that are so; empty: all.
  std::string kind;
  std::string of_solver;
  std::string state;
  std::string engine;
  std::string known;  // a file like those of data/known
  record::Mark mark;
  bool json = false;
  bool quiet = false;
  uint64_t jobs = 1;
  uint64_t rng = 0;
};

}  // namespace elenchus::cli
