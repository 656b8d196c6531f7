#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "campaign/shared.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "lane/batches.h"
#include "lane/lane.h"
#include "mutate/engine.h"

namespace elenchus::campaign {

// The lane of terms of one worker: where they come from, who is asked, and what is to be looked
// into.
class TermTests {
 public:
  // What the sources keep goes into the store for good. `worker`: its number. `is_over` says when a
  // turn should end with what it has.
  TermTests(const Shared& shared, ir::TermStore& terms, size_t worker,
            std::function<bool()> is_over);

  // Whether any solver can be asked.
  bool serves() const { return !seats_.empty(); }

  // A term that a solver seems to be wrong about, as a test.
  struct Suspicious {
    ir::Script script;
    std::optional<ir::Model> witness;  // satisfies the script
    size_t solver = 0;
    bool is_of_seed = false;  // comes from the seed at hand or a mutant of it
    std::string tactic;  // that says the same as the option with which it was asked; none: empty
  };
  struct Turn {
    std::vector<Suspicious> suspicious;
    std::vector<lane::Counts> counts;  // by solver of the campaign
    std::vector<double> seconds;       // likewise
  };

  // Asks the solvers about terms of the next source: folded constants, nested operators, generated
  // scripts, or the seed and some mutants of it. New terms go into the store. The lab says when it
  // is our turn. `models`: of the seed, if there are any.
  Turn take_turn(ir::TermStore& terms, lab::SolverLab& lab, const ir::Script& seed,
                 std::span<const ir::Model> models, base::Rng& rng);
  // Whether the next turn is about the seed.
  bool is_seed_next() const;

 private:
  struct Seat {
    size_t solver;
    std::string form;                  // the command, with {} in the place of a term
    std::vector<std::string> tactics;  // simplify with an option each
    lane::TermLane lane;
    std::unique_ptr<lane::Batches> batches;
    lane::Choice choice;
  };
  // Asks as it comes, or with the options of such a tactic.
  void ask(ir::TermStore& terms, lab::SolverLab& lab, Seat& seat, const lane::Batch& batch,
           const std::string& tactic, Turn& turn);

  std::unique_ptr<mutate::Engine> engine_;
  std::function<bool()> is_over_;
  std::vector<Seat> seats_;
  size_t solvers_;
  uint32_t turns_ = 0;
};

}  // namespace elenchus::campaign
