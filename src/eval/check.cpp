#include "eval/check.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/functions.h"

namespace elenchus::eval {

using ir::Claim;
using ir::FunId;
using ir::TermId;

namespace {

// Follows calls from definition to definition, depth first, on a stack of its own.
class CircleFinder {
 public:
  CircleFinder(const ir::TermStore& terms, const ir::Model& model) : terms_(terms) {
    for (size_t i = 0; i < model.functions.size(); ++i) {
      const ir::FunctionDefinition& function = model.functions[i];
      if (terms.has(function.definition.body, ir::kHasUnknown)) continue;
      nodes_.emplace(function.fun.value, Node{function.definition.body, false, false, {}});
    }
  }

  // A function that is part of a circle, or none.
  FunId find(const ir::Model& model) {
    for (const ir::FunctionDefinition& function : model.functions) {
      const FunId found = visit(function.fun);
      if (found.valid()) return found;
    }
    return {};
  }

 private:
  struct Node {
    TermId body;
    bool is_entered = false;
    bool is_done = false;
    std::vector<FunId> calls;
  };

  void enter(uint32_t fun) {
    Node& node = nodes_[fun];
    node.is_entered = true;
    node.calls = ir::functions_in(terms_, node.body);
    stack_.push_back(fun);
  }

  FunId visit(FunId start) {
    const auto found = nodes_.find(start.value);
    if (found == nodes_.end() || found->second.is_done) return {};
    enter(start.value);
    while (!stack_.empty()) {
      Node& node = nodes_[stack_.back()];
      if (node.calls.empty()) {
        node.is_done = true;
        stack_.pop_back();
        continue;
      }
      const FunId next = node.calls.back();
      node.calls.pop_back();
      const auto callee = nodes_.find(next.value);
      if (callee == nodes_.end() || callee->second.is_done) continue;
      if (callee->second.is_entered) return next;
      enter(next.value);
    }
    return {};
  }

  const ir::TermStore& terms_;
  std::unordered_map<uint32_t, Node> nodes_;  // by function
  std::vector<uint32_t> stack_;
};

}  // namespace

base::Result<void> check_definitions(const ir::TermStore& terms, const ir::Model& model) {
  const FunId fun = CircleFinder(terms, model).find(model);
  if (!fun.valid()) return {};
  const auto circular = std::find_if(model.functions.begin(), model.functions.end(),
                                     [&](const auto& function) { return function.fun == fun; });
  return base::Error{base::ErrorKind::kType,
                     fmt::format("the model defines '{}' by itself",
                                 base::shown(terms.symbols().text(terms.fun(fun).name))),
                     circular->where};
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kValid: return "valid";
    case Verdict::kInvalid: return "invalid";
    case Verdict::kUnknown: return "unknown";
  }
  return "?";
}

Judgement judge(std::span<const Claim> claims, Evaluator& strict, Evaluator& lenient) {
  Judgement judgement;
  const auto open = [&](const Claim& claim, const std::string& reason) {
    if (judgement.verdict == Verdict::kUnknown) return;
    judgement.verdict = Verdict::kUnknown;
    judgement.claim = claim;
    judgement.reason = reason;
  };
  for (const Claim& claim : claims) {
    Value value = strict.evaluate(claim.term);
    if (value.is_true()) continue;
    if (value.is_false()) {
      judgement.verdict = Verdict::kInvalid;
      judgement.claim = claim;
      judgement.reason.clear();
      break;
    }
    value = lenient.evaluate(claim.term);
    if (value.is_true()) continue;
    open(claim, value.known() ? "false for the values chosen where the model gives none"
                              : lenient.values().reason(value));
  }
  judgement.completed = lenient.completed();
  judgement.chosen = lenient.chosen();
  return judgement;
}

}  // namespace elenchus::eval
