#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "campaign/shared.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "knobs/search.h"

namespace elenchus::campaign {

// What an engine's name says: "typefuzz+options" is typefuzz, with options.
struct EngineName {
  std::string plain;
  bool has_options = false;
};
EngineName engine_name_of(std::string_view name);

// How many options a solver may get beyond its own.
uint32_t options_allowed(Policy policy, const solver::Solver& solver);

// Options that a user gives are the user's wish; a policy that allows fewer contradicts them.
base::Result<void> check_policy(Policy policy, std::span<const solver::Solver> solvers);

// Which solver is tried under which options, test by test: a genetic search (unless `options-from`
// says otherwise) for each solver and visit to a seed, whose vectors are tried on the mutants of
// the seed in turn, so that formula and configuration change together. One per worker.
class OptionTrials {
 public:
  explicit OptionTrials(const Shared& shared);

  // Another seed: other options matter.
  void begin_visit();

  struct Trial {
    size_t solver = 0;
    std::vector<std::string> options;
  };
  // None where no solver has options that matter to the script and that the policy allows.
  std::optional<Trial> next(const ir::TermStore& terms, const ir::Script& script, base::Rng& rng);

  // What became of the last trial: how much it showed that no test had shown before, and whether
  // the solver refused it though it takes the script without options.
  void report(uint32_t new_keys, bool conflict, base::Rng& rng);

 private:
  // What the search may give.
  std::vector<const knobs::Knob*> candidates(size_t solver, const ir::TermStore& terms,
                                             const ir::Script& script) const;
  knobs::Search start_search(size_t solver, const ir::TermStore& terms, const ir::Script& script,
                             base::Rng& rng) const;

  const Shared& shared_;
  std::vector<std::optional<knobs::Search>> searches_;  // by solver
  std::vector<std::set<std::string>> refused_;          // options, by solver, for good
  size_t current_ = 0;
};

// Options for one script at a time, without any search: for `elenchus mutate`.
class OptionChooser {
 public:
  // Asks the solver what there is. `learnt` may be null, and must outlive it.
  OptionChooser(const solver::Solver& solver, Policy policy, const knobs::Correlations* learnt);

  // As the command line of the solver wants them; none where the policy allows none.
  std::vector<std::string> choose(const ir::TermStore& terms, const ir::Script& script,
                                  base::Rng& rng) const;

 private:
  solver::Solver solver_;
  knobs::Catalogue catalogue_;
  Policy policy_;
  const knobs::Correlations* learnt_;
};

}  // namespace elenchus::campaign
