// Answers that the construction of a test contradicts. A witness is evaluated here, so that an
// engine that is mistaken about it is never believed.

#include <fmt/format.h>

#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "smtlib/model_printer.h"

namespace elenchus::oracle {
namespace {

using ir::Truth;
using solver::Outcome;

class ConstructionOracle : public Oracle {
 public:
  std::string_view name() const override { return "construction"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    const auto expected = exam.test().expected;
    for (size_t check = 0; check < expected.size(); ++check) {
      for (size_t i = 0; i < exam.solver_count(); ++i) {
        const Outcome answer = exam.answer(i, check);
        if (expected[check] == Truth::kSat && answer == Outcome::kUnsat) {
          wrong_unsat(exam, i, check, findings);
        }
        if (expected[check] == Truth::kUnsat && answer == Outcome::kSat) {
          wrong_sat(exam, i, check, findings);
        }
      }
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    if (finding.kind == Kind::kRefutationUnsound) return recheck_wrong_unsat(exam, finding);
    const bool is_as_made = !exam.test().construction.empty();
    return is_as_made ? Oracle::recheck(exam, finding) : recheck_wrong_sat(exam, finding);
  }

 private:
  void wrong_unsat(Exam& exam, size_t solver, size_t check, std::vector<Finding>& findings) const {
    const Case& test = exam.test();
    if (test.witness == nullptr || check >= exam.checks().size()) return;
    const auto verdict =
        check_model(exam.store(), test.script, exam.checks()[check], *test.witness);
    if (!verdict || !is_proof(*verdict)) return;
    Finding finding;
    finding.kind = Kind::kRefutationUnsound;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = check;
    finding.claim =
        fmt::format("{} answers unsat to a satisfiable formula", exam.solver(solver).name);
    finding.evidence = fmt::format("the witness makes all {} assertions true", verdict->claims);
    finding.model = *test.witness;
    const auto text = smtlib::print_model(exam.store(), *test.witness);
    if (text) finding.witness = *text;
    findings.push_back(std::move(finding));
  }

  // Not where a solver may read an operator in its own way, and not where the construction is
  // refuted by a model that holds.
  void wrong_sat(Exam& exam, size_t solver, size_t check, std::vector<Finding>& findings) const {
    const Case& test = exam.test();
    if (test.construction.empty() || check >= exam.checks().size()) return;
    if (!has_settled_meaning(exam.store(), test.script, exam.checks()[check])) return;
    const JudgedModel* judged = exam.model(solver, check);
    if (judged != nullptr && judged->verdict.verdict == eval::Verdict::kValid) return;
    Finding finding;
    finding.kind = Kind::kSolutionUnsound;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = check;
    finding.claim =
        fmt::format("{} answers sat to an unsatisfiable formula", exam.solver(solver).name);
    finding.evidence = exam.test().construction;
    findings.push_back(std::move(finding));
  }
};

}  // namespace

const Oracle& construction_oracle() {
  static const ConstructionOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
