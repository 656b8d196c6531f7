#include "oracle/recheck.h"

#include <algorithm>

#include <fmt/format.h>

#include "eval/nearby.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "record/kind.h"
#include "smtlib/model_printer.h"

namespace elenchus::oracle {
namespace {

using solver::Outcome;

bool is_witness(Exam& exam, size_t check, const ir::Model& model) {
  const auto verdict = check_model(exam.store(), exam.test().script, exam.checks()[check], model,
                                   {.explanation_steps = 0});
  return verdict && is_proof(*verdict);
}

// The witness as it is, or one that is like it.
bool adapt_witness(Exam& exam, Finding& finding) {
  if (is_witness(exam, finding.check, *finding.model)) return true;
  const auto claims = ir::claims_at(exam.test().script, exam.checks()[finding.check]);
  auto nearby = eval::find_nearby(exam.store(), claims, *finding.model);
  if (!nearby || !is_witness(exam, finding.check, *nearby)) return false;
  const auto text = smtlib::print_model(exam.store(), *nearby);
  if (!text) return false;
  finding.model = std::move(*nearby);
  finding.witness = *text;
  return true;
}

// The solver that gave the witness may know another one.
bool ask_for_witness(Exam& exam, Finding& finding) {
  if (!finding.other) return false;
  exam.run(*finding.other);
  const JudgedModel* judged = exam.model(*finding.other, finding.check);
  if (judged == nullptr || !is_proof(judged->verdict)) return false;
  finding.model = judged->model;
  finding.witness = exam.find_run(*finding.other)->checks[finding.check].model;
  return true;
}

// Solvers of other makers that answer unsat, as far as they are needed.
std::vector<size_t> opponents(Exam& exam, size_t solver, size_t check, size_t needed) {
  std::vector<size_t> found;
  for (size_t i = 0; i < exam.solver_count() && found.size() < needed; ++i) {
    const auto is_same = [&](size_t other) {
      return solver::are_kin(exam.solver(other), exam.solver(i));
    };
    if (!exam.may_ask(i) || is_same(solver) || std::any_of(found.begin(), found.end(), is_same))
      continue;
    exam.run(i);
    if (exam.answer(i, check) == Outcome::kUnsat) found.push_back(i);
  }
  return found;
}

// Why a sat is taken for wrong where the script is not as it was constructed.
std::string voices_against(const Exam& exam, const std::vector<size_t>& against,
                           eval::Verdict model) {
  std::string text;
  for (const size_t one : against) {
    text += fmt::format("{}{} {} answers unsat", text.empty() ? "" : ", ",
                        exam.solver(one).profile->name, exam.solver(one).version);
  }
  if (model == eval::Verdict::kInvalid) text += "; the model makes an assertion false";
  return text + "; what this was reduced from is unsat by construction";
}

}  // namespace

std::optional<Finding> recheck_wrong_unsat(Exam& exam, const Finding& finding) {
  if (!finding.model) return {};
  exam.run(finding.solver);
  for (size_t check = 0; check < exam.checks().size(); ++check) {
    if (exam.answer(finding.solver, check) != Outcome::kUnsat) continue;
    Finding again = finding;
    again.check = check;
    if (adapt_witness(exam, again) || ask_for_witness(exam, again)) return again;
  }
  return {};
}

std::optional<Finding> recheck_wrong_sat(Exam& exam, const Finding& finding) {
  exam.run(finding.solver);
  for (size_t check = 0; check < exam.checks().size(); ++check) {
    if (exam.answer(finding.solver, check) != Outcome::kSat) continue;
    if (!has_settled_meaning(exam.store(), exam.test().script, exam.checks()[check])) continue;
    const JudgedModel* judged = exam.model(finding.solver, check);
    const auto verdict = judged == nullptr ? eval::Verdict::kUnknown : judged->verdict.verdict;
    if (verdict == eval::Verdict::kValid) continue;
    const size_t needed = verdict == eval::Verdict::kInvalid ? 1 : 2;
    const auto against = opponents(exam, finding.solver, check, needed);
    if (against.size() < needed) continue;
    Finding again = finding;
    again.check = check;
    again.other = against.front();
    again.evidence = voices_against(exam, against, verdict);
    return again;
  }
  return {};
}

std::optional<Finding> Oracle::recheck(Exam& exam, const Finding& finding) const {
  exam.run(finding.solver);
  const bool asks_other = finding.other && (record::info(finding.kind).has(record::kTwoAnswers) ||
                                            *finding.other >= exam.lab().own_count());
  if (asks_other) exam.run(*finding.other);
  std::vector<Finding> findings;
  judge(exam, findings);
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& again) {
    return again.kind == finding.kind && again.solver == finding.solver &&
           again.location == finding.location;
  });
  if (found == findings.end()) return {};
  return std::move(*found);
}

bool is_shown_by_variant(const Finding& finding) {
  return finding.script.has_value() && finding.model.has_value();
}

std::optional<Finding> recheck(Exam& exam, const Finding& finding) {
  const Oracle* oracle = find_oracle(finding.oracle);
  return oracle == nullptr ? std::nullopt : oracle->recheck(exam, finding);
}

std::optional<Finding> recheck(ir::TermStore& store, Lab& lab, const Case& test,
                               const Finding& finding) {
  // More than a campaign spends on a test, so that what was settled stays so; less than a user may
  // wait for, since a finding is shown again dozens of times.
  constexpr uint64_t kSteps = 4'000'000;
  Exam exam(store, test, lab, {.steps = kSteps});
  return recheck(exam, finding);
}

}  // namespace elenchus::oracle
