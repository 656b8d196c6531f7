#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::diagnose {

// A bug that is to be explained, as it shows in a lab of fresh processes.
struct Subject {
  ir::TermStore& store;
  lab::SolverLab& lab;
  const oracle::Case& test;
  const oracle::Finding& finding;
  std::function<bool()> stop;  // ends the search; what was found counts

  const solver::Solver& guilty() const { return lab.solvers()[finding.solver]; }
};

// Whether a bug is there. A solver that takes too long, rejects the script or fails in another way
// leaves that open.
enum class Sight : uint8_t { kShows, kGone, kUnclear };

struct Look {
  Sight sight = Sight::kUnclear;
  std::string answer;  // of the guilty solver: "sat", "timeout"
  double seconds = 0;  // that it took
};

// Runs a test and looks for the finding. `lab` has the solvers of the finding in their places.
Look look_at(ir::TermStore& store, lab::SolverLab& lab, const oracle::Case& test,
             const oracle::Finding& finding);

// Whether what the solver said to a check-sat, where it decided, is what a right one may say: the
// mere absence of a finding may mean that nobody could tell.
bool is_well(oracle::Exam& exam, oracle::Kind kind, size_t solver, size_t check);

}  // namespace elenchus::diagnose
