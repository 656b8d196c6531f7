#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/truth.h"
#include "oracle/finding.h"
#include "oracle/model_check.h"
#include "solver/solver.h"

namespace elenchus::oracle {

// What to ask a solver for beyond answers, and how.
struct Wishes {
  bool models = true;
  bool cores = false;
  bool proofs = false;
  // Requests for formulas that the script makes, such as (get-qe F), are kept.
  bool requests = false;
  // Beyond the solver's own. A run with such options, or with proofs, has a process of its own.
  std::vector<std::string> options = {};
  // Commands that come after the last answer: see solver::Query.
  std::vector<std::string> questions = {};
  bool questions_need_model = false;
  // For each check-sat, in place of the lab's own limit.
  std::optional<double> seconds = {};
};

// Where solvers run. A campaign has one with sessions and one with fresh processes.
class Lab {
 public:
  virtual ~Lab() = default;
  virtual std::span<const solver::Solver> solvers() const = 0;
  // Those from this number on are guests: one of the others with options for a test or two.
  virtual size_t own_count() const { return solvers().size(); }
  virtual solver::Run run(size_t solver, const ir::Script& script, const Wishes& wishes) = 0;
};

// A test as oracles see it: a script, and what is known of its answers.
struct Case {
  const ir::Script& script;
  std::span<const ir::Truth> expected = {};  // one for each check-sat, or none at all
  const ir::Model* witness = nullptr;        // of the last check-sat that is expected to be sat
  std::string_view construction = {};        // why an expected unsat is unsat
};

// One test, the runs of the solvers on it, and what oracles find out about them. Models are read
// and checked once, when somebody asks. Terms of models stay in the store; the caller rolls it
// back.
class Exam {
 public:
  // `check`: what looking at one model may cost.
  Exam(ir::TermStore& store, const Case& test, Lab& lab, const ModelCheckSettings& check = {});

  ir::TermStore& store() { return store_; }
  const Case& test() const { return test_; }
  Lab& lab() { return lab_; }
  const solver::Solver& solver(size_t index) const { return lab_.solvers()[index]; }
  size_t solver_count() const { return runs_.size(); }
  // Whether an oracle may ask the solver, whatever it did so far. A guest that took no part in the
  // test has the options of some other test.
  bool may_ask(size_t solver) const { return solver < lab_.own_count() || runs_[solver]; }
  // The check-sat commands of the script.
  const std::vector<size_t>& checks() const { return checks_; }

  // Runs the test on one solver; oracles see those that were run.
  const solver::Run& run(size_t solver);
  void set_run(size_t solver, solver::Run run) { runs_[solver] = std::move(run); }
  const solver::Run* find_run(size_t solver) const {
    return runs_[solver] ? &*runs_[solver] : nullptr;
  }

  // The answer of the solver to a check-sat; unknown where it did not get there.
  solver::Outcome answer(size_t solver, size_t check) const;

  // The model that the solver gave for a check-sat, judged; null when there is none, or none that
  // can be read.
  const JudgedModel* model(size_t solver, size_t check);

 private:
  struct ModelSlot {
    size_t solver = 0;
    size_t check = 0;
    std::optional<JudgedModel> judged;
  };
  std::optional<JudgedModel> judge_model(size_t solver, size_t check);

  ir::TermStore& store_;
  Case test_;
  Lab& lab_;
  ModelCheckSettings check_;
  std::vector<size_t> checks_;
  std::vector<std::optional<solver::Run>> runs_;
  std::vector<std::unique_ptr<ModelSlot>> models_;
};

// Whether a model that is valid proves that the formula is satisfiable. It does not where we had to
// choose a value that a solver may see as fixed.
bool is_proof(const ModelVerdict& verdict);

// Whether the script's logic has the sorts of all that the check asks for.
bool keeps_to_logic(const ir::TermStore& store, const ir::Script& script, size_t check);

// Whether all that the check asks for is made of operators whose meaning the standard fixes, so
// that two answers that differ cannot both be right.
bool has_settled_meaning(const ir::TermStore& store, const ir::Script& script, size_t check);

}  // namespace elenchus::oracle
