// Holding a solver to its own words, and others to it: where a model satisfies the formula by our
// evaluation, the formula together with the model's values is satisfiable too. A solver that
// answers unsat then is wrong. Where the evaluation does not decide, a solver that takes its own
// model back contradicts itself.

#include <fmt/format.h>

#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/variants.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

class ReassertionOracle : public Oracle {
 public:
  std::string_view name() const override { return "reassertion"; }
  uint32_t cost() const override { return 3; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    if (exam.checks().empty()) return;
    const size_t check = exam.checks().size() - 1;
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const JudgedModel* judged = exam.model(i, check);
      if (judged == nullptr || judged->verdict.verdict == eval::Verdict::kInvalid) continue;
      // We may have read other strings than the solver meant.
      if (judged->model.has_escapes && !is_proof(judged->verdict)) continue;
      question(exam, i, check, *judged, findings);
      return;  // one model is enough
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    if (finding.model) return recheck_wrong_unsat(exam, finding);
    return Oracle::recheck(exam, finding);
  }

 private:
  void question(Exam& exam, size_t source, size_t check, const JudgedModel& judged,
                std::vector<Finding>& findings) const {
    const auto flat = flattened(exam.store(), exam.test().script, exam.checks()[check]);
    if (!flat) return;
    const auto equations = fixing_equations(exam.store(), *flat, judged.model);
    if (equations.empty()) return;
    const ir::Script script = with_assertions(*flat, equations);
    const bool is_settled = is_proof(judged.verdict);
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (!is_settled && i != source) continue;
      const solver::Run* before = exam.find_run(i);
      if (before == nullptr || before->outcome == Outcome::kRejected) continue;
      const solver::Run run = exam.lab().run(i, script, {});
      if (run.checks.empty() || run.checks[0].outcome != Outcome::kUnsat) continue;
      findings.push_back(is_settled ? wrong_unsat(exam, i, source, judged, script)
                                    : taken_back(exam, i, judged, script));
    }
  }

  Finding base_finding(const ir::Script& script) const {
    Finding finding;
    finding.oracle = name();
    finding.script = script;
    return finding;
  }

  Finding wrong_unsat(const Exam& exam, size_t guilty, size_t source, const JudgedModel& judged,
                      const ir::Script& script) const {
    Finding finding = base_finding(script);
    finding.kind = Kind::kRefutationUnsound;
    finding.solver = guilty;
    if (source != guilty) finding.other = source;
    finding.claim = fmt::format("{} answers unsat to a satisfiable formula with its values given",
                                exam.solver(guilty).name);
    finding.evidence = fmt::format(
        "the model that {} gives makes all assertions true, and the "
        "equations that are added to the formula say nothing else",
        exam.solver(source).name);
    finding.witness = exam.find_run(source)->checks.back().model;
    finding.model = judged.model;
    return finding;
  }

  Finding taken_back(const Exam& exam, size_t guilty, const JudgedModel& judged,
                     const ir::Script& script) const {
    Finding finding = base_finding(script);
    finding.kind = Kind::kInconsistent;
    finding.solver = guilty;
    finding.claim = fmt::format("{} answers sat, and unsat once its own model is asserted",
                                exam.solver(guilty).name);
    finding.evidence = "the model could not be checked: " + judged.verdict.reason;
    finding.witness = exam.find_run(guilty)->checks.back().model;
    return finding;
  }
};

}  // namespace

const Oracle& reassertion_oracle() {
  static const ReassertionOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
