#include "mutate/expressions.h"

#include "ir/functions.h"
#include "ir/measure.h"
#include "ir/script_parts.h"
#include "ir/timeline.h"
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

constexpr uint32_t kMaxVariableWords = 1U << 24;

}  // namespace

void Expressions::start(const ir::TermStore& store, const ir::Script& script, Targets targets) {
  store_ = &store;
  targets_ = targets;
  ++epoch_;
  free_.emplace(store, kMaxVariableWords);
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
  const ir::Timeline timeline(*store_, script);
  for (uint32_t at = 0; at < script.commands.size(); ++at) {
    const Command& command = script.commands[at];
    if (!ir::is_declaration(command.kind)) continue;
    const Span span{at + 1, timeline.end(at)};
    const auto items = script.items(command);
    if (command.kind == CommandKind::kDeclareSort) {
      // A name declared again after a pop: good from the first time on, as far as we care.
      sort_name_spans_.emplace(items[0], span).first->second.to = span.to;
    }
    if (command.kind == CommandKind::kDeclareDatatypes) {
      for (const uint32_t id : items) datatype_spans_[id] = span;
    }
    ir::for_each_declared(*store_, script, command, [&](FunId fun) { add_function(fun, span); });
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
    ir::for_each_root(*store_, script, command, note);
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
  ir::for_each_function(*store_, term, [&](FunId fun) { result = result & span(fun); });
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
    readers_ &= store_->ops().format_readers(store_->sorts()[store_->sort(term)]);
    const Op op = store_->op(term);
    if (op > Op::kUnknownText) {
      const ir::OpInfo& info = store_->ops().info(op);
      readers_ &= info.who;
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
