#include "mutate/expressions.h"

#include <algorithm>

#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/walk.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr size_t kMaxVariableWords = 1U << 24;

}  // namespace

void Expressions::start(const ir::TermStore& store, const ir::Script& script, Targets targets) {
  store_ = &store;
  targets_ = targets;
  ++epoch_;
  exhausted_ = false;
  variables_.clear();
  sorts_.clear();
  for (auto& list : sorts_by_kind_) list.clear();
  kinds_ = 0;
  function_spans_.clear();
  sort_name_spans_.clear();
  datatype_spans_.clear();
  sort_spans_.clear();
  polymorphic_.clear();
  used_names_.clear();
  readers_ = 0xFFFF;
  theories_ = 0;
  collect_spans(script);
  collect_used_names(script);
  for (const Command& command : script.commands) {
    if (ir::has_term(command.kind)) add_all(command.term);
    if (command.kind == CommandKind::kDefineFun) {
      add_all(store.fun(FunId{script.items(command)[0]}).body);
    }
  }
}

// --- Where things are in force. ---

void Expressions::collect_spans(const ir::Script& script) {
  struct Level {
    std::vector<FunId> functions;
    std::vector<uint32_t> sorts;
    std::vector<uint32_t> datatypes;
  };
  std::vector<Level> levels(1);
  bool global = false;
  const auto close = [&](uint32_t at) {
    for (const FunId fun : levels.back().functions) function_spans_[fun.value].to = at;
    for (const uint32_t name : levels.back().sorts) sort_name_spans_[name].to = at;
    for (const uint32_t datatype : levels.back().datatypes) datatype_spans_[datatype].to = at;
    levels.pop_back();
  };
  const auto declare = [&](FunId fun, uint32_t at) {
    add_function(fun, {at + 1, Span::kForever});
    levels[global ? 0 : levels.size() - 1].functions.push_back(fun);
  };
  for (uint32_t at = 0; at < script.commands.size(); ++at) {
    const Command& command = script.commands[at];
    const auto items = script.items(command);
    Level& level = levels[global ? 0 : levels.size() - 1];
    switch (command.kind) {
      case CommandKind::kText: {
        const std::string_view text = store_->symbols().text(command.text);
        if (text.starts_with("(set-option :global-decl")) {
          global = text.find("true") != std::string_view::npos;
        }
        break;
      }
      case CommandKind::kDeclareSort:
        // A name declared again after a pop: good from the first time on, as far as we care.
        sort_name_spans_.emplace(items[0], Span{at + 1, Span::kForever}).first->second.to =
            Span::kForever;
        level.sorts.push_back(items[0]);
        break;
      case CommandKind::kDeclareFun:
      case CommandKind::kDeclareConst:
      case CommandKind::kDefineFun:
      case CommandKind::kDefineConst:
      case CommandKind::kDefineFunRec:
      case CommandKind::kDefineFunsRec:
        for (const uint32_t fun : items) declare(FunId{fun}, at);
        break;
      case CommandKind::kDeclareDatatypes:
        for (const uint32_t id : items) {
          datatype_spans_[id] = {at + 1, Span::kForever};
          level.datatypes.push_back(id);
          for (const auto& constructor : store_->datatype(ir::DatatypeId{id}).constructors) {
            declare(constructor.fun, at);
            for (const FunId selector : constructor.selectors) declare(selector, at);
          }
        }
        break;
      case CommandKind::kPush:
        for (uint32_t i = 0; i < command.number; ++i) levels.emplace_back();
        break;
      case CommandKind::kPop:
        for (uint32_t i = 0; i < command.number && levels.size() > 1; ++i) close(at);
        break;
      case CommandKind::kReset:
      case CommandKind::kResetAssertions:
        if (global && command.kind == CommandKind::kResetAssertions) {
          levels.resize(1);
          break;
        }
        while (!levels.empty()) close(at);
        levels.emplace_back();
        break;
      default: break;
    }
  }
}

void Expressions::add_function(FunId fun, Span span) {
  function_spans_[fun.value] = span;
  const ir::FunDecl& decl = store_->fun(fun);
  if (decl.kind == ir::FunKind::kNamed) return;
  if (decl.polymorphic) {
    polymorphic_.push_back(fun);
  } else if (decl.param_count > 0) {
    bucket(decl.result).functions.push_back(fun);
  }
}

// Names of :named terms that are used. What such a name stands for must stay as it is.
void Expressions::collect_used_names(const ir::Script& script) {
  ir::Walker walker(*store_);
  const auto note = [&](TermId root) {
    if (!store_->has(root, ir::kHasNamed)) return;
    walker.walk(root, [&](TermId term) {
      if (store_->op(term) != Op::kCall) return;
      const ir::FunDecl& decl = store_->fun(store_->callee(term));
      if (decl.kind == ir::FunKind::kNamed) used_names_.insert(decl.name.value);
    });
  };
  for (const Command& command : script.commands) {
    if (ir::has_term(command.kind)) note(command.term);
    if (ir::has_term_items(command.kind)) {
      for (const uint32_t item : script.items(command)) note(TermId{item});
    }
    if (command.kind < CommandKind::kDefineFun || command.kind > CommandKind::kDefineFunsRec) {
      continue;
    }
    for (const uint32_t fun : script.items(command)) note(store_->fun(FunId{fun}).body);
  }
}

bool Expressions::has_used_name(TermId annotated) const {
  return store_->has(annotated, ir::kHasNamed) &&
         used_names_.contains(store_->indices(annotated)[1]);
}

Span Expressions::span(FunId fun) const {
  const auto found = function_spans_.find(fun.value);
  return found == function_spans_.end() ? Span{1, 0} : found->second;
}

Span Expressions::sort_span(SortId sort) {
  const ir::SortNode node = store_->sorts()[sort];
  if (node.kind < SortKind::kArray) return {};
  if (const auto known = sort_spans_.find(sort.value); known != sort_spans_.end()) {
    return known->second;
  }
  Span span;
  if (node.kind == SortKind::kUninterpreted) {
    const auto found = sort_name_spans_.find(node.a);
    if (found != sort_name_spans_.end()) span = found->second;
  } else if (node.kind == SortKind::kDatatype) {
    const auto found = datatype_spans_.find(node.a);
    if (found != datatype_spans_.end()) span = found->second;
  }
  for (const SortId child : store_->sorts().children(sort)) span = span & sort_span(child);
  sort_spans_.emplace(sort.value, span);
  return span;
}

// Of the term without its arguments.
Span Expressions::own_span(TermId term) {
  Span result = sort_span(store_->sort(term));
  const Op op = store_->op(term);
  if (op == Op::kCall || op == Op::kFunRef ||
      (op == Op::kMatchCase && store_->payload(term) != 0)) {
    result = result & span(store_->callee(term));
  } else if (op >= Op::kCount || op > Op::kUnknownText) {
    const auto& signatures = store_->ops().info(op).signatures;
    if (store_->payload(term) != 0 && !signatures.empty() && signatures[0].symbolic_index) {
      for (const uint32_t index : store_->indices(term)) {
        if ((index & ir::kSymbolIndex) == 0) result = result & span(FunId{index});
      }
    }
  }
  return result;
}

// --- Facts. ---

bool Expressions::is_target(TermId term) const {
  const Op op = store_->op(term);
  if (op == Op::kMatchCase || op == Op::kAnnotated || op == Op::kUnknownCall ||
      op == Op::kUnknownText || store_->has(term, ir::kHasNamed) ||
      store_->sort(term) == ir::kUnknownSort) {
    return false;
  }
  if (targets_ == Targets::kAll) return true;
  if (op == Op::kForall || op == Op::kExists) return true;
  if (op == Op::kCall) return !store_->args(term).empty();
  return op > Op::kUnknownText;
}

bool Expressions::is_open(TermId term) const {
  const Op op = store_->op(term);
  if (op == Op::kUnknownCall || op == Op::kUnknownText) return false;
  return op != Op::kAnnotated || !has_used_name(term);
}

void Expressions::collect_variables(TermId term, Facts& facts) {
  if (!store_->has(term, ir::kHasVariables)) return;
  if (store_->op(term) == Op::kVar) {
    facts.first_variable = static_cast<uint32_t>(variables_.size());
    facts.variable_count = 1;
    variables_.push_back(term);
    return;
  }
  const auto args = store_->args(term);
  const uint32_t bound = ir::is_binder(store_->op(term)) ? store_->bound_count(term) : 0;
  const Facts* only = nullptr;
  bool several = false;
  for (const TermId arg : args.subspan(bound)) {
    const Facts& below = facts_[arg.value];
    if (below.variable_count == 0) continue;
    several = several || only != nullptr;
    only = &below;
  }
  if (only == nullptr) return;
  if (!several && bound == 0) {
    facts.first_variable = only->first_variable;
    facts.variable_count = only->variable_count;
    return;
  }
  scratch_.clear();
  for (const TermId arg : args.subspan(bound)) {
    const Facts& below = facts_[arg.value];
    const auto first = variables_.begin() + below.first_variable;
    scratch_.insert(scratch_.end(), first, first + below.variable_count);
  }
  std::sort(scratch_.begin(), scratch_.end());
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  for (const TermId variable : args.first(bound)) std::erase(scratch_, variable);
  facts.first_variable = static_cast<uint32_t>(variables_.size());
  facts.variable_count = static_cast<uint32_t>(scratch_.size());
  variables_.insert(variables_.end(), scratch_.begin(), scratch_.end());
  if (variables_.size() > kMaxVariableWords) exhausted_ = true;
}

// The facts of its arguments are known.
Expressions::Facts Expressions::compute(TermId term) {
  Facts facts;
  facts.epoch = epoch_;
  facts.size = 1;
  facts.span = own_span(term);
  facts.is_target = is_target(term);
  facts.is_open = is_open(term);
  const auto args = store_->args(term);
  for (const TermId arg : args) {
    const Facts& below = facts_[arg.value];
    facts.size = ir::saturating_add(facts.size, below.size);
    facts.span = facts.span & below.span;
  }
  if (facts.is_open) {
    const auto [first, last] = ir::proper_args(*store_, term);
    for (uint32_t i = first; i < last; ++i) {
      facts.places = ir::saturating_add(facts.places, facts_[args[i].value].places);
    }
  }
  if (facts.is_target) facts.places = ir::saturating_add(facts.places, 1);
  collect_variables(term, facts);
  return facts;
}

const Expressions::Facts& Expressions::facts(TermId term) {
  if (facts_.size() <= term.value) facts_.resize(store_->term_count());
  if (facts_[term.value].epoch == epoch_) return facts_[term.value];
  stack_.push_back(term);
  while (!stack_.empty()) {
    const TermId top = stack_.back();
    if (facts_[top.value].epoch == epoch_) {
      stack_.pop_back();
      continue;
    }
    const size_t before = stack_.size();
    for (const TermId arg : store_->args(top)) {
      if (facts_[arg.value].epoch != epoch_) stack_.push_back(arg);
    }
    if (stack_.size() > before) continue;
    stack_.pop_back();
    facts_[top.value] = compute(top);
  }
  return facts_[term.value];
}

// --- Expressions to be used again. ---

Expressions::Bucket& Expressions::bucket(SortId sort) {
  if (buckets_.size() <= sort.value) buckets_.resize(sort.value + 1);
  Bucket& found = buckets_[sort.value];
  if (found.epoch != epoch_) {
    found.epoch = epoch_;
    found.terms.clear();
    found.functions.clear();
  }
  return found;
}

void Expressions::add(TermId term) {
  facts(term);
  Facts& known = facts_[term.value];
  if (known.is_pooled) return;
  known.is_pooled = true;
  if (store_->has(term, ir::kHasUnknown) || store_->has(term, ir::kHasNamed)) return;
  const Op op = store_->op(term);
  if (op == Op::kMatchCase || op == Op::kAnnotated) return;
  const SortId sort = store_->sort(term);
  // A lambda is read as an array only where nothing but an array can stand.
  if (op == Op::kLambda && store_->sorts().kind(sort) == SortKind::kArray) return;
  Bucket& target = bucket(sort);
  if (target.terms.empty()) {
    const SortKind kind = store_->sorts().kind(sort);
    sorts_.push_back(sort);
    sorts_by_kind_[static_cast<size_t>(kind)].push_back(sort);
    kinds_ |= gen::mask_of(kind);
  }
  target.terms.push_back(term);
}

void Expressions::add_all(TermId root) {
  facts(root);
  // Marked by is_pooled, so that each term is passed once.
  std::vector<TermId> pending = {root};
  while (!pending.empty()) {
    const TermId term = pending.back();
    pending.pop_back();
    if (facts_[term.value].is_pooled) continue;
    add(term);
    const Op op = store_->op(term);
    if (op > Op::kUnknownText) {
      const ir::OpInfo& info = store_->ops().info(op);
      if (info.theory != ir::Theory::kUser) readers_ &= gen::readers_of(info.who);
      theories_ |= 1U << static_cast<uint32_t>(info.theory);
    }
    const auto [first, last] = ir::proper_args(*store_, term);
    const auto args = store_->args(term);
    for (uint32_t i = last; i > first; --i) pending.push_back(args[i - 1]);
  }
}

std::span<const TermId> Expressions::of_sort(SortId sort) const {
  if (sort.value >= buckets_.size() || buckets_[sort.value].epoch != epoch_) return {};
  return buckets_[sort.value].terms;
}

std::span<const FunId> Expressions::functions(SortId result) const {
  if (result.value >= buckets_.size() || buckets_[result.value].epoch != epoch_) return {};
  return buckets_[result.value].functions;
}

}  // namespace elenchus::mutate
