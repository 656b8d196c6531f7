// Solvers that report their own model, core or proof as wrong.

#include <fmt/format.h>

#include "oracle/crash_location.h"
#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

class SelfCheckOracle : public Oracle {
 public:
  std::string_view name() const override { return "self-check"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run == nullptr || run->self_check.empty()) continue;
      Finding finding;
      finding.kind = Kind::kSelfCheck;
      finding.oracle = name();
      finding.solver = i;
      finding.claim = fmt::format("{} finds fault with itself", exam.solver(i).name);
      finding.evidence = run->self_check;
      finding.location = normalised_message(run->self_check);
      findings.push_back(std::move(finding));
    }
  }
};

}  // namespace

const Oracle& self_check_oracle() {
  static const SelfCheckOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
