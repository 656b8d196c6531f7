// Crashes: a signal, an assertion, an internal error, a sanitizer's report. The run says that it is
// one; here it gets the location by which crashes are told apart.

#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "oracle/crash_location.h"
#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

std::string what_happened(const solver::Run& run) {
  if (!run.message.empty()) return run.message;
  if (run.signal != 0) return fmt::format("signal {} ({})", run.signal, strsignal(run.signal));
  return fmt::format("exit code {} without an answer", run.exit_code);
}

class CrashOracle : public Oracle {
 public:
  std::string_view name() const override { return "crash"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run == nullptr || run->outcome != solver::Outcome::kCrash) continue;
      Finding finding;
      finding.kind = Kind::kCrash;
      finding.oracle = name();
      finding.solver = i;
      finding.check = run->checks.size();
      finding.claim = fmt::format("{} crashes: {}", exam.solver(i).name, what_happened(*run));
      finding.evidence = what_happened(*run);
      finding.location = crash_location(*run);
      findings.push_back(std::move(finding));
    }
  }
};

}  // namespace

const Oracle& crash_oracle() {
  static const CrashOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
