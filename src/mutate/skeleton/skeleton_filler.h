#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "history/skeleton.h"
#include "ir/term_store.h"
#include "mutate/skeleton/atom.h"
#include "mutate/skeleton/atom_source.h"
#include "mutate/skeleton/declarations.h"
#include "mutate/skeleton/skeleton.h"

namespace elenchus::mutate {

// Makes formulas of skeletons: atoms for the holes, other variables for theirs, and variables for
// the quantifiers to bind.
class SkeletonFiller {
 public:
  SkeletonFiller(const SkeletonSettings& settings, ir::TermStore& store, AtomSource& atoms,
                 Declarations& declarations);

  // For another test.
  void restart();
  // None when the atoms do not fit. What the formula uses goes into the declarations and needs().
  ir::TermId formula(base::Rng& rng, const history::Skeleton& skeleton);
  // Of the formulas of this test.
  const Needs& needs() const { return needs_; }

 private:
  using Skeleton = history::Skeleton;

  // A hole and what it gets.
  struct Filling {
    const Atom* atom = nullptr;
    uint32_t first_term = 0;  // in terms_: one for each of the atom's variables
  };

  void number_holes(const Skeleton& skeleton);
  void find_ends(const Skeleton& skeleton);
  uint32_t term_at(uint32_t hole) const;

  void fill(base::Rng& rng, uint32_t holes);
  ir::TermId translocated(base::Rng& rng, ir::TermId variable);
  void bind(base::Rng& rng, uint32_t first_term, uint32_t last_term,
            std::vector<ir::TermId>& bound);
  ir::SortId scratch_sort(base::Rng& rng) const;
  ir::TermId new_variable(ir::SortId sort);

  void use_variables(const Filling& filling);
  ir::TermId instance(uint32_t hole);
  ir::TermId joined(const Skeleton::Node& node, const std::vector<ir::TermId>& bound,
                    std::vector<ir::TermId>& built);

  const SkeletonSettings& settings_;
  ir::TermStore& store_;
  AtomSource& atoms_;
  Declarations& declarations_;
  std::string bound_prefix_ = "q";  // of the names of bound variables

  // Of the test under way.
  Needs needs_;
  uint32_t bound_count_ = 0;
  // Of the skeleton under way.
  std::vector<Filling> fillings_;
  std::vector<ir::TermId> terms_;
  std::vector<uint32_t> holes_before_;
  std::vector<uint32_t> ends_;
  std::vector<std::vector<ir::TermId>> bound_;  // by node
  std::vector<ir::TermId> free_;
  std::vector<ir::TermId> args_;
  Atom::Scratch scratch_;
};

}  // namespace elenchus::mutate
