#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace elenchus::solver {

enum class Outcome : uint8_t { kSat, kUnsat, kUnknown, kTimeout, kMemout, kCrash, kRejected };
const char* to_string(Outcome outcome);
constexpr bool is_decided(Outcome outcome) {
  return outcome == Outcome::kSat || outcome == Outcome::kUnsat;
}

// What to run: a script as text, cut after each check-sat command.
struct Query {
  std::string text;
  std::vector<uint32_t> check_ends;  // offsets into the text, one past each check command
  bool want_models = false;          // ask for a model after each sat
  bool want_statistics = false;      // ask for the solver's statistics after each answer
  bool want_cores = false;  // ask for an unsat core after each unsat, where one is to be had
};

// What a solver said to one check-sat.
struct CheckResult {
  Outcome outcome = Outcome::kUnknown;
  std::string model;  // what it printed for (get-model); empty when not asked or not given
  std::string core;   // what it printed for (get-unsat-core)
  // What it printed for (get-unsat-assumptions), asked for with the core after check-sat-assuming.
  std::string assumptions;
  std::string statistics;  // what it printed for (get-info :all-statistics)
  std::string output;      // everything that it printed up to the answer and to these requests
  double seconds = 0;      // wall time of this check
};

// One execution of a query.
struct Run {
  // Of the last check-sat that was reached; a crash, rejection, timeout or memout is that of the
  // whole run, wherever it came.
  Outcome outcome = Outcome::kUnknown;
  std::vector<CheckResult> checks;  // those that were answered, in order
  std::string out;                  // exact, up to the output limit
  std::string err;
  int exit_code = -1;         // -1 while the process lives (a session) or after a signal
  int signal = 0;             // that ended it, if we did not send it
  bool output_limit = false;  // it wrote more than it may
  std::string message;        // of a crash or rejection: the line that says so
  // The solver's own complaint about its model, core or proof; empty when there is none.
  std::string self_check;
  double seconds = 0;      // wall time
  double cpu_seconds = 0;  // of the solver, user and system
  bool fresh = true;       // a process of its own, and not a session

  // The query failed in a session that had seen others, and this is its second run, in a process of
  // its own; what the first one said is kept here.
  bool session_failed = false;
  Outcome session_outcome = Outcome::kUnknown;
  std::string session_message;
};

// Whether it said sat or unsat to something.
bool has_decided(const Run& run);

}  // namespace elenchus::solver
