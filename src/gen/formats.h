#pragma once

#include <utility>

#include "base/rng.h"
#include "ir/op_table.h"
#include "ir/sort.h"

namespace elenchus::gen {

// The small one, whose values can be told apart at a glance, has no name.
inline constexpr std::pair<uint32_t, uint32_t> kFormats[] = {
    {5, 11}, {8, 24}, {8, 24}, {11, 53}, {3, 5}};

// A floating-point sort of a format that all of the readers have; single precision if need be.
inline ir::SortId draw_format(ir::SortTable& sorts, const ir::OpTable& ops, uint16_t readers,
                              base::Rng& rng) {
  const auto [exponent, significand] = kFormats[rng.below(std::size(kFormats))];
  const ir::SortId sort = sorts.floating_point(exponent, significand);
  if ((readers & ~ops.format_readers(sorts[sort])) == 0) return sort;
  return sorts.floating_point(8, 24);
}

}  // namespace elenchus::gen
