#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/rng.h"
#include "gen/application.h"
#include "gen/grammar_settings.h"
#include "gen/swarm.h"
#include "gen/world.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// Makes the terms of one script: operators of the swarm and functions of the world over each other,
// down to variables and boundary values. Recursion goes as deep as the settings say.
class TermMaker final : private Arguments {
 public:
  TermMaker(ir::TermStore& store, base::Rng& rng, World& world, Swarm& swarm,
            const GrammarSettings& settings, const Bias* bias);

  // A term of at most about so many nodes, with something at its root; a leaf where nothing has
  // such a result.
  ir::TermId make(ir::SortId sort, int64_t size);
  // The same over these variables, too.
  ir::TermId make_over(std::span<const ir::TermId> variables, ir::SortId sort, int64_t size);
  // A variable of the world, or its negation.
  ir::TermId literal();
  // A ground term that was made; none when there is none.
  ir::TermId made_before();

 private:
  // Arguments that cannot be just anything: which, and what they must be.
  enum class Demand : uint8_t { kNone, kConstant, kNonzero, kExponent, kCharacter };
  struct Demands {
    Demand demand = Demand::kNone;
    uint32_t free_argument = UINT32_MAX;  // of which nothing is demanded
    uint32_t next = 0;                    // argument
  };
  // A term that may be used again.
  struct Shared {
    ir::TermId term;
    ir::SortId sort;
    int64_t size;
  };

  ir::TermId pick(ir::SortId sort) override;
  ir::SortId pick_sort(ir::SortKind kind) override { return world_.any_sort(kind); }
  ir::FunId pick_function(ir::SortId result) override;

  ir::TermId term(ir::SortId sort);
  ir::TermId application(ir::SortId sort);
  ir::TermId try_application(ir::SortId sort);
  ir::TermId by_operator(const Choice& choice, ir::SortId sort);
  ir::TermId by_call(const World::Callable& callable);
  ir::TermId quantified();
  ir::TermId difference();
  Demands demands_of(const Choice& choice);

  ir::TermId leaf(ir::SortId sort);
  ir::TermId constant(ir::SortId sort);
  ir::TermId demanded(Demand demand, ir::SortId sort);
  ir::TermId bound_variable(ir::SortId sort);
  ir::TermId shared(ir::SortId sort);
  bool percent(uint32_t share) { return rng_.below(100) < share; }
  bool has_constants(ir::SortId sort) const;
  bool has_constant_arrays(ir::SortId sort) const;
  bool is_readable(ir::TermId constant) const;
  bool has_byte_readers() const;
  ir::TermId plain_text(ir::SortId sort);

  ir::TermStore& store_;
  base::Rng& rng_;
  World& world_;
  Swarm& swarm_;
  const GrammarSettings& settings_;
  const Bias* bias_;
  uint32_t max_depth_;
  bool has_quantifiers_;
  Demands demands_;
  uint32_t depth_ = 0;            // operators above
  uint32_t binders_ = 0;          // quantifiers above
  int64_t remaining_ = 0;         // nodes
  std::deque<Applier> appliers_;  // one for each depth: they call each other through pick()
  std::vector<ir::TermId> bound_;
  std::vector<Shared> shared_;
};

}  // namespace elenchus::gen
