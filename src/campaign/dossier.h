#pragma once

#include <string>
#include <vector>

#include "campaign/prosecutor.h"
#include "store/campaign_store.h"

namespace elenchus::campaign {

// Where a test came from.
struct Origin {
  std::string engine;
  std::vector<std::string> seeds;
  uint64_t rng = 0;
  std::string expectation;  // "sat", "unsat" or "unknown" for each check-sat
};

// All that the folder of a bug holds: manifest, scripts, witness, outputs, repro.sh, report.md.
store::Finding dossier(const Indictment& indictment, const Origin& origin);

}  // namespace elenchus::campaign
