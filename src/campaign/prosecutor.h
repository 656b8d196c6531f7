#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "campaign/evidence.h"
#include "campaign/lab.h"
#include "oracle/exam.h"
#include "oracle/finding.h"
#include "reduce/reduce.h"

namespace elenchus::campaign {

// What became of a finding.
enum class Charge : uint8_t {
  kNew,          // a bug that was not known
  kKnown,        // one more of a known bug
  kUnconfirmed,  // did not show again in fresh processes
};

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
  solver::Solver solver;                // with the smallest option set that shows it
  std::optional<solver::Solver> other;  // that it contradicts, with the fewest options
  std::string original;                 // the test, as text
  std::string reduced;                  // what remains of it
  std::string told;                     // the same as others are to see it
  std::string variant;  // another script that shows the contradiction together with it
  std::vector<std::pair<std::string, solver::Run>> runs;  // by solver name, on the reduced script
  std::vector<solver::Solver> solvers;
  uint32_t tries = 0;               // candidates of the reduction that were run
  bool is_minimal = false;          // the reduction came to its end
  std::vector<std::string> strays;  // scripts that showed something else on the way
};

// How long a finding may be pursued, and who is told.
struct Pursuit {
  std::function<bool()> stop;  // ends the reduction; what is smallest then counts
  std::function<void(const reduce::Progress&)> on_progress = {};
  uint32_t jobs = 1;  // candidates of the reduction that run at the same time
};

// Findings that workers met, by signature. Thread-safe.
class Docket {
 public:
  // Whether findings that look like this are known well enough: counted, not looked at again.
  bool is_familiar(const std::string& signature);
  // The bug that accounts for a finding with this signature: one that is known, or itself.
  std::string bug_for(const std::string& signature);
  // A bug that is stored.
  void add_bug(const std::string& signature);
  // Notes that a finding with this look led to that bug, or to none.
  void note(const std::string& look, bool confirmed);

 private:
  struct Entry {
    uint32_t confirmed = 0;
    uint32_t failed = 0;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> bugs_;
};

// Turns a finding into something that one can report: shows it again twice in fresh processes,
// reduces it, drops options.
class Prosecutor {
 public:
  // `fast` runs the candidates of the reduction, `fresh` everything that counts.
  Prosecutor(ir::TermStore& store, SolverLab& fast, SolverLab& fresh, uint32_t reduce_tries);

  // Nothing when it cannot be confirmed.
  std::optional<Indictment> prosecute(const oracle::Case& test, const oracle::Finding& finding,
                                      const Pursuit& pursuit);

 private:
  bool confirm(SolverLab& lab, const oracle::Case& test, const oracle::Finding& finding,
               oracle::Finding& latest);
  // The script of the test made smaller, if it can be, and the finding with the evidence that fits
  // it.
  std::optional<ir::Script> reduce(const oracle::Case& test, oracle::Finding& finding,
                                   const Pursuit& pursuit, Indictment& indictment);
  bool settle_limit(SolverLab& lab, const oracle::Case& test, const oracle::Finding& finding);
  // The finding, and the solvers with no option that it can do without.
  std::vector<solver::Solver> drop_options(const oracle::Case& test, oracle::Finding& finding);
  // What is to be told of a finding that is confirmed, on the reduced script.
  void describe(const oracle::Case& test, Indictment& indictment);
  bool shows(SolverLab& lab, const oracle::Case& test, const oracle::Finding& finding);
  // Whether it shows in fresh processes when this solver takes the guilty one's place.
  bool shows_on(const solver::Solver& solver, const oracle::Case& test,
                const oracle::Finding& finding);
  // The solvers, of which the one with this number has no option that the finding can do without.
  std::vector<solver::Solver> with_fewest_options(std::vector<solver::Solver> solvers, size_t index,
                                                  const oracle::Case& test,
                                                  const oracle::Finding& finding);
  bool shows_with(const std::vector<solver::Solver>& solvers, const oracle::Case& test,
                  const oracle::Finding& finding);
  // The reduced script as others are to see it.
  ir::Script told_script(const ir::Script& reduced, oracle::Kind kind);
  void add_runs(const std::vector<solver::Solver>& solvers, const ir::Script& script,
                const oracle::Wishes& wishes, Indictment& indictment);

  ir::TermStore& store_;
  SolverLab& fast_;
  SolverLab& fresh_;
  uint32_t reduce_tries_;
};

}  // namespace elenchus::campaign
