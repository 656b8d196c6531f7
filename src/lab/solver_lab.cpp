#include "lab/solver_lab.h"

#include <optional>
#include <utility>

#include "coverage/gcov.h"

namespace elenchus::lab {
namespace {

// A guest has other options for nearly every test: a fork server would not pay.
solver::Runner::LaunchHook for_guest(const solver::Runner::LaunchHook& hook) {
  if (!hook) return {};
  return [hook](proc::Launch& launch) {
    hook(launch);
    launch.is_instrumented = false;
  };
}

}  // namespace

SolverLab::SolverLab(const ir::TermStore& store, std::span<const solver::Solver> solvers,
                     bool fresh, const solver::RunLimits& limits)
    : store_(store),
      solvers_(solvers.begin(), solvers.end()),
      own_count_(solvers.size()),
      hooks_(solvers.size()),
      fresh_(fresh),
      limits_(limits),
      full_seconds_(limits.seconds),
      printer_(store) {
  runners_.reserve(solvers_.size());
  for (const solver::Solver& solver : solvers_) runners_.emplace_back(solver, fresh);
}

base::Result<solver::Query> SolverLab::query_of(const ir::Script& script,
                                                const oracle::Wishes& wishes) {
  auto query = solver::make_query(printer_, store_, script,
                                  {.want_models = wishes.models,
                                   .want_cores = wishes.cores,
                                   .want_proofs = wishes.proofs,
                                   .keep_requests = wishes.requests});
  // Those of an oracle take the place of the script's own: it counts the replies.
  if (query && !wishes.questions.empty()) {
    query->questions = wishes.questions;
    query->questions_need_model = wishes.questions_need_model;
  }
  return query;
}

solver::Run SolverLab::run_within(const solver::RunLimits& limits, size_t solver,
                                  const solver::Query& query) {
  std::optional<solver::Run> early;
  if (ahead_ != nullptr && solver == ahead_solver_) early = ahead_->take(query);
  solver::Run run =
      early ? std::move(*early) : run_in_turn(runners_[solver], limits, solver, query);
  if (observer_) observer_(solver, run);
  return run;
}

solver::Run SolverLab::run_apart(const solver::RunLimits& limits, size_t solver,
                                 const solver::Query& query,
                                 const std::vector<std::string>& options) {
  solver::Runner runner(solvers_[solver], true);
  runner.set_launch_hook(for_guest(hooks_[host_of(solver)]));
  if (!options.empty()) runner.set_options(options);
  solver::Run run = run_in_turn(runner, limits, solver, query);
  if (observer_) observer_(solver, run);
  return run;
}

solver::Run SolverLab::run_in_turn(solver::Runner& runner, const solver::RunLimits& limits,
                                   size_t solver, const solver::Query& query) {
  if (stand_in_) return stand_in_(solvers_[solver], query);
  const Turn turn(turnstile_, purpose_);
  return runner.run(query, limits);
}

void SolverLab::in_turn(size_t solver, const std::function<Expense()>& work) {
  Expense expense;
  {
    const Turn turn(turnstile_, purpose_);
    expense = work();
  }
  if (payer_) payer_(solver, expense);
}

SolverLab SolverLab::with_solvers(std::span<const solver::Solver> solvers) const {
  SolverLab lab(store_, solvers, true, full_limits());
  lab.observer_ = observer_;
  lab.payer_ = payer_;
  lab.stand_in_ = stand_in_;
  lab.turnstile_ = turnstile_;
  lab.purpose_ = purpose_;
  return lab;
}

solver::Run SolverLab::run(size_t solver, const ir::Script& script, const oracle::Wishes& wishes) {
  const auto query = query_of(script, wishes);
  if (!query) {
    solver::Run run;
    run.outcome = solver::Outcome::kRejected;
    run.message = query.error().message;
    return run;
  }
  solver::RunLimits limits = limits_;
  if (wishes.seconds) limits.seconds = *wishes.seconds;
  const bool is_apart = wishes.proofs || !wishes.options.empty();
  return is_apart ? run_apart(limits, solver, *query, wishes.options)
                  : run_within(limits, solver, *query);
}

void SolverLab::run_ahead(size_t solver, size_t threads) {
  ahead_.reset();
  ahead_solver_ = solver;
  if (threads > 0) ahead_ = std::make_unique<RunAhead>(solvers_[solver], fresh_, threads);
}

void SolverLab::foresee(const ir::Script& script) {
  if (ahead_ == nullptr) return;
  const auto query = query_of(script, {});
  if (query) ahead_->expect(*query, limits_);
}

void SolverLab::add_guests() {
  for (size_t i = 0; i < own_count_; ++i) {
    solvers_.push_back(solvers_[i]);
    runners_.emplace_back(solvers_.back(), fresh_);
  }
}

void SolverLab::set_guest_options(size_t guest, const std::vector<std::string>& options) {
  solver::Solver named = solver::with_options(solvers_[host_of(guest)], options);
  if (named.options == solvers_[guest].options) return;
  solvers_[guest] = std::move(named);
  runners_[guest].set_options(options);
}

void SolverLab::set_launch_hook(size_t solver, const solver::Runner::LaunchHook& hook) {
  hooks_[solver] = hook;
  runners_[solver].set_launch_hook(hook);
  if (guest_of(solver) < runners_.size()) {
    runners_[guest_of(solver)].set_launch_hook(for_guest(hook));
  }
}

void SolverLab::count_code(size_t solver, const std::filesystem::path& folder) {
  for (const size_t own : {solver, guest_of(solver)}) {
    if (own < runners_.size()) runners_[own] = solver::Runner(solvers_[own], true);
  }
  set_launch_hook(solver, [words = coverage::gcov_environment(folder)](proc::Launch& launch) {
    launch.environment.insert(launch.environment.end(), words.begin(), words.end());
  });
}

void SolverLab::close() {
  for (solver::Runner& runner : runners_) runner.close();
}

}  // namespace elenchus::lab
