// Typed construction. An application is tried against the operator's signatures as it stands; only
// when none fits are z3's leniencies tried, so that ordinary terms pay nothing for them:
//   1. Int arguments beside Real ones become Real ((+ x 1) with x Real);
//   2. each argument is converted to what its place wants ((/ 1 3), (select a 1), (mod r 2));
//   3. an associative operator of one argument is its argument ((+ x)), a comparison is true.
// Connectives of one argument or none are terms like others: bugs hide in them.
#include "ir/apply.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ir/alike.h"
#include "ir/type_rules.h"

namespace elenchus::ir {
namespace {

bool bind_own_indices(const Signature& signature, std::span<const uint32_t> indices,
                      Bindings& bindings) {
  if (indices.size() != signature.own_indices) return false;
  for (size_t i = 0; i < indices.size(); ++i) {
    if ((indices[i] & kSymbolIndex) != 0) return false;
    bindings.indices[i] = indices[i];
    bindings.index_bound[i] = true;
  }
  return true;
}

// Arithmetic and logic have plain signatures: the common case.
inline SortId result_by_plain(const Signature& signature, const Head& head,
                              std::span<const SortId> args) {
  const bool fits =
      takes(signature, args.size()) && head.indices.empty() && matches_plain(signature, args);
  return fits ? signature.plain_result : SortId{};
}

SortId result_by(TermStore& store, const Signature& signature, const Head& head,
                 std::span<const SortId> args) {
  if (signature.plain) return result_by_plain(signature, head, args);
  if (signature.rule != Rule::kNone) return apply_rule(store, signature.rule, head, args);
  if (!takes(signature, args.size())) return {};
  Bindings bindings;
  if (!bind_own_indices(signature, head.indices, bindings)) return {};
  if (signature.needs_as) {
    if (!head.as.valid()) return {};
    if (!match(store.sorts(), signature, signature.result, head.as, bindings)) return {};
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const uint32_t pattern = parameter_of(signature, i, args.size());
    if (!match(store.sorts(), signature, pattern, args[i], bindings)) return {};
  }
  const SortId result = instantiate(store.sorts(), signature, signature.result, bindings);
  return conditions_hold(signature, bindings) ? result : SortId{};
}

// Sorts of arguments, on the stack unless there are many.
class ArgSorts {
 public:
  ArgSorts(const TermStore& store, std::span<const TermId> args) {
    SortId* out = few_.data();
    if (args.size() > few_.size()) {
      many_.resize(args.size());
      out = many_.data();
    }
    for (size_t i = 0; i < args.size(); ++i) out[i] = store.sort(args[i]);
    view_ = {out, args.size()};
  }
  ArgSorts(const ArgSorts&) = delete;
  ArgSorts& operator=(const ArgSorts&) = delete;

  std::span<const SortId> view() const { return view_; }

 private:
  std::array<SortId, 16> few_;
  std::vector<SortId> many_;
  std::span<const SortId> view_;
};

TermId apply_exact(TermStore& store, const Head& head, std::span<const TermId> args) {
  const ArgSorts sorts(store, args);
  Op chosen = Op::kNone;
  const SortId sort = result_sort(store, head, sorts.view(), &chosen);
  if (!sort.valid()) return {};
  const uint32_t payload = head.indices.empty() ? 0 : store.index_list(head.indices).value;
  return store.make(chosen, sort, payload, args);
}

// A lambda beside an array or a set is one itself.
bool lambdas_to_arrays(TermStore& store, std::span<TermId> args) {
  const auto is_array = [&](TermId t) {
    const SortKind kind = store.sorts().kind(store.sort(t));
    return kind == SortKind::kArray || kind == SortKind::kSet;
  };
  const auto array = std::find_if(args.begin(), args.end(), is_array);
  if (array == args.end()) return false;
  const SortId sort = store.sort(*array);
  bool changed = false;
  for (TermId& arg : args) {
    if (store.op(arg) != Op::kLambda || is_array(arg)) continue;
    const TermId other = coerce(store, arg, sort);
    if (other.valid()) arg = other;
    changed = changed || other.valid();
  }
  return changed;
}

bool promote_mixed(TermStore& store, std::span<TermId> args) {
  const auto has = [&](SortId sort) {
    return std::any_of(args.begin(), args.end(), [&](TermId t) { return store.sort(t) == sort; });
  };
  if (!has(kIntSort) || !has(kRealSort)) return false;
  for (TermId& arg : args) {
    if (store.sort(arg) == kIntSort) arg = coerce(store, arg, kRealSort);
  }
  return true;
}

// Converts each argument to what its place in the signature wants, as far as that is known by then.
bool coerce_to_signature(TermStore& store, const Signature& signature, const Head& head,
                         std::span<TermId> args) {
  if (!takes(signature, args.size())) return false;
  Bindings bindings;
  if (!bind_own_indices(signature, head.indices, bindings)) return false;
  if (signature.needs_as &&
      !(head.as.valid() && match(store.sorts(), signature, signature.result, head.as, bindings))) {
    return false;
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const uint32_t pattern = parameter_of(signature, i, args.size());
    Bindings attempt = bindings;
    if (match(store.sorts(), signature, pattern, store.sort(args[i]), attempt)) {
      bindings = attempt;
      continue;
    }
    const SortId wanted = instantiate(store.sorts(), signature, pattern, bindings);
    if (!wanted.valid()) return false;
    args[i] = coerce(store, args[i], wanted);
    if (!args[i].valid()) return false;
  }
  return true;
}

// Arrays are typed by rules, not by patterns: their places are known once the array is.
bool coerce_to_array(TermStore& store, std::span<TermId> args) {
  if (args.empty()) return false;
  const SortKind kind = store.sorts().kind(store.sort(args[0]));
  if (kind == SortKind::kFunction && store.op(args[0]) == Op::kLambda) {
    const auto children = store.sorts().children(store.sort(args[0]));
    args[0] = coerce(store, args[0], store.sorts().make(SortKind::kArray, children));
    if (!args[0].valid()) return false;
  } else if (kind != SortKind::kArray && kind != SortKind::kSet) {
    return false;
  }
  const auto children = store.sorts().children(store.sort(args[0]));
  std::vector<SortId> wanted(children.begin(), children.end());
  if (kind == SortKind::kSet) wanted.push_back(kBoolSort);
  if (args.size() > wanted.size() + 1) return false;
  for (size_t i = 1; i < args.size(); ++i) {
    args[i] = coerce(store, args[i], wanted[i - 1]);
    if (!args[i].valid()) return false;
  }
  return true;
}

// z3 reads ((as const (Set A)) true), since its sets are arrays of Booleans, and arrays of several
// indices. So are its functions as values: ((as const (-> A B)) b) is an array.
TermId constant_array(TermStore& store, const Head& head, std::span<TermId> args) {
  const bool is_const =
      std::find(head.ops.begin(), head.ops.end(), Op::kConstArray) != head.ops.end();
  if (!is_const || !head.as.valid() || args.size() != 1) return {};
  const SortKind kind = store.sorts().kind(head.as);
  if (kind != SortKind::kSet && kind != SortKind::kArray && kind != SortKind::kFunction) return {};
  const auto children = store.sorts().children(head.as);
  args[0] = coerce(store, args[0], kind == SortKind::kSet ? kBoolSort : children.back());
  if (!args[0].valid()) return {};
  const SortId sort =
      kind == SortKind::kFunction ? store.sorts().make(SortKind::kArray, children) : head.as;
  return store.make(Op::kConstArray, sort, 0, args);
}

TermId apply_coercing(TermStore& store, const Head& head, std::span<TermId> args) {
  std::vector<TermId> attempt;
  for (const Op op : head.ops) {
    for (const Signature& signature : store.ops().info(op).signatures) {
      attempt.assign(args.begin(), args.end());
      const bool array = signature.rule == Rule::kSelect || signature.rule == Rule::kStore;
      const bool fits = array ? coerce_to_array(store, attempt)
                              : signature.rule == Rule::kNone &&
                                    coerce_to_signature(store, signature, head, attempt);
      if (!fits) continue;
      const Op single[] = {op};
      const TermId term = apply_exact(store, {single, head.indices, head.as}, attempt);
      if (!term.valid()) continue;
      std::copy(attempt.begin(), attempt.end(), args.begin());
      return term;
    }
  }
  return {};
}

// Whether it joins any number of formulas: (and p), and the bare name for none.
bool joins_any_number(Op op) { return op == Op::kAnd || op == Op::kOr || op == Op::kXor; }

// What z3 makes of one argument where two are wanted.
TermId apply_to_one(TermStore& store, const Head& head, TermId arg) {
  const SortId pair[] = {store.sort(arg), store.sort(arg)};
  for (const Op op : head.ops) {
    for (const Signature& signature : store.ops().info(op).signatures) {
      if (signature.arity == Arity::kFixed || signature.arity > Arity::kPairwise) continue;
      const SortId result = result_by(store, signature, head, pair);
      if (!result.valid()) continue;
      if (joins_any_number(op)) return store.make(op, result, 0, std::span(&arg, 1));
      const bool compares =
          signature.arity == Arity::kChainable || signature.arity == Arity::kPairwise;
      if (!compares) return arg;
      // True, with nothing to compare; but what we do not know must stay in sight.
      const TermId twice[] = {arg, arg};
      return store.has(arg, kHasUnknown) ? store.make(Op::kEq, kBoolSort, 0, twice)
                                         : store.make(Op::kTrue, kBoolSort, 0, {});
    }
  }
  return {};
}

// What z3 makes of an operator's bare name.
TermId apply_to_none(TermStore& store, const Head& head) {
  for (const Op op : head.ops) {
    if (joins_any_number(op)) return store.make(op, kBoolSort, 0, {});
    if (op == Op::kDistinct) return store.make(Op::kTrue, kBoolSort, 0, {});
  }
  return {};
}

TermId literal_as_real(TermStore& store, TermId term) {
  return store.real_literal(std::string(store.literal_text(term)) + ".0");
}

TermId to_real(TermStore& store, TermId term) {
  if (store.op(term) == Op::kIntLiteral) return literal_as_real(store, term);
  if (store.op(term) == Op::kNeg && store.op(store.args(term)[0]) == Op::kIntLiteral) {
    const TermId inner[] = {literal_as_real(store, store.args(term)[0])};
    return store.make(Op::kNeg, kRealSort, 0, inner);
  }
  const TermId inner[] = {term};
  return store.make(Op::kToReal, kRealSort, 0, inner);
}

bool is_array_of_bool(const SortTable& sorts, SortId array, SortId set) {
  const auto children = sorts.children(array);
  return children.size() == 2 && children[1] == kBoolSort && children[0] == sorts.children(set)[0];
}

bool is_map(SortKind kind) {
  return kind == SortKind::kFunction || kind == SortKind::kArray || kind == SortKind::kSet;
}

// A lambda stands for a function, an array or a set.
TermId lambda_as(TermStore& store, TermId lambda, SortId target) {
  const SortId sort = store.sort(lambda);
  const auto from = store.sorts().children(sort);
  const auto to = store.sorts().children(target);
  const bool fits = store.sorts().kind(target) == SortKind::kSet
                        ? is_array_of_bool(store.sorts(), sort, target)
                        : std::equal(from.begin(), from.end(), to.begin(), to.end());
  return fits ? store.make(Op::kLambda, target, 0, store.args(lambda)) : TermId{};
}

}  // namespace

SortId result_sort(TermStore& store, const Head& head, std::span<const SortId> args, Op* chosen) {
  for (const Op op : head.ops) {
    for (const Signature& signature : store.ops().info(op).signatures) {
      const SortId result = signature.plain ? result_by_plain(signature, head, args)
                                            : result_by(store, signature, head, args);
      if (!result.valid() || (head.as.valid() && result != head.as)) continue;
      if (chosen != nullptr) *chosen = op;
      return result;
    }
  }
  return {};
}

TermId apply(TermStore& store, const Head& head, std::span<TermId> args) {
  if (const TermId exact = apply_exact(store, head, args); exact.valid()) return exact;
  std::vector<TermId> promoted(args.begin(), args.end());
  if (promote_mixed(store, promoted) || lambdas_to_arrays(store, promoted)) {
    if (const TermId term = apply_exact(store, head, promoted); term.valid()) {
      std::copy(promoted.begin(), promoted.end(), args.begin());
      return term;
    }
  }
  if (const TermId term = apply_coercing(store, head, args); term.valid()) return term;
  if (const TermId term = constant_array(store, head, args); term.valid()) return term;
  if (args.empty()) return apply_to_none(store, head);
  return args.size() == 1 ? apply_to_one(store, head, args[0]) : TermId{};
}

TermId apply(TermStore& store, Op op, std::span<const TermId> args) {
  const Op ops[] = {op};
  if (joins_any_number(op) && args.size() < 2) {
    return args.empty() ? apply_to_none(store, {ops}) : apply_to_one(store, {ops}, args[0]);
  }
  return apply_exact(store, {ops}, args);
}

TermId apply_if_all(TermStore& store, Op op, std::vector<TermId> args,
                    std::span<const uint32_t> indices) {
  const bool are_all =
      std::all_of(args.begin(), args.end(), [](TermId arg) { return arg.valid(); });
  const Op ops[] = {op};
  return are_all ? apply(store, {ops, indices, {}}, args) : TermId{};
}

TermId call(TermStore& store, FunId fun, std::span<TermId> args, SortId as) {
  const FunDecl& decl = store.fun(fun);
  if (decl.param_count != args.size()) return {};
  const auto params = store.params(fun);
  if (!decl.polymorphic) {
    if (as.valid() && as != decl.result) return {};
    for (size_t i = 0; i < args.size(); ++i) {
      args[i] = coerce(store, args[i], params[i]);
      if (!args[i].valid()) return {};
    }
    return store.make(Op::kCall, decl.result, fun.value, args);
  }
  SortBindings bindings;
  if (as.valid() && !match_sort(store.sorts(), decl.result, as, bindings)) return {};
  for (size_t i = 0; i < args.size(); ++i) {
    if (match_sort(store.sorts(), params[i], store.sort(args[i]), bindings)) continue;
    const SortId wanted = substitute_sort(store.sorts(), params[i], bindings);
    args[i] = coerce(store, args[i], wanted);
    if (!args[i].valid()) return {};
  }
  SortId result = substitute_sort(store.sorts(), decl.result, bindings);
  if (!result.valid() || (decl.needs_as && !as.valid())) return {};
  // An argument of unknown sort binds nothing.
  const bool any_unknown = std::any_of(args.begin(), args.end(),
                                       [&](TermId arg) { return store.sort(arg) == kUnknownSort; });
  if (any_unknown && store.sorts()[result].has_parameters) result = kUnknownSort;
  return store.make(Op::kCall, result, fun.value, args);
}

TermId function_value(TermStore& store, FunId fun) {
  const auto params = store.params(fun);
  std::vector<SortId> signature(params.begin(), params.end());
  signature.push_back(store.fun(fun).result);
  const SortId sort = store.sorts().make(SortKind::kFunction, signature);
  return sort.valid() ? store.make(Op::kFunRef, sort, fun.value, {}) : TermId{};
}

TermId coerce(TermStore& store, TermId term, SortId target) {
  const SortId from = store.sort(term);
  if (from == target || from == kUnknownSort || target == kUnknownSort) return term;
  if (!target.valid()) return {};
  if (from == kIntSort && target == kRealSort) return to_real(store, term);
  if (from == kRealSort && target == kIntSort) {
    const TermId inner[] = {term};
    return store.make(Op::kToInt, kIntSort, 0, inner);
  }
  const SortKind kind = store.sorts().kind(target);
  if (store.op(term) == Op::kLambda && is_map(kind)) return lambda_as(store, term, target);
  return are_alike(store.sorts(), from, target) ? term : TermId{};
}

bool match_sort(const SortTable& sorts, SortId pattern, SortId sort, SortBindings& bindings) {
  if (sort == kUnknownSort) return true;
  const SortNode& node = sorts[pattern];
  if (!node.has_parameters) return pattern == sort || are_alike(sorts, pattern, sort);
  if (node.kind == SortKind::kParameter) {
    const auto bound = std::find_if(bindings.begin(), bindings.end(),
                                    [&](const auto& entry) { return entry.first == pattern; });
    if (bound != bindings.end()) return are_alike(sorts, bound->second, sort);
    bindings.emplace_back(pattern, sort);
    return true;
  }
  const SortNode& other = sorts[sort];
  if (node.kind != other.kind || node.a != other.a || node.b != other.b) return false;
  const auto below = sorts.children(pattern);
  const auto against = sorts.children(sort);
  return std::equal(below.begin(), below.end(), against.begin(), against.end(),
                    [&](SortId p, SortId s) { return match_sort(sorts, p, s, bindings); });
}

SortId substitute_sort(SortTable& sorts, SortId sort, const SortBindings& bindings) {
  const SortNode node = sorts[sort];
  if (!node.has_parameters) return sort;
  if (node.kind == SortKind::kParameter) {
    for (const auto& [parameter, value] : bindings) {
      if (parameter == sort) return value;
    }
    return sort;
  }
  std::vector<SortId> children;
  for (const SortId child : sorts.children(sort)) {
    children.push_back(substitute_sort(sorts, child, bindings));
    if (!children.back().valid()) return {};
  }
  return sorts.make(node.kind, node.a, node.b, children);
}

std::string describe_sort(const TermStore& store, SortId sort) {
  std::string text;
  append_sort(text, store.sorts(), store.symbols(), sort);
  return text;
}

std::string describe_sorts(const TermStore& store, std::span<const TermId> args) {
  constexpr size_t kShown = 8;
  std::string text = "(";
  for (size_t i = 0; i < std::min(args.size(), kShown); ++i) {
    if (i > 0) text += ' ';
    append_sort(text, store.sorts(), store.symbols(), store.sort(args[i]));
  }
  if (args.size() > kShown) text += " ...";
  return text + ")";
}

}  // namespace elenchus::ir
