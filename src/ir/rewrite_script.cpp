#include "ir/rewrite_script.h"

#include <algorithm>
#include <unordered_map>

#include "ir/functions.h"
#include "ir/rewriter.h"
#include "ir/script_parts.h"
#include "ir/walk.h"

namespace elenchus::ir {
namespace {

class ScriptRewriter : public RewriteHooks {
 public:
  ScriptRewriter(TermStore& store, const Change& change)
      : store_(store), rewriter_(store), inline_names_(change.inline_names), build_(change.build) {
    for (const auto& [from, to] : change.terms) {
      if (!rewriter_.find(from).valid()) rewriter_.set(from, to);
    }
    for (const auto& [from, to] : change.functions) functions_.emplace(from.value, to);
  }

  Script run(const Script& script) {
    Script result = script;
    for (Command& command : result.commands) {
      if (has_term(command.kind)) command.term = term(command.term);
      std::vector<uint32_t> items;
      const auto old = script.items(command);
      if (has_term_items(command.kind)) {
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

  TermId term(TermId root) { return rewriter_.rewrite(root, *this); }

  TermId also(TermId term) const {
    const bool is_open =
        is_named_call(store_, term) && !functions_.contains(store_.callee(term).value);
    return is_open ? store_.fun(store_.callee(term)).body : TermId{};
  }

  TermId after(TermId term, std::span<const TermId> args) {
    if (is_named_call(store_, term)) {
      if (inline_names_) return rewriter_.find(store_.fun(store_.callee(term)).body);
      rename_body(store_.callee(term));
    }
    return build_ ? build_(term, args) : TermId{};
  }

  FunId function(FunId fun) const {
    const auto found = functions_.find(fun.value);
    return found == functions_.end() ? fun : found->second;
  }

 private:
  // A bound variable where it is bound.
  TermId variable(TermId bound) {
    const TermId found = rewriter_.find(bound);
    return found.valid() && store_.op(found) == Op::kVar ? found : bound;
  }

  // A name given by :named stands for the changed term.
  void rename_body(FunId fun) {
    if (functions_.contains(fun.value)) return;
    const TermId body = store_.fun(fun).body;
    const TermId changed = rewriter_.find(body);
    if (changed == body) return;
    const FunId other =
        store_.declare(store_.fun(fun).name, FunKind::kNamed, {}, store_.fun(fun).result);
    store_.define(other, {}, changed);
    functions_.emplace(fun.value, other);
  }

  bool is_touched(TermId body) {
    Walker walker(store_);
    return walker.find(body, [&](TermId term) {
      const TermId known = rewriter_.find(term);
      return (known.valid() && known != term) || names_function(store_, term, [&](FunId fun) {
               return functions_.contains(fun.value);
             });
    });
  }

  FunId copy_signature(FunId fun) {
    const auto span = store_.params(fun);
    const std::vector<SortId> params(span.begin(), span.end());
    const FunDecl decl = store_.fun(fun);
    const FunId other = store_.declare(decl.name, decl.kind, params, decl.result);
    store_.fun(other).needs_as = decl.needs_as;
    return other;
  }

  void redefine(const Script& script, const Command& command) {
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

  TermStore& store_;
  Rewriter<> rewriter_;
  bool inline_names_;
  const decltype(Change::build)& build_;
  std::unordered_map<uint32_t, FunId> functions_;
};

}  // namespace

Script rewrite(TermStore& store, const Script& script, const Change& change) {
  return ScriptRewriter(store, change).run(script);
}

TermId rewrite(TermStore& store, TermId term, const Change& change) {
  return ScriptRewriter(store, change).term(term);
}

}  // namespace elenchus::ir
