// Models that make an assertion false, by our own evaluation.

#include <fmt/format.h>

#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

class ModelOracle : public Oracle {
 public:
  std::string_view name() const override { return "model"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run == nullptr) continue;
      for (size_t check = 0; check < run->checks.size(); ++check) {
        const JudgedModel* judged = exam.model(i, check);
        if (judged == nullptr || judged->verdict.verdict != eval::Verdict::kInvalid) continue;
        findings.push_back(invalid_model(exam, i, check, *judged));
        break;  // one broken model per run is enough
      }
    }
  }

 private:
  Finding invalid_model(const Exam& exam, size_t solver, size_t check,
                        const JudgedModel& judged) const {
    Finding finding;
    finding.kind = Kind::kInvalidModel;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = check;
    finding.claim =
        fmt::format("{} gives a model that makes an assertion false", exam.solver(solver).name);
    finding.evidence = fmt::format("{} is false", judged.verdict.claim_text);
    for (size_t i = 1; i < judged.verdict.explanation.size(); ++i) {
      finding.evidence += '\n' + text_of(judged.verdict.explanation[i]);
    }
    finding.witness = exam.find_run(solver)->checks[check].model;
    finding.false_claim = judged.verdict.claim.term;
    return finding;
  }
};

}  // namespace

const Oracle& model_oracle() {
  static const ModelOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
