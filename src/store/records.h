#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/bug.h"
#include "store/ledger.h"

namespace elenchus::store {

// Rows of campaign.db as viewers get them. Times are seconds since 1970.

// One run of the program on the campaign.
struct SessionRecord {
  double start = 0;
  double last = 0;  // when it last wrote something
  int64_t pid = 0;
  std::string program;  // name and version
  std::string command_line;
  double cpu_self = 0;  // seconds of our own process
  uint64_t peak_rss_mb = 0;
};

// A stretch of time. Buckets are ten seconds wide; older ones are joined to wider ones.
struct Bucket {
  int64_t start = 0;
  int64_t width = 0;  // seconds
};

struct RunBucket {
  Bucket bucket;
  std::string engine;
  std::string solver;
  RunCounts counts;
};

struct TestBucket {
  Bucket bucket;
  std::string engine;
  std::string folder;
  TestCounts counts;
};

struct KeyBucket {
  Bucket bucket;
  std::string solver;
  uint64_t known = 0;  // at the end of the bucket
};

struct SkipRecord {
  std::string engine;
  std::string reason;
  uint64_t count = 0;
};

struct FindingRecord {
  double time = 0;
  std::string signature;
  std::string kind;
  std::string solver;  // as runs name it
  std::string bug;     // empty: none, since it was not confirmed
  std::string engine;
  std::vector<std::string> seeds;
  bool confirmed = false;
  uint64_t weight = 1;  // how many findings this row stands for
};

// A bug as the database has it: without what only its folder tells.
using BugRecord = record::Bug;

enum class SeedStatus : uint8_t { kUsed, kDropped };

struct SeedRecord {
  std::string path;
  std::string folder;
  SeedStatus status = SeedStatus::kUsed;
  std::string reason;  // why it was dropped
  SeedCounts counts;
};

// The seeds of one folder together.
struct FolderRecord {
  std::string folder;
  uint64_t seeds = 0;
  uint64_t dropped = 0;
  TestCounts counts;      // tests made from them
  uint64_t findings = 0;  // made from them
  double cpu = 0;         // seconds of all solvers
};

// What the scheduler knows of an engine.
struct EngineRecord {
  std::string name;
  double pulls = 0;
  double reward = 0;
  double share = 0;  // of the time, 0 to 1
};

// Something that a later session should know.
struct Memory {
  std::string name;
  std::string content;
};

enum class Severity : uint8_t { kNote, kWarning, kError };

const char* to_string(Severity severity);

// Something that happened; the same message again only raises the count.
struct EventRecord {
  double time = 0;  // first
  double last = 0;
  Severity severity = Severity::kNote;
  std::string source;
  std::string message;
  uint64_t count = 1;
};

}  // namespace elenchus::store
