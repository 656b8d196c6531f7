#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/outcome.h"

namespace elenchus::solver {

using record::is_decided;
using record::Outcome;
using record::to_string;

// What to run: a script as text, cut after each check-sat command.
struct Query {
  std::string text;
  std::vector<uint32_t> check_ends;  // offsets into the text, one past each check command
  bool want_models = false;          // ask for a model after each sat
  bool want_statistics = false;      // ask for the solver's statistics after each answer
  bool want_cores = false;       // ask for an unsat core after each unsat, where one is to be had
  bool want_proofs = false;      // ask for a proof after each unsat
  bool want_objectives = false;  // ask for what the objectives have reached after each sat
  // Commands, each in one line, that come after the last answer, and are asked one by one.
  std::vector<std::string> questions;
  bool questions_need_model = false;  // they make sense only after sat
};

// What a solver said to one check-sat.
struct CheckResult {
  Outcome outcome = Outcome::kUnknown;
  std::string model;  // what it printed for (get-model); empty when not asked or not given
  std::string core;   // what it printed for (get-unsat-core)
  // What it printed for (get-unsat-assumptions), asked for with the core after check-sat-assuming.
  std::string assumptions;
  std::string objectives;  // what it printed for (get-objectives)
  std::string proof;       // what it printed for (get-proof)
  std::string statistics;  // what it printed for (get-info :all-statistics)
  // What it printed for the questions of the query, as far as it got.
  std::vector<std::string> replies;
  std::string output;  // everything that it printed up to the answer and to these requests
  double seconds = 0;  // wall time of this check
};

class SessionLog;

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

  // Of a run in a session: what its process has been asked, and which of that was this query. None
  // for a process of its own and for the child of a fork server. See transcript_of().
  std::shared_ptr<const SessionLog> session;
  uint64_t session_number = 0;

  // The query crashed or ran out of memory in a session that had seen others, and this is its
  // second run, in a process of its own. A crash there that this run does not repeat needs the
  // history.
  std::shared_ptr<const Run> session_run;

  // The solver was not asked, or not to the end, because something of ours or of the machine
  // failed: no more files, processes or memory (kLimit), a program that cannot be run (kIo). The
  // outcome is unknown and says nothing of the solver or the query.
  std::optional<base::Error> internal_error;
};

// Whether it said sat or unsat to something.
bool has_decided(const Run& run);

// Whether it crashed in a session and not alone.
bool crashed_only_in_session(const Run& run);

// The solver's time for this run, with that of the run in a session before it.
double spent_cpu_seconds(const Run& run);

}  // namespace elenchus::solver
