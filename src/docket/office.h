#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "docket/diagnosing.h"
#include "docket/docket.h"
#include "docket/papers.h"
#include "docket/prosecutor.h"
#include "ir/op_table.h"
#include "lab/solver_lab.h"
#include "lab/turnstile.h"
#include "solver/solver.h"
#include "store/campaign_store.h"

namespace elenchus::docket {

// What the prosecutors of a campaign have in common. All of it may be used from several threads.
struct Service {
  Docket& docket;
  store::CampaignStore& store;
  std::span<const solver::Solver> solvers;
  std::shared_ptr<const ir::OpTable> ops;
  solver::RunLimits limits;
  bool fresh = false;  // no sessions, not even for candidates of a reduction
  uint32_t reduce_tries = 300;
  bool may_keep_for_now = true;  // what is not brought to its end in time may be told, and replaced
  std::optional<size_t> baseline = {};  // the solver that the others are compared with
  lab::Turnstile* turnstile = nullptr;
  WaitingList* waiting = nullptr;  // new bugs are diagnosed when nothing else is due

  std::function<bool()> is_testing;
  std::function<bool()> stop;     // what is under way ends with what it has
  std::function<bool()> abandon;  // it ends where it is

  // A test like this one that the engine made smaller in its own way, if it has one: `is_wanted`
  // says whether one is still of use.
  using IsWanted = std::function<bool(const ir::Script&, const ir::Model&)>;
  struct Smaller {
    ir::Script script;
    ir::Model model;
  };
  std::function<std::optional<Smaller>(const Origin&, ir::TermStore&, const ir::Script&,
                                       const ir::Model&, const IsWanted&)>
      smaller = {};

  // Why a bug that shows on the solver with the options that it has is not to be reported; empty:
  // it is.
  std::function<std::string(const solver::Solver&)> outside_policy = {};
  // Whether that goes for what a solver calls experimental, too.
  bool leaves_out_experimental = false;
  // Lets a lab start processes as the campaign wants them.
  std::function<void(lab::SolverLab&)> prepare = {};
  std::function<void(const store::Manifest&, bool is_new)> on_bug = {};
  // A diagnosis was added to the files of this bug.
  std::function<void(const std::string& id)> on_annotated = {};
  std::function<void(std::string script, const Origin&)> on_stray = {};
  std::function<void(base::Error)> on_failure = {};
  // What was found could not be stored; its script is in the message.
  std::function<void(base::Error)> on_loss = {};
  std::function<void(double cpu_seconds)> on_cost = {};  // of solvers
};

// A prosecutor at work: takes suspicions from the docket, one after the other, and brings each to
// its end. Every step is on the disk before the next begins. One for each thread.
class Office {
 public:
  // `waits`: it begins when testing is over.
  Office(Service& service, bool waits);
  ~Office();

  // Until nothing is left and testing is over, or the service says so.
  void run();
  // Takes up one suspicion, if one is due, and brings it as far as it can. False when there is
  // nothing to do at the moment.
  bool work_once();
  // Says why a new bug shows, if one waits for that. False when there is none.
  bool diagnose_once();

  store::Ledger& ledger() { return ledger_; }

 private:
  struct Bench;
  enum class Step : uint8_t { kDone, kInterrupted, kFailed };

  bool is_over();
  // One that cannot be read. False where that ends the campaign.
  bool pass_over(const base::Error& error);
  void work_on(Assignment& assignment);
  Step pursue(Assignment& assignment);
  Step confirm(Assignment& assignment);
  Step reduce(Suspicion& suspicion);
  // Goes on from what the engine itself makes smaller, if it can.
  void shrink(const Suspicion& suspicion, Papers& papers);
  Step describe(Suspicion& suspicion);
  // Says whether it is new since the version that the campaign compares with.
  void compare_with_baseline(const oracle::Case& test, Indictment& indictment);
  Step give_up(Suspicion& suspicion, std::string reason);
  // One whose papers cannot be read. Where only a solver is missing, it waits for a campaign that
  // has it.
  Step lay_aside(Suspicion& suspicion, const base::Error& error);
  Step keep(Suspicion& suspicion, const Indictment& indictment);
  // The time was up: it counts as a bug as it is, and goes on from there another time.
  Step keep_for_now(Suspicion& suspicion, store::Finding finding);
  std::string outside_policy(const Indictment& indictment) const;
  base::Result<void> diagnose(const std::string& id);
  size_t host_of(const solver::Solver& solver) const;
  Step count_for(const Suspicion& suspicion, const std::string& bug);
  // Whether the suspicion shows as it stands, in fresh processes; what that shows.
  std::optional<oracle::Finding> shows(const Suspicion& suspicion, uint32_t times);
  // Whether the bug of this signature shows on the solver that the suspicion is about.
  bool is_explained_by(const Suspicion& suspicion, const std::string& bug);
  // A solver could not be started for want of something of ours, which may pass.
  Step wait_for_solvers();
  // Whether to try again.
  bool wait_for_room();
  Step failed(const base::Error& error);
  Step could_not_store(const base::Error& error, const Suspicion& suspicion,
                       const std::string& script);
  Pursuit pursuit();
  void note_run(size_t solver, const solver::Run& run);
  void note_expense(size_t solver, const lab::Expense& expense);

  Service& service_;
  bool waits_;
  store::Ledger ledger_;
  std::unique_ptr<Bench> bench_;
  std::string engine_;                        // of the suspicion at hand
  double spent_ = 0;                          // seconds of solvers, on the step at hand
  std::optional<base::Error> start_failure_;  // why a solver could not be started lately
  std::optional<std::chrono::steady_clock::time_point> full_since_;  // since when no step succeeds
  uint32_t start_failures_ = 0;  // steps in a row that were not taken for it
};

}  // namespace elenchus::docket
