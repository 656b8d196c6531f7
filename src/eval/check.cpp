#include "eval/check.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/walk.h"

namespace elenchus::eval {

using ir::CommandKind;
using ir::FunId;
using ir::TermId;

std::vector<size_t> checks_of(const ir::Script& script) {
  std::vector<size_t> checks;
  for (size_t i = 0; i < script.commands.size(); ++i) {
    if (ir::is_check(script.commands[i].kind)) checks.push_back(i);
  }
  return checks;
}

std::vector<Claim> claims_at(const ir::Script& script, size_t check) {
  std::vector<Claim> claims;
  std::vector<size_t> levels;
  for (size_t i = 0; i < check; ++i) {
    const ir::Command& command = script.commands[i];
    switch (command.kind) {
      case CommandKind::kAssert: claims.push_back({command.term, i}); break;
      case CommandKind::kPush: levels.insert(levels.end(), command.number, claims.size()); break;
      case CommandKind::kPop:
        for (uint32_t k = 0; k < command.number && !levels.empty(); ++k) {
          claims.resize(levels.back());
          levels.pop_back();
        }
        break;
      case CommandKind::kReset:
      case CommandKind::kResetAssertions:
        claims.clear();
        levels.clear();
        break;
      default: break;
    }
  }
  if (check == script.commands.size()) return claims;
  const ir::Command& command = script.commands[check];
  if (command.kind == CommandKind::kCheckSatAssuming) {
    for (const uint32_t term : script.items(command)) claims.push_back({TermId{term}, check});
  }
  return claims;
}

namespace {

// Follows calls from definition to definition, depth first, on a stack of its own.
class CircleFinder {
 public:
  CircleFinder(const ir::TermStore& terms, const ir::Model& model) : terms_(terms), walker_(terms) {
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
    std::vector<uint32_t> calls;
  };

  void enter(uint32_t fun) {
    Node& node = nodes_[fun];
    node.is_entered = true;
    walker_.restart();
    walker_.walk(node.body, [&](TermId term) {
      const ir::Op op = terms_.op(term);
      if (op == ir::Op::kCall || op == ir::Op::kFunRef) node.calls.push_back(terms_.payload(term));
      if (op == ir::Op::kAsArray) node.calls.push_back(terms_.indices(term)[0]);
    });
    std::sort(node.calls.begin(), node.calls.end());
    node.calls.erase(std::unique(node.calls.begin(), node.calls.end()), node.calls.end());
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
      const uint32_t next = node.calls.back();
      node.calls.pop_back();
      const auto callee = nodes_.find(next);
      if (callee == nodes_.end() || callee->second.is_done) continue;
      if (callee->second.is_entered) return FunId{next};
      enter(next);
    }
    return {};
  }

  const ir::TermStore& terms_;
  ir::Walker walker_;
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
