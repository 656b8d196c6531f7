// One question asked in one piece and again with push and pop, of one solver. Answers that differ
// contradict each other; the model of the sat decides who is wrong where our evaluation accepts it.

#include <fmt/format.h>

#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/variants.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

bool differ(Outcome a, Outcome b) { return is_decided(a) && is_decided(b) && a != b; }

class PiecesOracle : public Oracle {
 public:
  std::string_view name() const override { return "pieces"; }
  uint32_t cost() const override { return 3; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    if (exam.checks().empty()) return;
    const size_t check = exam.checks().size() - 1;
    // z3 takes sorts that the logic lacks for uninterpreted ones, but not in one piece.
    if (!keeps_to_logic(exam.store(), exam.test().script, exam.checks()[check])) return;
    const auto flat = flattened(exam.store(), exam.test().script, exam.checks()[check]);
    if (!flat) return;
    const auto pieces = in_pieces(*flat);
    if (!pieces) return;
    Exam again(exam.store(), {.script = *pieces}, exam.lab());
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (!is_decided(exam.answer(i, check))) continue;
      again.run(i);
      compare(exam, check, again, i, findings);
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    // What is not settled has the model of the sat, too, which proves nothing.
    const bool is_proven = finding.kind == Kind::kRefutationUnsound && finding.model;
    if (is_proven) return recheck_wrong_unsat(exam, finding);
    return Oracle::recheck(exam, finding);
  }

 private:
  void compare(Exam& whole, size_t check, Exam& pieces, size_t solver,
               std::vector<Finding>& findings) const {
    const Outcome answer = whole.answer(solver, check);
    if (differ(answer, pieces.answer(solver, 0))) {
      const bool whole_is_sat = answer == Outcome::kSat;
      findings.push_back(whole_is_sat ? contradiction(whole, whole, check, pieces, 0, solver)
                                      : contradiction(whole, pieces, 0, whole, check, solver));
      return;
    }
    // The first half alone asks for less.
    const bool all_is_sat = answer == Outcome::kSat || pieces.answer(solver, 0) == Outcome::kSat;
    if (all_is_sat && pieces.answer(solver, 1) == Outcome::kUnsat) {
      findings.push_back(answer == Outcome::kSat
                             ? contradiction(whole, whole, check, pieces, 1, solver)
                             : contradiction(whole, pieces, 0, pieces, 1, solver));
    }
  }

  static std::string evidence_of(const JudgedModel* judged) {
    if (judged == nullptr) return "there is no model to check";
    if (is_proof(judged->verdict)) return "its own model makes all assertions true";
    return judged->verdict.verdict == eval::Verdict::kInvalid
               ? "the model of the sat does not hold, which proves nothing about the unsat"
               : "its model could not be checked to the end";
  }

  // `sat` and `unsat` are exams of the same question where the solver answered so.
  Finding contradiction(const Exam& whole, Exam& sat, size_t sat_check, const Exam& unsat,
                        size_t unsat_check, size_t solver) const {
    const JudgedModel* judged = sat.model(solver, sat_check);
    const bool is_settled = judged != nullptr && is_proof(judged->verdict);
    Finding finding;
    finding.kind = is_settled ? Kind::kRefutationUnsound : Kind::kInconsistent;
    finding.oracle = name();
    finding.solver = solver;
    // What is not settled takes both scripts to be shown: beside that of the test, the pieces.
    const bool is_in_pieces = &unsat != &whole;
    const bool tells_sat = !is_settled && !is_in_pieces;
    finding.check = tells_sat ? sat_check : unsat_check;
    finding.script = tells_sat ? sat.test().script : unsat.test().script;
    finding.claim =
        fmt::format("{} answers sat, and unsat when it is asked {}", unsat.solver(solver).name,
                    is_in_pieces ? "with push and pop" : "in one piece");
    finding.evidence = evidence_of(judged);
    if (judged != nullptr) {
      finding.witness = sat.find_run(solver)->checks[sat_check].model;
      if (is_settled) finding.model = judged->model;
    }
    return finding;
  }
};

}  // namespace

const Oracle& pieces_oracle() {
  static const PiecesOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
