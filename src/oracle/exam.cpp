#include "oracle/exam.h"

#include <algorithm>
#include <array>
#include <memory>

#include "ir/logic.h"
#include "ir/recursion.h"
#include "ir/timeline.h"
#include "oracle/asked.h"

namespace elenchus::oracle {

using eval::Verdict;
using solver::Outcome;

Exam::Exam(ir::TermStore& store, const Case& test, Lab& lab, const ModelCheckSettings& check)
    : store_(store),
      test_(test),
      lab_(lab),
      check_(check),
      checks_(ir::checks_of(test.script)),
      runs_(lab.solvers().size()) {}

const solver::Run& Exam::run(size_t solver) {
  if (!runs_[solver]) runs_[solver] = lab_.run(solver, test_.script, {});
  return *runs_[solver];
}

Outcome Exam::answer(size_t solver, size_t check) const {
  const solver::Run* run = find_run(solver);
  if (run == nullptr || check >= run->checks.size()) return Outcome::kUnknown;
  return run->checks[check].outcome;
}

const JudgedModel* Exam::model(size_t solver, size_t check) {
  for (const auto& slot : models_) {
    if (slot->solver == solver && slot->check == check) {
      return slot->judged ? &*slot->judged : nullptr;
    }
  }
  models_.push_back(std::make_unique<ModelSlot>());
  ModelSlot& slot = *models_.back();
  slot.solver = solver;
  slot.check = check;
  slot.judged = judge_model(solver, check);
  return slot.judged ? &*slot.judged : nullptr;
}

std::optional<JudgedModel> Exam::judge_model(size_t solver, size_t check) {
  const solver::Run* run = find_run(solver);
  if (run == nullptr || check >= run->checks.size() || check >= checks_.size()) return {};
  const solver::CheckResult& result = run->checks[check];
  if (result.outcome != Outcome::kSat || result.model.empty()) return {};
  // An error in the place of a model, or a model with errors in it, is none.
  const auto read = [&](smtlib::Strings strings) {
    return smtlib::read_model(store_, test_.script, checks_[check], result.model, strings);
  };
  auto judged = check_printed_model(store_, test_.script, checks_[check], read, check_);
  if (!judged) return {};
  return std::move(*judged);
}

bool is_proof(const ModelVerdict& verdict) {
  // Division by zero is a function that an interpretation may choose (SMT-LIB theories Ints and
  // Reals); so a value of our choice is as good as one that the model gives.
  static constexpr std::array<std::string_view, 3> kFree = {"div by zero", "mod by zero",
                                                            "/ by zero"};
  const auto is_free = [](const std::string& what) {
    return std::find(kFree.begin(), kFree.end(), what) != kFree.end();
  };
  return verdict.verdict == Verdict::kValid && !verdict.leaves_domains &&
         std::all_of(verdict.chosen.begin(), verdict.chosen.end(), is_free);
}

namespace {

// Standard operators whose value the standard leaves open for some arguments, other than division:
// solvers fix different values there, and all are right.
bool is_open(ir::Op op) {
  switch (op) {
    case ir::Op::kFpMin:
    case ir::Op::kFpMax:
    case ir::Op::kFpToUbv:
    case ir::Op::kFpToSbv:
    case ir::Op::kFpToReal: return true;
    default: return false;
  }
}

// Structure that SMT-LIB 2.6 does not have.
bool is_solver_specific(ir::Op op) {
  return op == ir::Op::kFunRef || op == ir::Op::kAlgebraicLiteral ||
         (op >= ir::Op::kLambda && op <= ir::Op::kComprehension);
}

}  // namespace

bool keeps_to_logic(const ir::TermStore& store, const ir::Script& script, size_t check) {
  const auto named = std::find_if(
      script.commands.begin(), script.commands.end(),
      [](const ir::Command& command) { return command.kind == ir::CommandKind::kSetLogic; });
  if (named == script.commands.end()) return true;
  const ir::Logic logic = ir::parse_logic(store.symbols().text(named->text));
  // Floating point has literals of reals, but no other real terms.
  const auto is_foreign = [&](ir::TermId term) {
    return !ir::is_literal(store.op(term)) && !logic.admits(store.sorts().kind(store.sort(term)));
  };
  return !any_asked_for(store, script, ir::claims_at(script, check), is_foreign);
}

bool has_settled_meaning(const ir::TermStore& store, const ir::Script& script, size_t check) {
  if (ir::doubtful_recursion(store, script)) return false;
  const auto is_unsettled = [&](ir::TermId term) {
    if (store.has(term, ir::kHasUnknown)) return true;
    const ir::Op op = store.op(term);
    if (op <= ir::Op::kUnknownText) return is_solver_specific(op);
    return is_open(op) || !store.ops().info(op).is_standard();
  };
  return !any_asked_for(store, script, ir::claims_at(script, check), is_unsettled);
}

}  // namespace elenchus::oracle
