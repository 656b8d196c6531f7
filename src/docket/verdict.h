#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "docket/voices.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "oracle/exam.h"
#include "oracle/finding.h"
#include "oracle/oracle.h"
#include "solver/solver.h"

// What is to be said of one script when all solvers were asked and all oracles have looked on.
namespace elenchus::docket {

// What one solver said, and what we make of its models.
struct Testimony {
  const solver::Solver* solver = nullptr;
  solver::Run run;
  std::vector<std::string> answers;  // one for each check-sat
  std::vector<std::string> models;   // "valid", "invalid", "unknown: ...", or empty

  // "z3 4.8.12"
  std::string name() const;
};

// What one solver is accused of.
struct Accusation {
  oracle::Finding finding;
  Voices voices;

  // Whether one of two is wrong, and nothing settles which.
  bool is_dispute() const;
};

// A status that the script claims, and that is not the answer.
struct StatusClaim {
  std::string command;               // "(set-info :status sat)"
  bool is_refuted = false;           // a model that holds does so; else nothing settles it
  std::vector<size_t> contradicted;  // the solvers that say otherwise
  std::string text;
};

struct Verdict {
  std::vector<Testimony> testimonies;
  std::vector<Accusation> findings;
  std::vector<StatusClaim> statuses;
  std::vector<std::string> right;      // for each check-sat the answer, where it is known
  std::vector<std::string> unchecked;  // what nobody could look at, in a line each

  bool is_something_wrong() const { return !findings.empty() || !statuses.empty(); }
  // Whether some solver said sat or unsat to something.
  bool is_decided() const;
  // Those that are wrong, and those of which some are, each once.
  std::vector<std::string> guilty() const;
  std::vector<std::string> disputants() const;
};

// Asks each solver of the lab, after telling which one, and reports what the oracles find and shows
// again. Refers to the lab's solvers.
Verdict try_script(ir::TermStore& store, const ir::Script& script, oracle::Lab& lab,
                   std::span<const oracle::Oracle* const> oracles,
                   const std::function<void(const solver::Solver&)>& asking = {});

}  // namespace elenchus::docket
