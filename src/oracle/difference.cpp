// Two solvers, or one with two option sets, that answer sat and unsat to the same question. Whoever
// says sat shows a model; where our evaluation accepts it, the unsat is wrong. Where it does not
// decide, nobody is blamed: a disagreement.

#include <optional>

#include <fmt/format.h>

#include "oracle/oracle.h"
#include "oracle/recheck.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

bool is_same_program(const solver::Solver& a, const solver::Solver& b) {
  return a.program == b.program;
}

class DifferenceOracle : public Oracle {
 public:
  std::string_view name() const override { return "difference"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t check = 0; check < exam.checks().size(); ++check) {
      const std::vector<size_t> sat = who_says(exam, check, Outcome::kSat);
      const std::vector<size_t> unsat = who_says(exam, check, Outcome::kUnsat);
      if (sat.empty() || unsat.empty()) continue;
      if (!blame(exam, check, sat, unsat, findings)) dispute(exam, check, sat, unsat, findings);
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    if (finding.model) return recheck_wrong_unsat(exam, finding);
    return Oracle::recheck(exam, finding);
  }

 private:
  static std::vector<size_t> who_says(const Exam& exam, size_t check, Outcome outcome) {
    std::vector<size_t> solvers;
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (exam.answer(i, check) == outcome) solvers.push_back(i);
    }
    return solvers;
  }

  bool blame(Exam& exam, size_t check, const std::vector<size_t>& sat,
             const std::vector<size_t>& unsat, std::vector<Finding>& findings) const {
    for (const size_t witness : sat) {
      const JudgedModel* judged = exam.model(witness, check);
      if (judged == nullptr || !is_proof(judged->verdict)) continue;
      for (const size_t guilty : unsat) {
        findings.push_back(wrong_unsat(exam, check, guilty, witness, *judged));
      }
      return true;
    }
    return false;
  }

  Finding wrong_unsat(const Exam& exam, size_t check, size_t guilty, size_t witness,
                      const JudgedModel& judged) const {
    Finding finding;
    finding.kind = Kind::kRefutationUnsound;
    finding.oracle = name();
    finding.solver = guilty;
    finding.other = witness;
    finding.check = check;
    finding.claim =
        fmt::format("{} answers unsat to a satisfiable formula", exam.solver(guilty).name);
    finding.evidence = fmt::format("{} answers sat, and its model makes all {} assertions true",
                                   exam.solver(witness).name, judged.verdict.claims);
    for (const std::string& name : judged.verdict.completed) {
      finding.evidence += fmt::format("\n(the model says nothing of {}: any value will do)", name);
    }
    finding.witness = exam.find_run(witness)->checks[check].model;
    finding.model = judged.model;
    return finding;
  }

  void dispute(Exam& exam, size_t check, const std::vector<size_t>& sat,
               const std::vector<size_t>& unsat, std::vector<Finding>& findings) const {
    if (!has_settled_meaning(exam.store(), exam.test().script, exam.checks()[check])) return;
    // A program that contradicts itself says more than two that differ.
    for (const bool one_program : {true, false}) {
      for (const size_t yes : sat) {
        // A false model is a finding of its own, and no argument for sat.
        const JudgedModel* judged = exam.model(yes, check);
        if (judged != nullptr && judged->verdict.verdict == eval::Verdict::kInvalid) continue;
        const auto no = opponent(exam, yes, unsat, one_program);
        if (!no) continue;
        findings.push_back(disagreement(exam, check, yes, *no, judged));
        add_voices(exam, yes, *no, sat, unsat, findings.back());
        return;
      }
    }
  }

  static std::optional<size_t> opponent(const Exam& exam, size_t yes,
                                        const std::vector<size_t>& unsat, bool one_program) {
    if (!one_program) return unsat.front();
    for (const size_t no : unsat) {
      if (is_same_program(exam.solver(yes), exam.solver(no))) return no;
    }
    return {};
  }

  // What other programs say settles nothing, but tells where to look.
  static void add_voices(const Exam& exam, size_t yes, size_t no, const std::vector<size_t>& sat,
                         const std::vector<size_t>& unsat, Finding& finding) {
    if (finding.kind != Kind::kInconsistentOptions) return;
    const auto add = [&](const std::vector<size_t>& solvers, std::string_view answer) {
      for (const size_t one : solvers) {
        const bool is_party = one == yes || one == no;
        if (is_party || is_same_program(exam.solver(one), exam.solver(no))) continue;
        finding.evidence += fmt::format("\n{} answers {}, too", exam.solver(one).name, answer);
      }
    };
    add(sat, "sat");
    add(unsat, "unsat");
  }

  Finding disagreement(const Exam& exam, size_t check, size_t yes, size_t no,
                       const JudgedModel* judged) const {
    const bool is_one_program = is_same_program(exam.solver(yes), exam.solver(no));
    Finding finding;
    finding.kind = is_one_program ? Kind::kInconsistentOptions : Kind::kDisagreement;
    finding.oracle = name();
    finding.solver = no;
    finding.other = yes;
    finding.check = check;
    finding.claim = fmt::format("{} answers unsat and {} answers sat", exam.solver(no).name,
                                exam.solver(yes).name);
    finding.evidence = judged == nullptr
                           ? std::string("there is no model that could be checked")
                           : "the model could not be checked: " + judged->verdict.reason;
    finding.witness = exam.find_run(yes)->checks[check].model;
    return finding;
  }
};

}  // namespace

const Oracle& difference_oracle() {
  static const DifferenceOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
