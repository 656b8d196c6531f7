#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "gen/application.h"
#include "gen/vocabulary.h"
#include "history/signature.h"
#include "ir/term_store.h"
#include "mutate/chain.h"

namespace elenchus::mutate {

// Operators with a Boolean result, by their names.
using OperatorIndex = std::unordered_map<std::string, std::vector<const gen::Choice*>>;

// Makes atoms that fit signatures: operands with and without variables, of sorts that are settled
// once for a series of tests.
class AtomMaker : private gen::Arguments {
 public:
  // `kinds`: of the sorts that may be used.
  AtomMaker(ir::TermStore& store, Workshop& workshop, const OperatorIndex& operators,
            uint16_t solvers, gen::KindMask kinds);

  // Sorts and variables that are there already; they are preferred.
  void add_sort(ir::SortId sort);
  void add_variable(ir::TermId constant);
  // Settles which sorts are used.
  void begin(base::Rng& rng);

  // None when the signature asks for what cannot be made, or the draws did not lead to an atom.
  ir::TermId make(base::Rng& rng, const history::AtomSignature& signature);

  // A declared constant of the sort; another one for each number.
  ir::TermId variable(ir::SortId sort, uint32_t number);
  // Some of the first few. Good for any sort that can be quantified over.
  ir::TermId any_variable(base::Rng& rng, ir::SortId sort);
  // None when there is no sort of the kind.
  ir::SortId sort_of(ir::SortKind kind) const { return sort_by_kind_[static_cast<size_t>(kind)]; }
  // Sorts that variables may have.
  std::span<const ir::SortId> variable_sorts() const { return variable_sorts_; }

 private:
  ir::TermId pick(ir::SortId sort) override;
  ir::SortId pick_sort(ir::SortKind kind) override;
  ir::FunId pick_function(ir::SortId) override { return {}; }

  ir::SortId new_sort(base::Rng& rng, ir::SortKind kind);
  ir::SortId element_sort(base::Rng& rng);
  ir::TermId operand(const history::Operand& operand);
  ir::TermId term_with_variables(ir::SortId sort, uint32_t depth);
  ir::TermId application(ir::SortId sort);
  ir::TermId constant(ir::SortId sort);
  ir::TermId some_variable(ir::SortId sort);
  ir::TermId predicate(const history::AtomSignature& signature);
  bool has_variables(ir::TermId term) const;

  ir::TermStore& store_;
  Workshop& workshop_;
  const OperatorIndex& operators_;
  uint16_t solvers_;
  gen::KindMask kinds_;
  const gen::Vocabulary* vocabulary_ = nullptr;
  base::Rng* rng_ = nullptr;
  uint32_t depth_ = 0;
  std::array<ir::SortId, gen::kSortKinds> sort_by_kind_ = {};
  std::vector<ir::SortId> offered_;  // sorts that are there already
  std::vector<ir::SortId> variable_sorts_;
  std::unordered_map<uint32_t, std::vector<ir::TermId>> variables_;  // by sort
  std::map<std::vector<ir::SortId>, ir::FunId> predicates_;
};

OperatorIndex index_operators(const ir::OpTable& table, const gen::Vocabulary& vocabulary);

}  // namespace elenchus::mutate
