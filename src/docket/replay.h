#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ir/op_table.h"
#include "lab/solver_lab.h"
#include "oracle/exam.h"
#include "oracle/finding.h"
#include "store/campaign_view.h"

namespace elenchus::docket {

// A stored bug read back into terms, and the solvers that it takes to show it: the one in question
// first.
struct Exhibit {
  ir::Script script;
  std::optional<ir::Model> witness;
  std::vector<ir::Truth> expected;
  std::string construction;
  std::vector<solver::Solver> solvers;

  oracle::Case test() const;
};
base::Result<Exhibit> exhibit_of(const store::CampaignView& view, const store::Manifest& manifest,
                                 ir::TermStore& terms, const solver::Solver& solver,
                                 const solver::Profiles& profiles);

// What is wrong with the first solver of a lab, of the kind that a bug is; nothing where that does
// not show.
std::optional<oracle::Finding> find_again(oracle::Exam& exam, const store::Manifest& manifest);

// What became of a stored bug on some solver.
struct Replay {
  bool shows = false;
  bool is_well = false;  // it decides, and nothing is missing that would tell it to be wrong
  std::string what;      // what the solver does, in a line
  solver::Run run;
};

// How stored bugs are tried again.
struct ReplaySettings {
  solver::RunLimits limits;
  std::shared_ptr<const ir::OpTable> ops = ir::OpTable::standard();
};

// Runs the reduced script of a bug again in fresh processes, twice, and looks whether the solver
// still does what the bug says. Everything is taken from the bug's folder.
base::Result<Replay> replay(const store::CampaignView& view, const std::string& id,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings);

// The solver in question first, then the others that answered when the bug was found, as far as
// they are here.
std::vector<solver::Solver> solvers_of(const store::Manifest& manifest,
                                       const solver::Solver& solver,
                                       const solver::Profiles& profiles);

// The solver that the bug was found on, as the manifest describes it.
base::Result<solver::Solver> solver_of(const store::Manifest& manifest,
                                       const solver::Profiles& profiles);

}  // namespace elenchus::docket
