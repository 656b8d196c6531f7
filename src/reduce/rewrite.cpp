#include "reduce/rewrite.h"

#include <algorithm>
#include <unordered_map>

#include "ir/apply.h"
#include "ir/walk.h"
#include "reduce/script_parts.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

class Rewriter {
 public:
  Rewriter(ir::TermStore& store, const Change& change)
      : store_(store), walker_(store), inline_names_(change.inline_names), build_(change.build) {
    for (const auto& [from, to] : change.terms) results_.emplace(from.value, to);
    for (const auto& [from, to] : change.functions) functions_.emplace(from.value, to);
  }

  ir::Script run(const ir::Script& script) {
    ir::Script result = script;
    for (Command& command : result.commands) {
      if (ir::has_term(command.kind)) command.term = term(command.term);
      std::vector<uint32_t> items;
      const auto old = script.items(command);
      if (ir::has_term_items(command.kind)) {
        for (const uint32_t item : old) items.push_back(term(TermId{item}).value);
      } else if (declares_functions(command.kind)) {
        if (is_definition(command.kind)) redefine(script, command);
        for (const uint32_t item : old) items.push_back(function(FunId{item}).value);
      } else {
        continue;
      }
      if (!std::equal(items.begin(), items.end(), old.begin(), old.end())) {
        result.set_items(command, items);
      }
    }
    return result;
  }

  TermId term(TermId root) {
    stack_.push_back({root});
    while (!stack_.empty()) {
      const Frame top = stack_.back();
      if (results_.contains(top.term.value)) {
        stack_.pop_back();
        continue;
      }
      if (!top.entered) {
        stack_.back().entered = true;
        enter(top.term);
        continue;
      }
      stack_.pop_back();
      const TermId result = build(top.term);
      results_.emplace(top.term.value, result);
    }
    return results_.at(root.value);
  }

 private:
  struct Frame {
    TermId term;
    bool entered = false;
  };

  FunId function(FunId fun) const {
    const auto found = functions_.find(fun.value);
    return found == functions_.end() ? fun : found->second;
  }

  // A binder's own variables stay.
  uint32_t first_arg(TermId term) const {
    return is_binder(store_.op(term)) ? store_.bound_count(term) : 0;
  }

  // A bound variable where it is bound.
  TermId variable(TermId bound) const {
    const auto found = results_.find(bound.value);
    if (found == results_.end() || store_.op(found->second) != Op::kVar) return bound;
    return found->second;
  }

  void enter(TermId term) {
    const auto args = store_.args(term);
    for (size_t i = args.size(); i > first_arg(term); --i) {
      if (!results_.contains(args[i - 1].value)) stack_.push_back({args[i - 1]});
    }
    if (is_named_call(store_, term) && !functions_.contains(store_.payload(term))) {
      stack_.push_back({store_.fun(store_.callee(term)).body});
    }
  }

  TermId build(TermId term) {
    const auto old = store_.args(term);
    args_.assign(old.begin(), old.end());
    for (size_t i = 0; i < args_.size(); ++i) {
      args_[i] = i < first_arg(term) ? variable(args_[i]) : results_.at(args_[i].value);
    }
    if (is_named_call(store_, term)) {
      if (inline_names_) return results_.at(store_.fun(store_.callee(term)).body.value);
      rename_body(store_.callee(term));
    }
    if (build_) {
      const std::vector<TermId> args = args_;
      if (const TermId built = build_(term, args); built.valid()) return built;
    }
    uint32_t payload = store_.payload(term);
    const Op op = store_.op(term);
    if (op == Op::kCall || op == Op::kFunRef || op == Op::kMatchCase) {
      payload = function(FunId{payload}).value;
    } else if (!functions_.empty() && has_function_indices(store_, term)) {
      const auto indices = store_.indices(term);
      std::vector<uint32_t> mapped(indices.begin(), indices.end());
      for (uint32_t& index : mapped) {
        if ((index & ir::kSymbolIndex) == 0) index = function(FunId{index}).value;
      }
      payload = store_.index_list(mapped).value;
    }
    return store_.make(op, store_.sort(term), payload, args_);
  }

  // A name given by :named stands for the changed term.
  void rename_body(FunId fun) {
    if (functions_.contains(fun.value)) return;
    const TermId body = store_.fun(fun).body;
    const TermId changed = results_.at(body.value);
    if (changed == body) return;
    const FunId other =
        store_.declare(store_.fun(fun).name, ir::FunKind::kNamed, {}, store_.fun(fun).result);
    store_.define(other, {}, changed);
    functions_.emplace(fun.value, other);
  }

  bool is_touched(TermId body) {
    walker_.restart();
    return walker_.find(body, [&](TermId term) {
      if (const auto known = results_.find(term.value); known != results_.end()) {
        if (known->second != term) return true;
      }
      const Op op = store_.op(term);
      if ((op == Op::kCall || op == Op::kFunRef) && functions_.contains(store_.payload(term))) {
        return true;
      }
      if (!has_function_indices(store_, term)) return false;
      for (const uint32_t index : store_.indices(term)) {
        if (functions_.contains(index)) return true;
      }
      return false;
    });
  }

  FunId copy_signature(FunId fun) {
    const auto span = store_.params(fun);
    const std::vector<ir::SortId> params(span.begin(), span.end());
    const ir::FunDecl decl = store_.fun(fun);
    const FunId other = store_.declare(decl.name, decl.kind, params, decl.result);
    store_.fun(other).needs_as = decl.needs_as;
    return other;
  }

  void redefine(const ir::Script& script, const Command& command) {
    const auto items = script.items(command);
    const bool recursive =
        command.kind == CommandKind::kDefineFunRec || command.kind == CommandKind::kDefineFunsRec;
    bool touched = recursive && build_ != nullptr;
    for (const uint32_t item : items) {
      const TermId body = store_.fun(FunId{item}).body;
      touched = touched || functions_.contains(item) ||
                (recursive ? is_touched(body) : term(body) != body);
      for (const TermId formal : store_.formals(FunId{item})) {
        touched = touched || variable(formal) != formal;
      }
    }
    if (!touched) return;
    // Bodies of recursive functions call what they define: names come first.
    for (const uint32_t item : items) {
      if (!functions_.contains(item)) functions_.emplace(item, copy_signature(FunId{item}));
    }
    for (const uint32_t item : items) {
      const auto span = store_.formals(FunId{item});
      std::vector<TermId> formals(span.begin(), span.end());
      for (TermId& formal : formals) formal = variable(formal);
      const TermId body = term(store_.fun(FunId{item}).body);
      store_.define(functions_.at(item), formals, body);
    }
  }

  ir::TermStore& store_;
  ir::Walker walker_;
  bool inline_names_;
  const decltype(Change::build)& build_;
  std::unordered_map<uint32_t, TermId> results_;
  std::unordered_map<uint32_t, FunId> functions_;
  std::vector<Frame> stack_;
  std::vector<TermId> args_;
};

}  // namespace

ir::Script rewrite(ir::TermStore& store, const ir::Script& script, const Change& change) {
  return Rewriter(store, change).run(script);
}

TermId rewrite(ir::TermStore& store, TermId term, const Change& change) {
  return Rewriter(store, change).term(term);
}

}  // namespace elenchus::reduce
