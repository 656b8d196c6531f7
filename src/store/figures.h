#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/ledger.h"
#include "store/records.h"

namespace elenchus::store {

// All that is counted of a campaign, for a folder that shows one which is kept elsewhere.
struct Figures {
  std::vector<RunBucket> runs;
  std::vector<TestBucket> tests;
  std::vector<KeyBucket> keys;
  Tallies sums;  // only spent, skips and tried
  std::vector<SeedRecord> seeds;
  std::vector<FindingRecord> findings;
  struct Seen {
    uint64_t count = 0;
    double first = 0;  // seconds since 1970
    double last = 0;
  };
  std::map<std::string, Seen> bugs;  // by signature
  SessionRecord session;             // all nodes as one
};

}  // namespace elenchus::store
