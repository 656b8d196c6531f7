#pragma once

#include <cstdint>

#include "base/rng.h"
#include "gen/application.h"
#include "gen/vocabulary.h"
#include "ir/term_store.h"
#include "mutate/chain.h"

namespace elenchus::mutate {

// Makes terms for a place in a script: operators, and functions of the script, on arguments that
// the one who derives from this picks. What it makes may stand where the place is, and somebody
// reads it.
class Maker : protected gen::Arguments {
 protected:
  // Where the new term is to stand.
  struct Scene {
    const gen::Vocabulary* vocabulary = nullptr;
    uint16_t readers = 0;      // who reads the script
    bool takes_fewer = false;  // operators that only some of them read may be used
    gen::KindMask kinds = 0;   // of sorts of which arguments can be had
    uint32_t at = 0;           // which declarations are in force: see Span
    base::Rng* rng = nullptr;  // of the mutant under way
  };

  Maker(ir::TermStore& store, Workshop& workshop) : store_(store), workshop_(workshop) {}

  // None when the draws did not lead to a term; another try may. `readers` becomes those who read
  // the operator on these arguments.
  ir::TermId application(ir::SortId sort, uint16_t& readers);
  // A boundary value of the sort, as far as the logic has such constants.
  ir::TermId admissible_constant(ir::SortId sort);
  // Signs are operators, which not every logic with numbers has: QF_S counts and does not subtract.
  ir::TermId unsigned_if_needed(ir::TermId number) const;
  // Sorts whose constants go well with those that are there.
  void add_companions();

  const ir::Logic& logic() const { return scene_.vocabulary->logic(); }
  Expressions& expressions() { return workshop_.expressions; }

  ir::SortId pick_sort(ir::SortKind kind) override;
  ir::FunId pick_function(ir::SortId result) override;

  Scene scene_;

 private:
  ir::TermId call(ir::FunId fun);
  ir::TermId polymorphic_call(ir::FunId fun, ir::SortId result);

  ir::TermStore& store_;
  Workshop& workshop_;
};

// Whether an operator that these read may be used in a script that those read: where nobody is
// lost, or where that is allowed and somebody is left.
constexpr bool is_welcome(uint16_t operator_readers, uint16_t script_readers, bool takes_fewer) {
  const uint16_t left = operator_readers & script_readers;
  return left == script_readers || (takes_fewer && left != 0);
}

// For tests that are good for nothing but comparing solvers, and that are made one by one: what
// some do not read is taken less often.
bool is_welcome(base::Rng& rng, uint16_t operator_readers, uint16_t script_readers);

}  // namespace elenchus::mutate
