#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "history/library.h"
#include "ir/op_table.h"
#include "mutate/chain.h"
#include "mutate/skeleton/atom_maker.h"
#include "mutate/skeleton/skeleton.h"

namespace elenchus::mutate {

// What the skeleton engine keeps from one series to the next.
class Shelf {
 public:
  // Skeletons that some solver does not read are left out.
  Shelf(const SkeletonSettings& settings, const ir::OpTable& table);

  // Made anew when the operators of the store are others.
  const OperatorIndex& operators(const ir::OpTable& table);
  // There is one.
  const history::Skeleton& draw_skeleton(base::Rng& rng, const SkeletonSettings& settings) const;

  const history::Library library;
  Workshop workshop;

 private:
  OperatorIndex index_;
  const gen::Vocabulary* indexed_ = nullptr;
  const ir::OpTable* indexed_table_ = nullptr;
  std::vector<uint32_t> small_;  // skeletons
  std::vector<uint32_t> large_;
};

// Once in so many times; 0 means never.

}  // namespace elenchus::mutate
