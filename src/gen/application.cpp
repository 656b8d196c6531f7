// How an application is found. The signature's result is matched with the wanted sort. What that
// says of plain variables is bound; an index that is computed, such as (+ (- i j) 1), becomes an
// equation. Then the parameters get terms from left to right: where a parameter's sort is known by
// then, a term of it; else one of a sort that is there and fits. Each binding may leave an equation
// with one unknown, which solves it (all are linear in each variable). Own indices that are still
// open are drawn, and the conditions decide.
#include "gen/application.h"

#include <algorithm>

#include "ir/apply.h"

namespace elenchus::gen {

using ir::FunId;
using ir::IndexExpr;
using ir::Op;
using ir::Rule;
using ir::Signature;
using ir::SortId;
using ir::SortKind;
using ir::SortPattern;
using ir::TermId;

namespace {

constexpr int kSortTries = 6;
constexpr int kIndexTries = 8;
// Wider sorts would make terms that no solver gets through.
constexpr int64_t kMaxIndex = 1 << 12;

}  // namespace

TermId Applier::apply(const Choice& choice, SortId result, Arguments& arguments) {
  signature_ = choice.signature;
  args_.clear();
  indices_.clear();
  switch (signature_->rule) {
    case Rule::kNone:
    case Rule::kConcat:
    case Rule::kSelect:
    case Rule::kStore: return by_pattern(choice, result, arguments);
    default: return by_rule(choice, result, arguments);
  }
}

TermId Applier::by_pattern(const Choice& choice, SortId result, Arguments& arguments) {
  const Signature& signature = *signature_;
  constexpr uint64_t kManyOneIn = 8;
  size_t count = signature.params.size();
  if (choice.many && rng_.one_in(kManyOneIn)) count += 1 + rng_.below(2);
  if (signature.plain) {
    if (signature.plain_result != result) return {};
    for (size_t i = 0; i < count; ++i) {
      const uint32_t pattern = ir::parameter_of(signature, i, count);
      args_.push_back(
          arguments.pick(SortId{static_cast<uint32_t>(signature.patterns[pattern].kind)}));
      if (!args_.back().valid()) return {};
    }
    return make(choice, result);
  }
  bindings_ = {};
  equations_.clear();
  if (!unify(signature.result, result)) return {};
  for (size_t i = 0; i < count; ++i) {
    const uint32_t pattern = ir::parameter_of(signature, i, count);
    if (!propagate()) return {};
    SortId sort = ir::instantiate(store_.sorts(), signature, pattern, bindings_);
    if (!sort.valid()) sort = choose_sort(pattern, arguments);
    if (!sort.valid()) return {};
    args_.push_back(arguments.pick(sort));
    if (!args_.back().valid()) return {};
  }
  return choose_indices() ? make(choice, result) : TermId{};
}

TermId Applier::apply_to(const Choice& choice, SortId result, std::span<const TermId> args) {
  signature_ = choice.signature;
  const Signature& signature = *signature_;
  const bool plain = signature.rule == Rule::kNone || signature.rule == Rule::kSelect ||
                     signature.rule == Rule::kStore;
  indices_.clear();
  args_.assign(args.begin(), args.end());
  if (signature.rule == Rule::kRelJoin || signature.rule == Rule::kRelProduct ||
      signature.rule == Rule::kConcat || signature.rule == Rule::kMakeBits) {
    return make(choice, result);
  }
  if (signature.rule == Rule::kIs) return tester_of(choice);
  if (!plain || !ir::takes(signature, args.size())) return {};
  if (args.size() > signature.params.size() && !choice.many) return {};
  if (signature.plain) return make(choice, result);
  bindings_ = {};
  equations_.clear();
  if (!unify(signature.result, result)) return {};
  for (size_t i = 0; i < args.size(); ++i) {
    const uint32_t pattern = ir::parameter_of(signature, i, args.size());
    if (!unify(pattern, store_.sort(args[i]))) return {};
  }
  return propagate() && choose_indices() ? make(choice, result) : TermId{};
}

// --- Variables of signatures. ---

bool Applier::unify_index(uint32_t expr, uint32_t value) {
  const IndexExpr& index = signature_->index_exprs[expr];
  if (index.kind == IndexExpr::Kind::kNumber) return index.a == value;
  if (index.kind != IndexExpr::Kind::kVariable) {
    equations_.push_back({expr, value});
    return true;
  }
  if (!bindings_.index_bound[index.a]) {
    bindings_.index_bound[index.a] = true;
    bindings_.indices[index.a] = value;
  }
  return bindings_.indices[index.a] == value;
}

bool Applier::unify(uint32_t position, SortId sort) {
  const SortPattern& pattern = signature_->patterns[position];
  if (pattern.kind == SortKind::kNone) {
    SortId& bound = bindings_.sorts[pattern.variable];
    if (!bound.valid()) bound = sort;
    return bound == sort;
  }
  const ir::SortNode& node = store_.sorts()[sort];
  if (node.kind != pattern.kind) return false;
  if (node.kind < SortKind::kUnknown) return true;
  if (node.kind <= SortKind::kFiniteField) {
    if (!unify_index(pattern.index[0], node.a)) return false;
    return node.kind != SortKind::kFloatingPoint || unify_index(pattern.index[1], node.b);
  }
  const auto children = store_.sorts().children(sort);
  if (children.size() != pattern.children.size()) return false;
  for (size_t i = 0; i < children.size(); ++i) {
    if (!unify(pattern.children[i], children[i])) return false;
  }
  return true;
}

void Applier::count_unbound(uint32_t expr, uint32_t& variable, uint32_t& count) const {
  const IndexExpr& index = signature_->index_exprs[expr];
  if (index.kind == IndexExpr::Kind::kNumber) return;
  if (index.kind == IndexExpr::Kind::kVariable) {
    if (bindings_.index_bound[index.a]) return;
    variable = index.a;
    ++count;
    return;
  }
  count_unbound(index.a, variable, count);
  count_unbound(index.b, variable, count);
}

int64_t Applier::value_at(uint32_t expr) const {
  const IndexExpr& index = signature_->index_exprs[expr];
  if (index.kind == IndexExpr::Kind::kNumber) return index.a;
  if (index.kind == IndexExpr::Kind::kVariable) return bindings_.indices[index.a];
  const int64_t left = value_at(index.a);
  const int64_t right = value_at(index.b);
  if (index.kind == IndexExpr::Kind::kAdd) return left + right;
  // Widths are below 2^31, so a product of two fits.
  return index.kind == IndexExpr::Kind::kSub ? left - right : left * right;
}

bool Applier::solve(const Equation& equation, uint32_t variable) {
  bindings_.indices[variable] = 0;
  const int64_t at_zero = value_at(equation.expr);
  bindings_.indices[variable] = 1;
  const int64_t slope = value_at(equation.expr) - at_zero;
  const int64_t rest = equation.value - at_zero;
  if (slope == 0 || rest % slope != 0) return false;
  bindings_.indices[variable] = rest / slope;
  bindings_.index_bound[variable] = true;
  return rest / slope >= 0 && rest / slope < INT32_MAX;
}

bool Applier::propagate() {
  for (size_t i = 0; i < equations_.size();) {
    uint32_t variable = 0;
    uint32_t unbound = 0;
    count_unbound(equations_[i].expr, variable, unbound);
    if (unbound > 1) {
      ++i;
      continue;
    }
    if (unbound == 0 && value_at(equations_[i].expr) != equations_[i].value) return false;
    if (unbound == 1 && !solve(equations_[i], variable)) return false;
    equations_.erase(equations_.begin() + static_cast<ptrdiff_t>(i));
    i = 0;
  }
  return true;
}

// Zero and one, small numbers, and numbers up to the largest that there is.
int64_t Applier::draw_index() const {
  int64_t largest = 4;
  for (size_t i = 0; i < signature_->index_names.size(); ++i) {
    if (bindings_.index_bound[i]) largest = std::max(largest, bindings_.indices[i]);
  }
  switch (rng_.below(4)) {
    case 0: return static_cast<int64_t>(rng_.below(2));
    case 1: return static_cast<int64_t>(rng_.below(5));
    default: return static_cast<int64_t>(rng_.below(static_cast<uint64_t>(largest) + 1));
  }
}

bool Applier::choose_indices() {
  if (!propagate()) return false;
  const Signature& signature = *signature_;
  const ir::Bindings before = bindings_;
  const std::vector<Equation> open = equations_;
  for (int attempt = 0; attempt < kIndexTries; ++attempt) {
    bool good = true;
    for (uint32_t i = 0; good && i < signature.own_indices; ++i) {
      if (bindings_.index_bound[i]) continue;
      bindings_.indices[i] = draw_index();
      bindings_.index_bound[i] = true;
      good = propagate();
    }
    if (good && equations_.empty() && ir::conditions_hold(signature, bindings_)) {
      indices_.clear();
      for (uint32_t i = 0; i < signature.own_indices; ++i) {
        if (bindings_.indices[i] > kMaxIndex) return false;
        indices_.push_back(static_cast<uint32_t>(bindings_.indices[i]));
      }
      return true;
    }
    bindings_ = before;
    equations_ = open;
  }
  return false;
}

// A sort that is there and fits the pattern under the bindings; extends them.
SortId Applier::choose_sort(uint32_t pattern, Arguments& arguments) {
  const SortKind kind = signature_->patterns[pattern].kind;
  const ir::Bindings before = bindings_;
  const size_t equations = equations_.size();
  for (int attempt = 0; attempt < kSortTries; ++attempt) {
    const SortId sort = arguments.pick_sort(kind);
    if (!sort.valid()) return {};
    const std::vector<Equation> kept = equations_;
    if (unify(pattern, sort) && propagate()) return sort;
    bindings_ = before;
    equations_ = kept;
    equations_.resize(equations);
  }
  return {};
}

TermId Applier::make(const Choice& choice, SortId result) {
  sorts_.clear();
  for (const TermId arg : args_) {
    sorts_.push_back(store_.sort(arg));
    if (sorts_.back() == ir::kUnknownSort) return {};
  }
  const Op ops[] = {choice.op};
  const SortId as = signature_->needs_as ? result : SortId{};
  if (ir::result_sort(store_, {ops, indices_, as}, sorts_, nullptr) != result) return {};
  const uint32_t payload = indices_.empty() ? 0 : store_.index_list(indices_).value;
  return store_.make(choice.op, result, payload, args_);
}

// --- Operators with rules of their own. ---

TermId Applier::by_rule(const Choice& choice, SortId result, Arguments& arguments) {
  switch (signature_->rule) {
    case Rule::kIs: return tester(choice, arguments);
    case Rule::kUpdate: return update(choice, result, arguments);
    case Rule::kTuple:
    case Rule::kTupleSelect: return tuple(choice, result, arguments);
    case Rule::kTupleUpdate: return tuple_update(choice, result, arguments);
    case Rule::kTupleProject: return tuple_project(choice, result, arguments);
    case Rule::kHoApply: return higher_order(choice, result, arguments);
    case Rule::kRelJoin:
    case Rule::kRelProduct:
    case Rule::kRelTranspose: return relation(choice, result, arguments);
    case Rule::kArrayMap:
    case Rule::kAsArray: return array_of_function(choice, result, arguments);
    case Rule::kMakeBits: return make_bits(choice, result, arguments);
    case Rule::kAnyBool: return pseudo_boolean(choice, result, arguments);
    case Rule::kAnyBoolArgsAny: return closure(choice, result, arguments);
    default: return {};
  }
}

bool Applier::pick_all(std::span<const SortId> sorts, Arguments& arguments) {
  // The table may grow and move while terms are drawn.
  const std::vector<SortId> wanted(sorts.begin(), sorts.end());
  for (const SortId sort : wanted) {
    args_.push_back(arguments.pick(sort));
    if (!args_.back().valid()) return false;
  }
  return true;
}

TermId Applier::tester(const Choice& choice, Arguments& arguments) {
  const SortId sort = arguments.pick_sort(SortKind::kDatatype);
  if (!sort.valid() || !pick_all({&sort, 1}, arguments)) return {};
  return tester_of(choice);
}

// Of any constructor, on the only argument.
TermId Applier::tester_of(const Choice& choice) {
  const SortId sort = args_.size() == 1 ? store_.sort(args_[0]) : SortId{};
  if (!sort.valid() || store_.sorts().kind(sort) != SortKind::kDatatype) return {};
  const auto& constructors = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a}).constructors;
  indices_.push_back(constructors[rng_.below(constructors.size())].fun.value);
  return make(choice, ir::kBoolSort);
}

TermId Applier::update(const Choice& choice, SortId result, Arguments& arguments) {
  if (store_.sorts().kind(result) != SortKind::kDatatype) return {};
  const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{store_.sorts()[result].a});
  const ir::Constructor& constructor =
      datatype.constructors[rng_.below(datatype.constructors.size())];
  if (constructor.selectors.empty()) return {};
  const FunId selector = constructor.selectors[rng_.below(constructor.selectors.size())];
  ir::SortBindings bindings;
  const auto actual = store_.sorts().children(result);
  for (size_t i = 0; i < actual.size(); ++i) {
    bindings.emplace_back(datatype.parameters[i], actual[i]);
  }
  const SortId field = ir::substitute_sort(store_.sorts(), store_.fun(selector).result, bindings);
  const SortId sorts[] = {result, field};
  if (!field.valid() || !pick_all(sorts, arguments)) return {};
  indices_.push_back(selector.value);
  return make(choice, result);
}

// A tuple of the wanted sort, or the field of a tuple.
TermId Applier::tuple(const Choice& choice, SortId result, Arguments& arguments) {
  if (signature_->rule == Rule::kTuple) {
    if (store_.sorts().kind(result) != SortKind::kTuple) return {};
    return pick_all(store_.sorts().children(result), arguments) ? make(choice, result) : TermId{};
  }
  const SortId whole = arguments.pick_sort(SortKind::kTuple);
  if (!whole.valid()) return {};
  const auto fields = store_.sorts().children(whole);
  if (fields.empty()) return {};
  const size_t at = rng_.below(fields.size());
  if (fields[at] != result || !pick_all({&whole, 1}, arguments)) return {};
  indices_.push_back(static_cast<uint32_t>(at));
  return make(choice, result);
}

TermId Applier::tuple_update(const Choice& choice, SortId result, Arguments& arguments) {
  const auto fields = store_.sorts().children(result);
  if (store_.sorts().kind(result) != SortKind::kTuple || fields.empty()) return {};
  const size_t at = rng_.below(fields.size());
  const SortId sorts[] = {result, fields[at]};
  if (!pick_all(sorts, arguments)) return {};
  indices_.push_back(static_cast<uint32_t>(at));
  return make(choice, result);
}

TermId Applier::tuple_project(const Choice& choice, SortId result, Arguments& arguments) {
  const SortId whole = arguments.pick_sort(SortKind::kTuple);
  if (!whole.valid() || store_.sorts().kind(result) != SortKind::kTuple) return {};
  const auto fields = store_.sorts().children(whole);
  for (const SortId wanted : store_.sorts().children(result)) {
    const auto found = std::find(fields.begin(), fields.end(), wanted);
    if (found == fields.end()) return {};
    indices_.push_back(static_cast<uint32_t>(found - fields.begin()));
  }
  if (indices_.empty() || !pick_all({&whole, 1}, arguments)) return {};
  return make(choice, result);
}

TermId Applier::higher_order(const Choice& choice, SortId result, Arguments& arguments) {
  const SortId function = arguments.pick_sort(SortKind::kFunction);
  if (!function.valid()) return {};
  const auto parts = store_.sorts().children(function);
  if (parts.back() != result) return {};
  std::vector<SortId> sorts = {function};
  sorts.insert(sorts.end(), parts.begin(), parts.end() - 1);
  return pick_all(sorts, arguments) ? make(choice, result) : TermId{};
}

TermId Applier::relation(const Choice& choice, SortId result, Arguments& arguments) {
  const size_t count = signature_->rule == Rule::kRelTranspose ? 1 : 2;
  const Op ops[] = {choice.op};
  for (int attempt = 0; attempt < kSortTries; ++attempt) {
    std::vector<SortId> sorts;
    for (size_t i = 0; i < count; ++i) sorts.push_back(arguments.pick_sort(SortKind::kSet));
    if (!sorts[0].valid()) return {};
    if (ir::result_sort(store_, {ops}, sorts, nullptr) != result) continue;
    return pick_all(sorts, arguments) ? make(choice, result) : TermId{};
  }
  return {};
}

// (_ map f) on arrays of what f takes, and f as an array.
TermId Applier::array_of_function(const Choice& choice, SortId result, Arguments& arguments) {
  if (store_.sorts().kind(result) != SortKind::kArray) return {};
  const auto children = store_.sorts().children(result);
  const std::vector<SortId> index(children.begin(), children.end() - 1);
  const FunId fun = arguments.pick_function(children.back());
  if (!fun.valid()) return {};
  indices_.push_back(fun.value);
  if (signature_->rule == Rule::kAsArray) return make(choice, result);
  std::vector<SortId> sorts;
  for (const SortId param : store_.params(fun)) {
    std::vector<SortId> parts = index;
    parts.push_back(param);
    sorts.push_back(store_.sorts().make(SortKind::kArray, parts));
    if (!sorts.back().valid()) return {};
  }
  return pick_all(sorts, arguments) ? make(choice, result) : TermId{};
}

// (_ pble k c...): a coefficient for each argument.
TermId Applier::pseudo_boolean(const Choice& choice, SortId result, Arguments& arguments) {
  const size_t count = 1 + rng_.below(3);
  const std::vector<SortId> sorts(count, ir::kBoolSort);
  indices_.push_back(static_cast<uint32_t>(rng_.below(6)));
  for (size_t i = 0; i < count; ++i) indices_.push_back(static_cast<uint32_t>(rng_.below(4)));
  return pick_all(sorts, arguments) ? make(choice, result) : TermId{};
}

TermId Applier::make_bits(const Choice& choice, SortId result, Arguments& arguments) {
  constexpr uint32_t kWidest = 64;
  const uint32_t width = store_.sorts()[result].a;
  if (width > kWidest) return {};
  const std::vector<SortId> sorts(width, ir::kBoolSort);
  return pick_all(sorts, arguments) ? make(choice, result) : TermId{};
}

// The closure of a relation that is a function.
TermId Applier::closure(const Choice& choice, SortId result, Arguments& arguments) {
  const FunId fun = arguments.pick_function(ir::kBoolSort);
  if (!fun.valid() || result != ir::kBoolSort) return {};
  const auto params = store_.params(fun);
  if (params.size() != 2 || params[0] != params[1]) return {};
  indices_.push_back(fun.value);
  return pick_all(params, arguments) ? make(choice, result) : TermId{};
}

}  // namespace elenchus::gen
