#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "lane/term_session.h"
#include "solver/solver.h"

namespace elenchus::lane {

// A term that a solver seems to be wrong about.
struct Suspect {
  ir::TermId term;
  std::optional<size_t> assignment;  // under which it is; none where the solver died of the term
};

// Chooses what to look into, where there is too much: of each outermost operator as many terms as
// of any other, over all calls. So a fault that shows everywhere does not hide those that show
// seldom.
class Choice {
 public:
  std::vector<Suspect> choose(const ir::TermStore& store, std::vector<Suspect> suspects,
                              size_t most);

 private:
  std::map<ir::Op, uint64_t> chosen_;
};

struct Counts {
  uint64_t terms = 0;                    // asked
  std::array<uint64_t, kFates> fates{};  // what became of them
  uint64_t unchanged = 0;                // answered by the term itself
  uint64_t unreadable = 0;               // answers with something that we do not know
  uint64_t other_sorts = 0;              // answers of another sort
  uint64_t compared = 0;                 // values of term and answer
  double cpu_seconds = 0;                // of the solver

  uint64_t of(Fate fate) const { return fates[static_cast<size_t>(fate)]; }
  // All but the seconds, by name: "asked", "answered", "other-sort".
  std::vector<std::pair<std::string_view, uint64_t>> by_name() const;
  Counts& operator+=(const Counts& other);
};

// Asks one solver what it rewrites terms to, hundreds at a time, and compares the values of each
// term and its rewrite under some assignments. Says which terms to look into; accuses nobody.
class TermLane {
 public:
  TermLane(const solver::Solver& solver, const solver::RunLimits& limits);

  // Whether the solver can be asked at all.
  static bool serves(const solver::Solver& solver);

  // The terms are closed, over what the script declares, and in the store; so are the assignments.
  // New terms go into the store. `form`: the command, with {} in the place of a term.
  std::vector<Suspect> examine(ir::TermStore& store, const ir::Script& script,
                               std::span<const ir::TermId> terms,
                               std::span<const ir::Model> assignments, std::string_view form,
                               Counts& counts);
  // Says whether what is under way should end with what it has.
  void set_stop(std::function<bool()> is_stopped) { session_.set_stop(std::move(is_stopped)); }
  // What became of the terms of the last call, in their order. What is not asked, since it cannot
  // be written in a line or its operator takes too long, counts as refused.
  std::span<const Reply> replies() const { return replies_; }

 private:
  solver::Solver solver_;
  TermSession session_;
  std::vector<Reply> replies_;
  std::map<ir::Op, uint32_t> hangs_;  // terms with the operator outermost that took too long
};

}  // namespace elenchus::lane
