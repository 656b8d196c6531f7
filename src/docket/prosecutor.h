#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "docket/evidence.h"
#include "docket/voices.h"
#include "lab/solver_lab.h"
#include "oracle/exam.h"
#include "oracle/finding.h"
#include "reduce/reduce.h"

namespace elenchus::docket {

// How a solver is called on a script.
struct Call {
  std::string program;               // absolute path
  std::vector<std::string> options;  // the profile's, then the solver's own
  bool by_file = false;              // the script is an argument, and not the standard input

  bool operator==(const Call&) const = default;
};

// What a script asks for beside its answers, where those are what is wrong: a run of ours always
// asks for models or cores, and some solvers fail only then.
enum class Requests : uint8_t { kNone, kModels, kShownModel, kShownCore };

// A confirmed and reduced finding, ready to be stored.
struct Indictment {
  oracle::Finding finding;
  std::string signature;
  std::string shape;
  std::string logic;
  std::vector<std::string> theories;
  std::string model;       // as a report shows it
  std::string evaluation;  // of the witness, step by step
  Stability stability;
  std::string tested;                   // what runs of the solver count for
  solver::Solver solver;                // with the smallest option set that shows it
  std::optional<solver::Solver> other;  // that it contradicts, with the fewest options
  std::string original;                 // the test, as text
  std::string reduced;                  // what remains of it
  std::string told;                     // the same as others are to see it
  std::string variant;  // another script that shows the contradiction together with it
  Call call;            // the plainest that shows it
  Requests requests = Requests::kNone;  // the fewest with which it shows
  bool shows_by_script = false;         // repro.sh, with that call
  double seconds = 0;                   // the limit of a check-sat
  std::string core;                     // that is wrong, as the solver printed it
  Voices voices;                        // what else is known of the right answer
  std::string odd_format = {};    // of floats, in the script, that the solver does not support
  std::string beyond_rules = {};  // why the solver refuses it by its maintainers' rules; or empty
  std::vector<std::string> frames = {};  // of a crash, the innermost function first
  std::vector<std::pair<std::string, solver::Run>> runs;  // by solver name, on the reduced script
  std::vector<solver::Solver> solvers;
  uint32_t tries = 0;                    // candidates of the reduction that were run
  bool is_minimal = false;               // the reduction came to its end
  std::string new_since = {};            // the version that does not show it; empty: none was asked
  std::string objectives = {};           // as the solver printed them
  bool has_fewest_options = false;       // it was tried without each of those that are left
  bool needs_history = false;            // what comes before the last query is needed
  std::vector<std::string> strays = {};  // scripts that showed something else on the way
};

// How long a finding may be pursued, and who is told.
struct Pursuit {
  std::function<bool()> stop;          // ends the reduction; what is smallest then counts
  std::function<bool()> abandon = {};  // ends it where it is; what is told then does not count
  std::function<void(const reduce::Progress&)> on_progress = {};
  uint32_t jobs = 1;        // candidates of the reduction that run at the same time
  bool in_sessions = true;  // whether candidates may run in sessions, where the finding shows there
};

// What is left of a script, and the finding with the evidence that fits it.
struct Reduction {
  std::optional<ir::Script> script;  // none where nothing could go
  oracle::Finding finding;
  uint32_t tries = 0;                    // candidates that were run
  bool is_minimal = false;               // it came to its end
  std::vector<std::string> strays = {};  // scripts that showed something else on the way
};

// Turns a finding into something that one can report: shows it again twice in fresh processes,
// reduces it, drops options. The steps can be taken one by one.
class Prosecutor {
 public:
  // `fast` runs the candidates of the reduction, `fresh` everything that counts.
  Prosecutor(ir::TermStore& store, lab::SolverLab& fast, lab::SolverLab& fresh,
             uint32_t reduce_tries);

  // All steps. Nothing when it cannot be confirmed.
  std::optional<Indictment> prosecute(const oracle::Case& test, const oracle::Finding& finding,
                                      const Pursuit& pursuit);

  // The finding as it shows again, alone and more than once.
  std::optional<oracle::Finding> confirm(const oracle::Case& test, const oracle::Finding& finding);

  // The script of a confirmed finding made smaller, as far as it can be.
  Reduction reduce(const oracle::Case& test, const oracle::Finding& finding,
                   const Pursuit& pursuit);

  // Makes a wrong rewrite's script say nothing but what the term is, if it still shows.
  void restate(const oracle::Case& base, Reduction& reduction, oracle::Finding& finding);

  // Whether another version of the guilty solver answers this test and does not show the finding.
  bool is_new_since(const solver::Solver& old, const oracle::Case& test,
                    const oracle::Finding& finding);

  // What is to be told of a finding that was confirmed on this test, which is reduced by now.
  Indictment describe(const oracle::Case& test, oracle::Finding finding, const Pursuit& pursuit);

 private:
  std::optional<oracle::Finding> confirm_in(lab::SolverLab& lab, const oracle::Case& test,
                                            const oracle::Finding& finding);
  // One reduction from start to end; candidates run in this lab.
  Reduction reduce_in(lab::SolverLab& lab, const oracle::Case& test, const oracle::Finding& found,
                      const Pursuit& pursuit);
  bool settle_limit(lab::SolverLab& lab, const oracle::Case& test, const oracle::Finding& finding);
  // The finding, and the solvers with no option that it can do without.
  std::vector<solver::Solver> drop_options(const oracle::Case& test, oracle::Finding& finding,
                                           const Pursuit& pursuit);
  void add_evidence(const oracle::Case& test, const Pursuit& pursuit, Indictment& indictment);
  bool shows(lab::SolverLab& lab, const oracle::Case& test, const oracle::Finding& finding);
  // Whether it shows in fresh processes when this solver takes the guilty one's place.
  bool shows_on(const solver::Solver& solver, const oracle::Case& test,
                const oracle::Finding& finding);
  // The solvers, of which the one with this number has no option that the finding can do without.
  std::vector<solver::Solver> with_fewest_options(std::vector<solver::Solver> solvers, size_t index,
                                                  const oracle::Case& test,
                                                  const oracle::Finding& finding,
                                                  const Pursuit& pursuit);
  bool shows_with(const std::vector<solver::Solver>& solvers, const oracle::Case& test,
                  const oracle::Finding& finding);
  // The plainest call that shows it, found out with repro.sh itself.
  void add_call(const Pursuit& pursuit, Indictment& indictment);
  bool shows_when_called(const Call& call, const Indictment& indictment);
  // The reduced script as others are to see it.
  ir::Script told_script(const ir::Script& reduced, oracle::Kind kind);
  void add_runs(const std::vector<solver::Solver>& solvers, const ir::Script& script,
                const oracle::Wishes& wishes, Indictment& indictment);

  ir::TermStore& store_;
  lab::SolverLab& fast_;
  lab::SolverLab& fresh_;
  uint32_t reduce_tries_;
};

// The test with another script; a witness stays good for a smaller one, a construction does not.
oracle::Case with_script(const oracle::Case& test, const ir::Script& script);

}  // namespace elenchus::docket
