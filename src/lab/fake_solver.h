#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "solver/outcome.h"
#include "solver/profile.h"
#include "solver/solver.h"

namespace elenchus::lab {

// A solver of that name that no process stands behind, for tests with a stand-in.
inline solver::Solver fake_solver(const std::string& name) {
  solver::Solver solver;
  solver.profile = solver::Profiles::standard().find("z3");
  solver.name = name;
  solver.spec = name;
  solver.program = "/nowhere/" + name;
  solver.version = "1.0";
  return solver;
}

// What comes of a query where `answer` says, for the text up to each check-sat, what the solver
// does: "sat", "unsat", "unknown", or what it prints when it crashes.
inline solver::Run answered(const solver::Query& query,
                            const std::function<std::string(std::string_view)>& answer) {
  solver::Run run;
  run.seconds = 0.001;
  run.cpu_seconds = 0.001;
  for (const uint32_t end : query.check_ends) {
    const std::string said = answer(std::string_view(query.text).substr(0, end));
    const bool is_answer = said == "sat" || said == "unsat" || said == "unknown";
    if (!is_answer) {
      run.outcome = solver::Outcome::kCrash;
      run.message = said;
      run.err = said;
      run.signal = 6;
      return run;
    }
    solver::CheckResult check;
    check.outcome = said == "sat"     ? solver::Outcome::kSat
                    : said == "unsat" ? solver::Outcome::kUnsat
                                      : solver::Outcome::kUnknown;
    run.outcome = check.outcome;
    run.out += said + "\n";
    run.checks.push_back(std::move(check));
  }
  return run;
}

}  // namespace elenchus::lab
