// Asking again: a solver that claims an optimum must not find a solution when it is asked for
// something strictly better. Its model is evaluated, so that it refutes itself.
#include <utility>

#include "oracle/optimum.h"
#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

class ImprovementOracle : public Oracle {
 public:
  std::string_view name() const override { return "improvement"; }
  // Few tests have objectives, so that those that have may be asked about often.
  uint32_t cost() const override { return 1; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const auto optima = optima_of(exam, i);
      if (optima.empty()) continue;
      if (auto found = better_when_asked(exam, optima.back()))
        findings.push_back(std::move(*found));
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    return recheck_wrong_optimum(exam, finding);
  }
};

}  // namespace

const Oracle& improvement_oracle() {
  static const ImprovementOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
