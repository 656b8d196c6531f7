// Unsat cores that are satisfiable: a core is asked for, and its assertions alone are put to every
// solver. One that answers sat with a model that our evaluation accepts shows that the core is
// wrong.

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "oracle/oracle.h"
#include "oracle/variants.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

size_t assertion_count(const ir::Script& script) {
  return static_cast<size_t>(std::count_if(
      script.commands.begin(), script.commands.end(),
      [](const ir::Command& command) { return command.kind == ir::CommandKind::kAssert; }));
}

constexpr size_t kShownCore = 200;

class CoreOracle : public Oracle {
 public:
  std::string_view name() const override { return "core"; }
  uint32_t cost() const override { return 4; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    if (exam.checks().empty()) return;
    const size_t check = exam.checks().size() - 1;
    const auto flat = flattened(exam.store(), exam.test().script, exam.checks()[check]);
    if (!flat) return;
    const auto named = with_names(exam.store(), *flat);
    if (!named) return;
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (exam.answer(i, check) != Outcome::kUnsat) continue;
      const solver::Run run = exam.lab().run(i, *named, {.models = false, .cores = true});
      if (run.checks.empty() || run.checks[0].outcome != Outcome::kUnsat) continue;
      const std::string& core = run.checks[0].core;
      const std::vector<size_t> kept = assertions_in_core(core);
      // A core of everything is not a claim of its own.
      const bool is_all = kept.size() == assertion_count(*flat);
      if (core.empty() || core.find("error") != std::string::npos || is_all) continue;
      refute(exam, i, core, with_only(*flat, kept), findings);
    }
  }

 private:
  void refute(Exam& exam, size_t guilty, const std::string& core, const ir::Script& script,
              std::vector<Finding>& findings) const {
    Exam part(exam.store(), {.script = script}, exam.lab());
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (!exam.may_ask(i) || part.run(i).checks.empty() || part.answer(i, 0) != Outcome::kSat)
        continue;
      const JudgedModel* judged = part.model(i, 0);
      if (judged == nullptr || !is_proof(judged->verdict)) continue;
      Finding finding;
      finding.kind = Kind::kWrongCore;
      finding.oracle = name();
      finding.solver = guilty;
      finding.other = i;
      const size_t claims = judged->verdict.claims;
      finding.claim =
          fmt::format("{} gives an unsat core that is satisfiable: {}", exam.solver(guilty).name,
                      claims == 0 ? "an empty one" : base::shown(in_a_line(core), kShownCore));
      finding.evidence =
          claims == 0
              ? "the core is empty, and no assertions at all are satisfiable"
              : fmt::format(
                    "{} answers sat to the assertions of the core, and its model makes "
                    "{} true",
                    exam.solver(i).name, claims == 1 ? "the one" : fmt::format("all {}", claims));
      finding.witness = part.find_run(i)->checks[0].model;
      findings.push_back(std::move(finding));
      return;
    }
  }
};

}  // namespace

const Oracle& core_oracle() {
  static const CoreOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
