#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "coverage/afl_map.h"
#include "ir/term_store.h"
#include "knobs/catalogue.h"
#include "knobs/correlations.h"
#include "knobs/search.h"
#include "knobs/training_formulas.h"
#include "smtlib/printer.h"
#include "solver/readership.h"
#include "solver/solver.h"

namespace elenchus::knobs {

struct LearnSettings {
  uint32_t operations = 4;  // kinds of them in a formula: the paper's k
  solver::RunLimits limits = {.seconds = 0.5};
  std::vector<std::string> options;  // patterns: only these are tried; empty: all
  uint32_t solves = 20;              // for comparing times
  double p = 0.01;
  // Times are compared only of formulas that take at least so long, the start of the solver
  // included: below, there is nothing but noise.
  double slow_seconds = 0.05;
  // Formulas that take longer are passed over: every option costs that much again.
  double most_seconds = 0.15;
};

// Learns which options of a solver have to do with which operations (Falcon, section 4.1): solves
// small formulas with each option changed alone, and notes what that does to the answer, else to
// the statistics, else to the code that runs (of an instrumented build), else to the time.
class OptionLearner {
 public:
  OptionLearner(const solver::Solver& solver, const LearnSettings& settings,
                const solver::Readership& readership, Correlations& into);

  // One formula with all options; until `stop` says so, in which case nothing of it is kept. False
  // when the formula was of no use: the solver does not take it, does not decide it, or hardly
  // works for it.
  bool learn_one(base::Rng& rng, const std::function<bool()>& stop);

  size_t option_count() const { return knobs_.size(); }
  // How many of the operations are in four formulas or more, and how many operations there are.
  size_t known_operations() const;
  size_t all_operations() const { return operations_.size(); }
  uint64_t runs() const { return runs_; }

 private:
  // What can be seen of a run.
  struct Sight {
    std::vector<solver::Outcome> answers;
    std::vector<uint64_t> statistics;
    std::vector<uint32_t> edges;  // of an instrumented build
    double seconds = 0;
    bool is_rejected = false;
  };
  // A formula, and what is seen without options.
  struct Subject {
    solver::Query query;
    Sight plain;
    std::vector<uint32_t> vague_edges;  // taken in one plain run and not in another
    std::vector<double> times;          // of plain runs, once they are asked for
  };
  // One option with another value.
  struct Change {
    const Knob* knob;
    std::string value;
    std::vector<std::string> options;  // as the command line wants it
  };

  Sight look(const std::vector<std::string>& options, const solver::Query& query);
  std::optional<Subject> subject_of(solver::Query query);
  Effects compare(Subject& subject, const Change& change);
  bool runs_other_code(const Subject& subject, const Change& change, const Sight& changed);
  const std::vector<uint32_t>& edges_of_reading(const Change& change);
  std::vector<std::string> standard_options(const Knob& knob) const;
  bool has_other_times(Subject& subject, const Change& change);

  solver::Solver solver_;
  LearnSettings settings_;
  Correlations& into_;
  Catalogue catalogue_;
  std::vector<const Knob*> knobs_;
  ir::TermStore terms_;
  smtlib::ScriptPrinter printer_;
  TrainingFormulas formulas_;
  std::vector<std::string> operations_;
  solver::Query blank_;  // nothing is claimed
  std::vector<uint64_t> blank_statistics_;
  std::optional<coverage::AflMap> map_;
  std::map<std::string, std::vector<uint32_t>> reading_;  // by what is given
  uint64_t runs_ = 0;
  double seconds_ = 0;         // of all runs
  double timing_seconds_ = 0;  // of those that only compare times
};

}  // namespace elenchus::knobs
