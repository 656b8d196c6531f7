// Timeouts where another solver, or the same one under other options, needs less than a twentieth
// of the time. Off unless it is asked for: a busy machine makes solvers slow, so whoever confirms
// such a finding does so three times.

#include <fmt/format.h>

#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

constexpr double kFactor = 20;

class SlowOracle : public Oracle {
 public:
  std::string_view name() const override { return "slow"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run == nullptr || run->outcome != Outcome::kTimeout) continue;
      compare(exam, i, run->checks.size(), findings);
    }
  }

 private:
  // The check that ran out of time is the first one without an answer.
  void compare(Exam& exam, size_t slow, size_t check, std::vector<Finding>& findings) const {
    const double limit = exam.find_run(slow)->seconds;
    for (size_t other = 0; other < exam.solver_count(); ++other) {
      if (other == slow || !exam.may_ask(other)) continue;
      const solver::Run& run = exam.run(other);
      if (check >= run.checks.size() || !is_decided(run.checks[check].outcome)) continue;
      if (run.checks[check].seconds * kFactor >= limit) continue;
      findings.push_back(finding_of(exam, slow, other, check));
      return;
    }
  }

  Finding finding_of(const Exam& exam, size_t slow, size_t other, size_t check) const {
    const solver::CheckResult& quick = exam.find_run(other)->checks[check];
    Finding finding;
    finding.kind = Kind::kSlow;
    finding.oracle = name();
    finding.solver = slow;
    finding.other = other;
    finding.check = check;
    finding.claim = fmt::format("{} times out where {} is quick", exam.solver(slow).name,
                                exam.solver(other).name);
    finding.evidence =
        fmt::format("{} has no answer after {:.2f} s; {} answers {} within {:.3f} s",
                    exam.solver(slow).name, exam.find_run(slow)->seconds, exam.solver(other).name,
                    to_string(quick.outcome), quick.seconds);
    return finding;
  }
};

}  // namespace

const Oracle& slow_oracle() {
  static const SlowOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
