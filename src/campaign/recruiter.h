#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "campaign/pool.h"
#include "campaign/seeds.h"
#include "campaign/shared.h"
#include "coverage/afl_map.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "oracle/exam.h"

namespace elenchus::campaign {

// Takes mutants that reached something new into the pool, reduced to what keeps that behaviour. One
// per worker.
class Recruiter {
 public:
  // By solver: where it counts its edges; none: what it touches is told by its statistics.
  using Maps = std::vector<std::optional<coverage::AflMap>>;

  Recruiter(Shared& shared, ir::TermStore& terms, lab::SolverLab& lab, Maps& maps)
      : shared_(shared), terms_(terms), lab_(lab), maps_(maps) {}

  // How the solvers answered a seed as it is: no news for its family.
  void note_seed(const SeedFile& seed, const oracle::Exam& exam);

  // Whether they answered a mutant of the seed otherwise, or showed something first.
  bool is_unlike(const SeedFile& seed, const oracle::Exam& exam,
                 std::span<const std::vector<uint64_t>> keys) const;

  // A mutant of the seed was run. `keys`: those that it showed first, by solver.
  base::Result<void> look_at(const SeedFile& seed, std::string_view engine,
                             const oracle::Exam& exam, std::span<const std::vector<uint64_t>> keys);

 private:
  // Whether the solver shows all of the keys (sorted) on this script.
  bool shows(size_t solver, const std::vector<uint64_t>& keys, const ir::Script& script);
  base::Result<void> recruit(const SeedFile& seed, std::string_view engine, Pooled entry,
                             const ir::Script& script,
                             const std::function<bool(const ir::Script&)>& is_alike);

  Shared& shared_;
  ir::TermStore& terms_;
  lab::SolverLab& lab_;
  Maps& maps_;
};

}  // namespace elenchus::campaign
