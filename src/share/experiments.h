#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "share/connection.h"

namespace elenchus::share {

// A run of an experiment: an arm's so-manieth, from 1 on.
struct PlannedRun {
  std::string arm;
  uint32_t repetition = 0;
};

// A process that makes runs.
struct Maker {
  std::string uid;   // of its folder: the same after every restart
  std::string name;  // as people see it
};

// A run that is complete, as its maker wrote it down.
struct RunResult {
  PlannedRun run;
  std::string node;
  std::string result;
};

// How far an experiment has come.
struct ExperimentLine {
  std::string name;
  uint64_t runs = 0;
  uint64_t complete = 0;
  uint64_t under_way = 0;
};

// An experiment whose runs several processes make: a row for each run, which is claimed for the
// time of a lease. Everything may be said twice; a run has one result, the first that came.
class SharedExperiment {
 public:
  // Makes it where it is new. One of the same name with another plan is an error.
  static base::Result<SharedExperiment> join(Connection& connection, std::string_view name,
                                             std::string_view plan,
                                             const std::vector<PlannedRun>& runs);
  // One that is there, to look at; an empty name: the only one.
  static base::Result<SharedExperiment> find(Connection& connection, std::string_view name);

  // The same after another connection was made.
  void go_on_with(Connection& connection) { connection_ = &connection; }

  const std::string& name() const { return name_; }
  const std::string& plan() const { return plan_; }

  // Runs of an arm can be compared only if they are made with the same: the first that comes says
  // with what; whoever has something else gets an error.
  base::Result<void> agree(std::string_view arm, std::string_view made_with);

  // A run that nobody makes, or whose maker's lease is over. A maker keeps to its repetitions, and
  // begins those that nobody has begun, so that arms are compared on one machine where possible.
  base::Result<std::optional<PlannedRun>> claim(const Maker& maker, double lease);
  // Prolongs the lease. False: somebody else has the run by now.
  base::Result<bool> keep(const Maker& maker, const PlannedRun& run, double lease);
  base::Result<void> release(const Maker& maker);
  base::Result<void> finish(const Maker& maker, const PlannedRun& run, std::string_view result);

  base::Result<ExperimentLine> standing();
  base::Result<std::vector<RunResult>> results();

 private:
  explicit SharedExperiment(Connection& connection) : connection_(&connection) {}

  Connection* connection_;
  int64_t id_ = 0;
  std::string name_;
  std::string plan_;
};

// All of a database.
base::Result<std::vector<ExperimentLine>> read_experiments(Connection& connection);

}  // namespace elenchus::share
