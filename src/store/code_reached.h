#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/campaign_folder.h"

namespace elenchus::store {

// How much there is of something in a solver's source, and how much of it the campaign reached.
struct Reached {
  uint64_t reached = 0;
  uint64_t all = 0;
};

// The same for lines, functions and branches of one source file, or of all.
struct CodeCounts {
  std::string name;  // of the file, or of the solver
  Reached lines;
  Reached functions;
  Reached branches;
};

// What a campaign reached of a solver that was built with --coverage.
struct CodeReached {
  CodeCounts total;
  std::vector<CodeCounts> files;
};

// Replaces coverage.json.
base::Result<void> write_code_reached(const CampaignFolder& folder,
                                      const std::vector<CodeReached>& solvers);

// What coverage.json says; nothing where there is none.
base::Result<std::vector<CodeReached>> read_code_reached(const CampaignFolder& folder);

}  // namespace elenchus::store
