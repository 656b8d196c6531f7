#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "campaign/dossier.h"
#include "campaign/lab.h"
#include "campaign/option_trials.h"
#include "campaign/prosecutor.h"
#include "campaign/scheduler.h"
#include "campaign/seed_facts.h"
#include "campaign/shared.h"
#include "coverage/afl_map.h"
#include "ir/term_store.h"
#include "mutate/engine.h"
#include "oracle/oracle.h"
#include "store/ledger.h"

namespace elenchus::campaign {

// Makes tests and runs them, in a thread of its own, with its own terms, sessions and engines.
class Worker {
 public:
  Worker(Shared& shared, base::Rng rng);
  ~Worker();

  // Works until the campaign is over.
  void run();

  store::Ledger& ledger() { return ledger_; }

 private:
  // The terms and all that refers to them; made anew after an internal error.
  struct Bench {
    Bench(const Shared& shared, store::Ledger& ledger, const std::string& engine);
    ir::TermStore terms;
    ir::TermStore::Mark clean;
    SolverLab sessions;
    SolverLab fresh;
    Prosecutor prosecutor;
    OptionTrials trials;
    std::vector<std::unique_ptr<mutate::Engine>> engines;
    std::vector<std::optional<coverage::AflMap>> maps;  // by solver
  };

  void visit(Visit& visit);
  void work_on_seed(Visit& visit, const ir::Script& script, Yield& yield);
  // False when the seed is of no use.
  bool probe(Visit& visit, const ir::Script& script, Yield& yield);
  void follow_strays(Visit& visit, Yield& yield);
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
  };
  // `mutant`: what the test is made of, if it is no seed.
  Result test(Visit& visit, const oracle::Case& test, const mutate::Mutant* mutant, Yield& yield);
  // One of the solvers runs the test under options, too, where the engine is about them.
  void test_options(Visit& visit, const ir::Script& script, solver::Query query, oracle::Exam& exam,
                    Yield& yield);
  // What the run touched; how much of it is new.
  uint32_t note_coverage(size_t solver, const solver::Run& run, Yield& yield);
  // The solver's name as far as it tells bugs apart.
  std::string name_in_signature(const oracle::Finding& finding) const;
  bool should_ask(const Pace& pace, bool is_probe);
  double limit_for(const Pace& pace, bool is_probe);
  void note_pace(Pace& pace, const solver::Run& run);
  void consult(oracle::Exam& exam, std::vector<oracle::Finding>& findings);
  void pursue(const Visit& visit, const oracle::Case& test, const mutate::Mutant* mutant,
              const oracle::Finding& finding, Yield& yield);
  std::optional<Indictment> prosecute(const Visit& visit, const oracle::Case& test,
                                      const mutate::Mutant* mutant, const oracle::Finding& finding);
  void keep(const Indictment& indictment, const Origin& origin, Yield& yield);
  std::vector<std::string> seeds_of(const Visit& visit) const;
  bool is_in_focus(const ir::Script& script) const;

  Shared& shared_;
  base::Rng rng_;
  store::Ledger ledger_;
  std::string engine_name_;  // of the visit under way
  std::string folder_;
  std::string partner_;              // the other seed's path, where there is one
  bool is_seed_itself_ = false;      // what is tested is no engine's work
  std::vector<std::string> strays_;  // scripts that reductions of this visit came by
  std::unique_ptr<Bench> bench_;
};

}  // namespace elenchus::campaign
