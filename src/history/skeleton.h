#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/term_store.h"

namespace elenchus::history {

// The structure of a formula: connectives and quantifiers round holes, where the atoms were. The
// variables of a quantifier are not part of it.
//
// Connectives are not, and, or, xor and =>, and those whose arguments are formulas as well: `=` and
// `distinct` of Booleans, and `ite` with Boolean branches.
struct Skeleton {
  struct Node {
    ir::Op op = ir::Op::kNone;  // kNone: a hole
    uint32_t arity = 0;
  };
  std::vector<Node> nodes;  // each before the nodes below it

  uint32_t holes() const;
};

// Larger skeletons are left out.
inline constexpr uint32_t kMaxSkeletonNodes = 500;

// The connective or quantifier that the term applies, or kNone: then the term is an atom, or an
// annotation round a formula.
ir::Op connective_of(const ir::TermStore& store, ir::TermId term);
// What stands below annotations.
ir::TermId without_annotations(const ir::TermStore& store, ir::TermId term);

// The skeleton of a formula. Empty when it is larger than kMaxSkeletonNodes.
Skeleton skeleton_of(const ir::TermStore& store, ir::TermId formula);

// "(forall (and _ (not _)))".
std::string to_text(const Skeleton& skeleton);
base::Result<Skeleton> parse_skeleton(std::string_view text);

}  // namespace elenchus::history
