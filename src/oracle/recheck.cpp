#include "oracle/recheck.h"

#include <algorithm>

#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

// Where the witness does not fit any longer, the solver that gave it may know another one.
bool find_witness(Exam& exam, Finding& finding) {
  if (!finding.other) return false;
  exam.run(*finding.other);
  const JudgedModel* judged = exam.model(*finding.other, finding.check);
  if (judged == nullptr || !is_proof(judged->verdict)) return false;
  finding.model = judged->model;
  finding.witness = exam.find_run(*finding.other)->checks[finding.check].model;
  return true;
}

// An unsat is wrong wherever the witness satisfies what was asked.
std::optional<Finding> still_wrong_unsat(Exam& exam, const Finding& finding) {
  if (!finding.model) return {};
  exam.run(finding.solver);
  for (size_t check = 0; check < exam.checks().size(); ++check) {
    if (exam.answer(finding.solver, check) != Outcome::kUnsat) continue;
    Finding again = finding;
    again.check = check;
    const auto verdict =
        check_model(exam.store(), exam.test().script, exam.checks()[check], *finding.model);
    if (verdict && is_proof(*verdict)) return again;
    if (find_witness(exam, again)) return again;
  }
  return {};
}

std::optional<Finding> judged_again(Exam& exam, const Oracle& oracle, const Finding& finding) {
  exam.run(finding.solver);
  const bool needs_other =
      finding.kind == Kind::kDisagreement || finding.kind == Kind::kInconsistentOptions;
  if (needs_other && finding.other) exam.run(*finding.other);
  std::vector<Finding> findings;
  oracle.judge(exam, findings);
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& again) {
    return again.kind == finding.kind && again.solver == finding.solver &&
           again.location == finding.location;
  });
  if (found == findings.end()) return {};
  return std::move(*found);
}

}  // namespace

bool is_shown_by_variant(const Finding& finding) {
  return finding.script.has_value() && finding.kind == Kind::kRefutationUnsound;
}

std::optional<Finding> recheck(ir::TermStore& store, Lab& lab, const Case& test,
                               const Finding& finding) {
  Exam exam(store, test, lab);
  if (finding.kind == Kind::kRefutationUnsound) return still_wrong_unsat(exam, finding);
  const Oracle* oracle = find_oracle(finding.oracle);
  return oracle == nullptr ? std::nullopt : judged_again(exam, *oracle, finding);
}

}  // namespace elenchus::oracle
