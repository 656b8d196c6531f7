#include "diagnose/sight.h"

#include "oracle/recheck.h"

namespace elenchus::diagnose {

using oracle::Kind;
using solver::Outcome;

bool is_well(oracle::Exam& exam, Kind kind, size_t solver, size_t check) {
  const solver::Run* run = exam.find_run(solver);
  if (run == nullptr || check >= run->checks.size()) return false;
  const Outcome answer = run->checks[check].outcome;
  switch (kind) {
    case Kind::kRefutationUnsound: return answer != Outcome::kUnsat;
    case Kind::kSolutionUnsound: return answer != Outcome::kSat;
    case Kind::kInvalidModel: {
      if (answer != Outcome::kSat) return true;
      const oracle::JudgedModel* judged = exam.model(solver, check);
      return judged != nullptr && judged->verdict.verdict == eval::Verdict::kValid;
    }
    default: return true;
  }
}

Look look_at(ir::TermStore& store, lab::SolverLab& lab, const oracle::Case& test,
             const oracle::Finding& finding) {
  oracle::Exam exam(store, test, lab, {.explanation_steps = 0});
  const bool shows = oracle::recheck(exam, finding).has_value();
  const solver::Run* run = exam.find_run(finding.solver);
  if (run == nullptr) return {};
  Look look{Sight::kUnclear, to_string(run->outcome), run->seconds};
  if (shows) {
    look.sight = Sight::kShows;
    return look;
  }
  const bool has_ended_well = is_decided(run->outcome) || run->outcome == Outcome::kUnknown;
  if (run->internal_error || !has_ended_well || finding.check >= run->checks.size()) return look;
  look.answer = to_string(run->checks[finding.check].outcome);
  if (is_well(exam, finding.kind, finding.solver, finding.check)) look.sight = Sight::kGone;
  return look;
}

}  // namespace elenchus::diagnose
