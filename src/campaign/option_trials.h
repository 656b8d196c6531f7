#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "campaign/shared.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "knobs/search.h"

namespace elenchus::campaign {

// How many options a test may give a solver beyond its own: a policy says what is reported, not
// what is tried.
uint32_t options_tried(Policy policy);

// Why the policy does not report what shows on this solver with these options; empty: it does.
std::string outside_policy(Policy policy, const solver::Solver& solver);

// Options that a user gives are the user's wish; a policy that allows fewer contradicts them.
base::Result<void> check_policy(Policy policy, std::span<const solver::Solver> solvers);

// Which solver is tried under which options, test by test: a genetic search (unless `options-from`
// says otherwise) for each solver and set of options that matter to a script. Its vectors are tried
// on such scripts one after the other, whatever seed they come from, so that formula and
// configuration change together. One per worker.
class OptionTrials {
 public:
  explicit OptionTrials(const Shared& shared);

  struct Trial {
    size_t solver = 0;
    std::vector<std::string> options;
    std::vector<std::string> names = {};  // of the knobs that are given
  };
  // None where no solver has options that matter to the script and that the policy allows.
  std::optional<Trial> next(const ir::TermStore& terms, const ir::Script& script, base::Rng& rng);

  // What became of the last trial. A conflict is one only where the solver takes the script without
  // options.
  void report(const knobs::Showing& showing, base::Rng& rng);

  // Searches that were begun, and of these, those that ended by their own rule.
  uint64_t begun() const { return begun_; }
  uint64_t ended() const { return ended_; }

 private:
  using KnobSet = std::vector<const knobs::Knob*>;  // in the order of the catalogue
  // A search, and what it is about.
  struct Line {
    size_t solver = 0;
    KnobSet knobs;
    std::optional<knobs::Search> search;
    uint64_t used = 0;  // when it was last
  };

  // What became of one option with one value, in scripts of one logic.
  struct Reception {
    uint32_t refusals = 0;  // alone
    bool is_accepted = false;
  };
  using Setting = std::tuple<const knobs::Knob*, std::string, std::string>;

  bool is_refused(const knobs::Knob& knob, const std::string& value) const;
  bool is_refused(const knobs::Knob& knob) const;
  void note(const Line& line, bool conflict);

  // What may be given for the script.
  KnobSet candidates(size_t solver, const ir::TermStore& terms, const ir::Script& script) const;
  // The search about options that are mostly these; a new one where there is none.
  Line& line_for(size_t solver, const KnobSet& knobs);
  // False where there is nothing to try.
  bool renew(Line& line, base::Rng& rng);
  // What the vector of the search gives, without what does not matter to the script. Vectors of
  // which nothing is left are passed over.
  KnobSet given_of(Line& line, const KnobSet& relevant, base::Rng& rng);

  const Shared& shared_;
  std::vector<Line> lines_;
  std::map<Setting, Reception> receptions_;  // knobs are those of the catalogues
  std::string logic_;                        // of the script at hand
  size_t current_ = 0;                       // of the lines
  KnobSet given_;                            // in the last trial
  uint64_t clock_ = 0;
  uint64_t begun_ = 0;
  uint64_t ended_ = 0;
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
