#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "solver/outcome.h"
#include "solver/profile.h"

namespace elenchus::solver {

// One query as a session was sent it, and what came of it.
struct Asked {
  Query query;
  std::string prologue;  // sent before it: (reset), and options as commands
  Outcome outcome = Outcome::kUnknown;
  std::vector<Outcome> answers;  // one for each check that was reached
  std::string output;            // what the solver printed, its first kilobytes
};

// What one process was asked, the oldest query first. What a fault needs that shows in a session
// and not alone.
struct Transcript {
  std::vector<std::string> options;  // that the process was started with, beyond the profile's
  std::vector<std::shared_ptr<const Asked>> queries;
  bool is_complete = true;  // from the start of the process: nothing had to be dropped
};

// The queries of one process, from its start; the oldest are dropped where there are too many.
// Shared by the session, which adds to it, and the runs that came from it, perhaps in another
// thread.
class SessionLog {
 public:
  static constexpr size_t kMostQueries = 2000;
  static constexpr size_t kMostBytes = 2 << 20;

  explicit SessionLog(std::vector<std::string> options, size_t most_queries = kMostQueries,
                      size_t most_bytes = kMostBytes)
      : options_(std::move(options)), most_queries_(most_queries), most_bytes_(most_bytes) {}

  // The number of the query, counted from 1. Copies its text, and nothing else of size.
  uint64_t add(const Query& query, std::string_view prologue, const Run& run);

  // Up to and with the query of that number, which may have been dropped since.
  Transcript up_to(uint64_t number) const;

 private:
  const std::vector<std::string> options_;
  const size_t most_queries_;
  const size_t most_bytes_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const Asked>> kept_;
  uint64_t dropped_ = 0;  // before the first of kept_
  size_t bytes_ = 0;      // of kept_
};

// What the process of a run had been asked up to and with the run's own query. No queries where the
// run had a process of its own.
Transcript transcript_of(const Run& run);

// As a script that a user can give to the solver: each query with its (reset), and requests for
// models and cores where the answers allow them.
std::string session_script(const Profile& profile, const Transcript& transcript);

// As a text file, and back. Every line that is not part of a query is a comment.
std::string write_transcript(const Transcript& transcript);
base::Result<Transcript> read_transcript(std::string_view text);

}  // namespace elenchus::solver
