#include "eval/explain.h"

#include <algorithm>
#include <unordered_set>

namespace elenchus::eval {
namespace {

using ir::Op;
using ir::TermId;

class Explainer {
 public:
  Explainer(Evaluator& evaluator, size_t max_steps)
      : evaluator_(evaluator), terms_(evaluator.terms()), max_steps_(max_steps) {}

  std::vector<Step> run(TermId claim) {
    todo_.push_back({claim, 0, 0});
    while (!todo_.empty()) {
      const Task task = todo_.back();
      todo_.pop_back();
      if (!task.term.valid()) {
        evaluator_.unbind(task.bound);
      } else if (!ran_out_ && steps_.size() < max_steps_ && seen_.insert(task.term.value).second) {
        visit(task);
      }
    }
    return std::move(steps_);
  }

 private:
  struct Task {
    TermId term;  // none: end of the scope of some bindings
    uint32_t depth = 0;
    size_t bound = 0;
  };

  void visit(const Task& task) {
    const Value value = evaluator_.evaluate(task.term);
    steps_.push_back({task.term, value, task.depth});
    // Each part could take as long once more.
    ran_out_ |= evaluator_.steps_left() == 0;
    if (ran_out_) return;
    const std::vector<TermId> parts = relevant_parts(task.term, value);
    for (size_t i = parts.size(); i-- > 0;) {
      if (!is_plain(parts[i])) todo_.push_back({parts[i], task.depth + 1, 0});
    }
  }

  bool is_plain(TermId term) const {
    const Op op = terms_.op(term);
    return ir::is_literal(op) || op == Op::kTrue || op == Op::kFalse;
  }

  std::vector<TermId> all_parts(TermId term) const {
    const auto args = terms_.args(term);
    return {args.begin(), args.end()};
  }

  // Why a value is unknown does not lie with the parts that are known.
  std::vector<TermId> unknown_parts(TermId term) {
    std::vector<TermId> parts = all_parts(term);
    std::erase_if(parts, [&](TermId part) { return evaluator_.evaluate(part).known(); });
    return parts;
  }

  // The first argument with this truth value, or all.
  std::vector<TermId> deciding_part(std::span<const TermId> args, bool truth) {
    for (const TermId arg : args) {
      const Value value = evaluator_.evaluate(arg);
      if (value.known() && value.is_true() == truth) return {arg};
    }
    return {args.begin(), args.end()};
  }

  std::vector<TermId> parts_of_implication(TermId term, const Value& value) {
    const auto args = terms_.args(term);
    if (!value.known()) return unknown_parts(term);
    if (!value.is_true()) return all_parts(term);
    if (evaluator_.evaluate(args.back()).is_true()) return {args.back()};
    return deciding_part(args.first(args.size() - 1), false);
  }

  std::vector<TermId> relevant_parts(TermId term, const Value& value) {
    const auto args = terms_.args(term);
    switch (terms_.meaning(term)) {
      case Op::kAnd:
        if (value.is_false()) return deciding_part(args, false);
        break;
      case Op::kOr:
        if (value.is_true()) return deciding_part(args, true);
        break;
      case Op::kImplies: return parts_of_implication(term, value);
      case Op::kIte: {
        const Value condition = evaluator_.evaluate(args[0]);
        if (condition.known()) return {args[0], args[condition.is_true() ? 1 : 2]};
        break;
      }
      case Op::kAnnotated: return {args[0]};
      case Op::kForall:
      case Op::kExists: return instance_of(term);
      case Op::kLambda:
      case Op::kChoice:
      case Op::kComprehension: return {};
      case Op::kMatch: return {args[0]};
      default: break;
    }
    return value.known() ? all_parts(term) : unknown_parts(term);
  }

  // The body, with the values that decide bound to the variables: they are shown as parts, too.
  std::vector<TermId> instance_of(TermId quantifier) {
    const auto values = evaluator_.deciding_values(quantifier);
    if (values.empty()) return {};
    const auto variables = terms_.bound_variables(quantifier);
    todo_.push_back({{}, 0, evaluator_.binding_count()});
    for (size_t i = 0; i < variables.size(); ++i) evaluator_.bind(variables[i], values[i]);
    return all_parts(quantifier);
  }

  Evaluator& evaluator_;
  const ir::TermStore& terms_;
  size_t max_steps_;
  bool ran_out_ = false;  // of what an evaluation may cost
  std::vector<Task> todo_;
  std::vector<Step> steps_;
  std::unordered_set<uint32_t> seen_;
};

}  // namespace

std::vector<Step> explain(Evaluator& evaluator, TermId claim, size_t max_steps) {
  return Explainer(evaluator, max_steps).run(claim);
}

}  // namespace elenchus::eval
