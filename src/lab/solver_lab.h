#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "lab/run_ahead.h"
#include "lab/turnstile.h"
#include "oracle/exam.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace elenchus::lab {

// What it has cost to run a solver in another way than the lab does.
struct Expense {
  double seconds = 0;
  double cpu_seconds = 0;
};

// Runs scripts of one store on real solvers, in sessions or in fresh processes. One per worker.
class SolverLab : public oracle::Lab {
 public:
  SolverLab(const ir::TermStore& store, std::span<const solver::Solver> solvers, bool fresh,
            const solver::RunLimits& limits);

  std::span<const solver::Solver> solvers() const override { return solvers_; }
  solver::Run run(size_t solver, const ir::Script& script, const oracle::Wishes& wishes) override;

  // The text of a script as solvers get it; fails only where it cannot be printed.
  base::Result<solver::Query> query_of(const ir::Script& script, const oracle::Wishes& wishes);
  solver::Run run_query(size_t solver, const solver::Query& query) {
    return run_within(limits_, solver, query);
  }

  // The time limit of the runs that follow; at first that of the limits.
  void set_seconds(double seconds) { limits_.seconds = seconds; }
  double full_seconds() const { return full_seconds_; }
  // Those that it was made with.
  solver::RunLimits full_limits() const {
    solver::RunLimits limits = limits_;
    limits.seconds = full_seconds_;
    return limits;
  }

  // Is told of every run.
  using Observer = std::function<void(size_t solver, const solver::Run&)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }

  // From here on, each run waits for its turn.
  void set_turnstile(Turnstile* turnstile, Purpose purpose) {
    turnstile_ = turnstile;
    purpose_ = purpose;
  }

  // Does something that runs a solver in another way than run(), when it is its turn. It says what
  // that has cost.
  void in_turn(size_t solver, const std::function<Expense()>& work);

  // Is told of what was done in another way than by runs.
  using Payer = std::function<void(size_t solver, const Expense&)>;
  void set_payer(Payer payer) { payer_ = std::move(payer); }

  // Answers in place of the solvers, without a process.
  using StandIn = std::function<solver::Run(const solver::Solver&, const solver::Query&)>;
  void set_stand_in(StandIn stand_in) { stand_in_ = std::move(stand_in); }

  // A lab of fresh processes for other solvers, of which each has the place of one of these: its
  // runs are observed, wait and are limited as those here.
  SolverLab with_solvers(std::span<const solver::Solver> solvers) const;

  // From here on, scripts that are foreseen begin to run on this solver, so many at a time, and
  // their runs are ready or under way when they are asked for. 0: no longer.
  void run_ahead(size_t solver, size_t threads);
  void foresee(const ir::Script& script);

  // How processes of a solver and its guest are started from here on.
  void set_launch_hook(size_t solver, const solver::Runner::LaunchHook& hook);

  // The solver was built with --coverage: from here on, its counts go below the folder. Each of its
  // runs has a process of its own, since one that has to be killed takes its counts along.
  void count_code(size_t solver, const std::filesystem::path& folder);

  // A guest is the program of one of the solvers with further options, for one test or a few. There
  // is room for one of each, after the solvers themselves.
  void add_guests();
  size_t own_count() const override { return own_count_; }
  size_t host_of(size_t solver) const { return solver < own_count_ ? solver : solver - own_count_; }
  size_t guest_of(size_t solver) const { return own_count_ + solver; }
  // The options of a guest beyond those of its host.
  void set_guest_options(size_t guest, const std::vector<std::string>& options);

  // Ends all processes.
  void close();

 private:
  solver::Run run_in_turn(solver::Runner& runner, const solver::RunLimits& limits, size_t solver,
                          const solver::Query& query);
  solver::Run run_within(const solver::RunLimits& limits, size_t solver,
                         const solver::Query& query);
  // In a process of its own that gets further options.
  solver::Run run_apart(const solver::RunLimits& limits, size_t solver, const solver::Query& query,
                        const std::vector<std::string>& options);

  const ir::TermStore& store_;
  std::vector<solver::Solver> solvers_;
  size_t own_count_;
  std::vector<solver::Runner> runners_;
  std::vector<solver::Runner::LaunchHook> hooks_;  // by host
  bool fresh_;
  solver::RunLimits limits_;
  double full_seconds_;
  smtlib::ScriptPrinter printer_;
  Observer observer_;
  Payer payer_;
  StandIn stand_in_;
  Turnstile* turnstile_ = nullptr;
  Purpose purpose_ = Purpose::kTesting;
  std::unique_ptr<RunAhead> ahead_;
  size_t ahead_solver_ = 0;
};

}  // namespace elenchus::lab
