#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/op_table.h"
#include "solver/solver.h"

namespace elenchus::solver {

// What a solver of this version reads, as its profile says. One that says nothing reads the
// standard; an empty version is the oldest that the operator table speaks of.
ir::Reader reader_of(const Profile& profile, std::string_view version);

// A table of operators with the readers of some solvers.
struct Readership {
  std::shared_ptr<const ir::OpTable> ops;
  std::vector<uint16_t> readers;  // of the solvers, in their order

  // All of them, and whoever reads the standard.
  uint16_t all() const;
  bool any_has(ir::Habit habit) const;
};

// The operators of the table, and those that the solvers have of their own.
base::Result<Readership> readership_of(std::span<const Solver> solvers, const ir::OpTable& ops);

}  // namespace elenchus::solver
