#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "campaign/option_trials.h"
#include "campaign/recruiter.h"
#include "campaign/scheduler.h"
#include "campaign/seed_facts.h"
#include "campaign/shared.h"
#include "campaign/term_tests.h"
#include "coverage/afl_map.h"
#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "mutate/engine.h"
#include "oracle/oracle.h"
#include "store/ledger.h"

namespace elenchus::campaign {

// Makes tests and runs them, in a thread of its own, with its own terms, sessions and engines.
class Worker {
 public:
  // `number`: among the workers of the campaign.
  Worker(Shared& shared, base::Rng rng, size_t number = 0);
  ~Worker();

  // Works until the campaign is over.
  void run();

  store::Ledger& ledger() { return ledger_; }

 private:
  // The terms and all that refers to them; made anew after an internal error.
  struct Bench {
    Bench(const Shared& shared, Worker& worker);
    ir::TermStore terms;
    ir::TermStore::Mark clean;
    lab::SolverLab sessions;
    OptionTrials trials;
    std::vector<std::shared_ptr<mutate::Engine>> engines;  // some serve in several ways
    Recruiter::Maps maps;
    Recruiter recruiter;
    std::unique_ptr<TermTests> term_tests;  // none: no lane of terms
  };

  void visit(Visit& visit);
  void work_on_seed(Visit& visit, const ir::Script& script, Yield& yield);
  void run_series(Visit& visit, mutate::Series& series, uint32_t length, Yield& yield);
  // Asks about terms, those of the seed among them.
  void ask_about_terms(const ir::Script& script);
  // What a suspicious term shows when it is looked into: how many findings.
  size_t look_into(const TermTests::Suspicious& one, Yield& yield);
  // False when the seed is of no use.
  bool probe(Visit& visit, const ir::Script& script);
  void follow_stray(Visit& visit);
  void go_back_to(const docket::Origin& origin);
  void drop(const Visit& visit, const std::string& reason);

  // Another seed for an engine that takes two, in the terms of the first.
  struct Partner {
    size_t seed;
    ir::Script script;
    SeedFacts facts;
  };
  std::optional<Partner> find_partner(const Visit& visit, const mutate::Seed& seed);

  // What became of a test.
  struct Result {
    bool accepted = false;
    bool decided = false;
    bool timed_out = false;
    bool is_unlike_seed = false;
    bool is_void = false;  // a solver could not be started: nothing is known, nothing counts
  };
  // `mutant`: what the test is made of, if it is no seed.
  Result test(Visit& visit, const oracle::Case& test, const mutate::Mutant* mutant, Yield& yield);
  // What a run touched: edges, else keys of statistics; sorted.
  std::vector<uint64_t> touched_by(size_t solver, const solver::Run& run) const;
  // Solvers run the test under options, too. `plain`: what it touched without, by solver. The last
  // trial, whose run is in the exam, if it is.
  std::optional<OptionTrials::Trial> test_options(Visit& visit, const solver::Query& query,
                                                  const std::vector<std::vector<uint64_t>>& plain,
                                                  oracle::Exam& exam, Yield& yield);
  // The run of a trial.
  solver::Run try_options(Visit& visit, const OptionTrials::Trial& trial,
                          const solver::Query& query, const std::vector<uint64_t>& plain,
                          const oracle::Exam& exam, Yield& yield);
  // What a guest's run shows beside those of the solvers themselves: how many findings.
  size_t judge_guest(const oracle::Exam& exam, size_t guest, solver::Run run, Yield& yield);
  // What came of a trial goes to the account of each of its options.
  void account(const OptionTrials::Trial& trial, const store::Tried& tried);
  // One of the solvers is asked in one of its variants, too, the same for a whole visit; they take
  // turns.
  void draw_variant();
  // How much of what the variant touched is new.
  uint32_t test_variant(Visit& visit, const solver::Query& query, oracle::Exam& exam, Yield& yield);
  // A solver could not be started for want of something of ours: waits, in case that passes, and
  // ends the campaign when it does not.
  void wait_for_resources();
  // What the run touched; how much of it is new.
  uint32_t note_coverage(size_t solver, const solver::Run& run);
  void recruit(const oracle::Exam& exam);
  bool should_ask(const Pace& pace, bool is_probe);
  double limit_for(const Pace& pace, bool is_probe);
  void note_pace(Pace& pace, const solver::Run& run);
  void note_cost(bool is_guest, const solver::Run& run);
  void consult(oracle::Exam& exam, std::vector<oracle::Finding>& findings);
  // What only the baseline answers; such findings are looked for where there is one.
  void compare_with_baseline(oracle::Exam& exam, std::vector<oracle::Finding>& findings);
  // Whether nothing but the baseline is to blame, which is not under test.
  bool is_of_baseline(const oracle::Finding& finding) const;
  void finding_in_session(oracle::Exam& exam, size_t solver, Yield& yield);
  // Has a finding written down, unless the docket knows enough of its like. `run`: the guilty one.
  void suspect(const oracle::Case& test, const oracle::Finding& finding, const solver::Run* run,
               Yield& yield);
  std::vector<std::string> origins() const;
  // The engine that what is tested is due to.
  std::string_view accountable() const;
  bool is_in_focus(const ir::Script& script) const;

  Shared& shared_;
  size_t number_;
  base::Rng rng_;
  base::Rng term_rng_;  // of its own: when terms have a turn depends on the clock
  store::Ledger ledger_;
  std::string engine_name_;  // of the visit under way
  SeedFile seed_;
  std::string partner_;  // the other seed's path, where there is one
  struct Variant {
    size_t solver = 0;
    const std::vector<std::string>* options = nullptr;
    std::string name = {};
  };
  std::vector<Variant> variants_;                   // of all solvers
  std::optional<size_t> next_variant_;              // none: the first is still to be drawn
  std::optional<Variant> variant_;                  // of the visit under way
  std::vector<std::vector<uint64_t>> fresh_keys_;   // of the test under way, by solver
  bool is_seed_itself_ = false;                     // what is tested is no engine's work
  bool is_of_seed_ = true;                          // it has to do with the seed of the visit
  store::Purpose purpose_ = store::Purpose::kTest;  // of the runs under way
  double solver_cpu_ = 0;                           // of all runs
  double recruiting_cpu_ = 0;                       // of those that made mutants fit for the pool
  double own_cost_ = 0;                             // of the visit under way, as in Yield
  double guests_cost_ = 0;
  std::optional<base::Error> start_failure_;  // why a solver could not be started lately
  uint32_t start_failures_ = 0;               // in a row
  std::unique_ptr<Bench> bench_;
};

}  // namespace elenchus::campaign
