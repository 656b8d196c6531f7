// How TermReader applies functions and operators to their arguments, and says why it cannot.
#include "smtlib/term_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/apply.h"

namespace elenchus::smtlib {

using base::ErrorKind;
using ir::FunId;
using ir::FunKind;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

// The application as a term to be made later; none when it is not one of an operator or function
// that takes the arguments as they are.
TermId TermReader::apply_later(const Group& group, std::span<const TermId> args) {
  constexpr size_t kFewArgs = 16;
  if (group.is_unknown || group.as.valid() || args.empty() || args.size() > kFewArgs) return {};
  if (r_.scope.local(group.head).valid()) return {};
  SortId sorts[kFewArgs];
  for (size_t i = 0; i < args.size(); ++i) sorts[i] = batch_.sort(args[i]);
  const std::span<const SortId> arg_sorts(sorts, args.size());
  const std::span<const uint32_t> indices(indices_.data() + group.indices,
                                          indices_.size() - group.indices);
  if (const FunId fun = group.function; fun.valid()) {
    const auto params = store_.params(fun);
    if (!indices.empty() || store_.fun(fun).polymorphic ||
        !std::equal(params.begin(), params.end(), arg_sorts.begin(), arg_sorts.end())) {
      return {};
    }
    return batch_.add(Op::kCall, store_.fun(fun).result, fun.value, args);
  }
  Op chosen = Op::kNone;
  const ir::Head head{r_.ops_named(group.head), indices};
  const SortId sort = ir::result_sort(store_, head, arg_sorts, &chosen);
  if (!sort.valid()) return {};
  const uint32_t payload = indices.empty() ? 0 : store_.index_list(indices).value;
  return batch_.add(chosen, sort, payload, args);
}

// Makes all waiting terms and puts them in place of the pending values.
void TermReader::settle() {
  if (!batch_.empty()) {
    batch_.resolve();
    for (size_t i = first_pending_; i < values_.size(); ++i) {
      values_[i] = batch_.resolved(values_[i]);
    }
    batch_.clear();
  }
  first_pending_ = values_.size();
}

TermId TermReader::settled(TermId value) {
  if (!ir::TermBatch::is_pending(value)) return value;
  push_value(value);
  settle();
  value = values_.back();
  values_.pop_back();
  return value;
}

// Who a name means when it is applied: a local function, a declared one, an operator, a tester.
TermId TermReader::apply_group(const Group& group, std::span<TermId> args) {
  const std::span<const uint32_t> indices(indices_.data() + group.indices,
                                          indices_.size() - group.indices);
  if (group.is_unknown) {
    if (indices.empty()) {
      const std::string_view name = store_.symbols().text(group.head);
      if (const TermId term = apply_tester(name, args); term.valid()) return term;
    }
    return unknown_call(group, args);
  }
  if (indices.empty()) {
    // A local name hides functions, but not operators.
    if (const TermId local = r_.scope.local(group.head); local.valid()) {
      if (const TermId term = apply_value(local, args); term.valid()) return term;
    } else if (const FunId fun = r_.scope.function(group.head); fun.valid()) {
      if (const TermId term = apply_function(fun, group.as, args); term.valid()) return term;
    }
  }
  if (const auto ops = r_.ops_named(group.head); !ops.empty()) {
    const TermId term = ir::apply(store_, {ops, indices, group.as}, args);
    if (term.valid()) return term;
  }
  return mismatch(group, args);
}

// (or) is in nobody's grammar; what z3 reads is the bare name, and that is how it is printed.
TermId TermReader::apply_to_nothing(const Group& group) {
  const auto ops = r_.ops_named(group.head);
  const bool is_other = group.as.valid() || indices_.size() > group.indices || ops.empty() ||
                        r_.scope.local(group.head).valid() || r_.scope.function(group.head).valid();
  const TermId term = is_other || r_.strict ? TermId{} : ir::apply(store_, ir::Head{ops}, {});
  const std::string name = r_.shown(group.head);
  if (!term.valid() || store_.ops().info(store_.op(term)).signatures[0].params.empty()) {
    r_.fail_parse(group.start, fmt::format("'{}' is applied to nothing", name));
    return {};
  }
  r_.warn(group.start, fmt::format("'({0})' is read as '{0}'", name));
  return term;
}

// An overload that takes the arguments as they are goes before one that wants conversions. Those
// are tried on the newest only: a name may have any number of overloads.
TermId TermReader::apply_function(FunId newest, SortId as, std::span<TermId> args) {
  constexpr uint32_t kMostTried = 64;
  std::vector<SortId> sorts;
  for (const TermId arg : args) sorts.push_back(store_.sort(arg));
  const FunId same = r_.scope.same_signature(store_.fun(newest).name, sorts);
  if (same.valid()) {
    if (const TermId term = ir::call(store_, same, args, as); term.valid()) return term;
  }
  std::vector<TermId> attempt;
  uint32_t tried = 0;
  for (FunId fun = newest; fun.valid() && tried < kMostTried; fun = r_.scope.overload(fun)) {
    ++tried;
    attempt.assign(args.begin(), args.end());
    if (const TermId term = ir::call(store_, fun, attempt, as); term.valid()) return term;
  }
  tried = 0;
  for (FunId fun = newest; fun.valid() && tried < kMostTried; fun = r_.scope.overload(fun)) {
    ++tried;
    if (const TermId term = apply_partially(fun, args); term.valid()) return term;
  }
  return {};
}

// Higher order: a constant of a function sort, or fewer arguments than parameters.
TermId TermReader::apply_partially(FunId fun, std::span<TermId> args) {
  const ir::FunDecl& decl = store_.fun(fun);
  if (decl.constant.valid()) return apply_value(decl.constant, args);
  if (decl.polymorphic) return {};
  if (args.size() < decl.param_count) {
    const TermId value = ir::function_value(store_, fun);
    return value.valid() ? apply_value(value, args) : TermId{};
  }
  // More arguments than parameters: the result is a function in its turn.
  if (args.size() == decl.param_count || store_.sorts().kind(decl.result) != SortKind::kFunction) {
    return {};
  }
  const TermId first = ir::call(store_, fun, args.first(decl.param_count));
  return first.valid() ? apply_value(first, args.subspan(decl.param_count)) : TermId{};
}

TermId TermReader::apply_value(TermId function, std::span<TermId> args) {
  std::vector<TermId> parts = {function};
  parts.insert(parts.end(), args.begin(), args.end());
  // z3's functions as values are arrays.
  const bool is_array = store_.sorts().kind(store_.sort(function)) == SortKind::kArray;
  const Op ops[] = {is_array ? Op::kSelect : Op::kHoApply};
  return ir::apply(store_, ir::Head{ops}, parts);
}

// is-cons, the old spelling of (_ is cons).
TermId TermReader::apply_tester(std::string_view name, std::span<TermId> args) {
  if (!name.starts_with("is-")) return {};
  const SymbolId symbol = store_.symbols().find(name.substr(3));
  if (!symbol.valid()) return {};
  const FunId constructor = datatype_function(symbol, FunKind::kConstructor);
  if (!constructor.valid()) return {};
  const Op ops[] = {Op::kIs};
  const uint32_t indices[] = {constructor.value};
  return ir::apply(store_, {ops, indices}, args);
}

TermId TermReader::unknown_call(const Group& group, std::span<TermId> args) {
  std::string head;
  ir::append_symbol(head, store_.symbols(), group.head);
  if (indices_.size() > group.indices) {
    head = "(_ " + head;
    for (size_t i = group.indices; i < indices_.size(); ++i) {
      head += ' ';
      const uint32_t index = indices_[i];
      if ((index & ir::kSymbolIndex) != 0) {
        head += store_.symbols().text(SymbolId{index & ~ir::kSymbolIndex});
      } else {
        head += std::to_string(index);
      }
    }
    head += ')';
  }
  if (group.as.valid()) head = "(as " + head + ' ' + ir::describe_sort(store_, group.as) + ')';
  if (r_.strict) {
    r_.fail(group.start, ErrorKind::kUnsupported,
            fmt::format("unknown operator '{}'", r_.shown(group.head)));
    return {};
  }
  r_.warn(group.start,
          fmt::format("unknown operator '{}' is carried through", r_.shown(group.head)));
  const SortId sort = group.as.valid() ? group.as : ir::kUnknownSort;
  return store_.make(Op::kUnknownCall, sort, store_.symbols().intern(head).value, args);
}

// Says so when the trouble is with the indices rather than with the arguments.
bool TermReader::wrong_indices(const Group& group) {
  const auto ops = r_.ops_named(group.head);
  const size_t count = indices_.size() - group.indices;
  if (ops.empty() || (count == 0 && r_.scope.function(group.head).valid())) return false;
  const ir::Signature& first = store_.ops().info(ops[0]).signatures[0];
  if ((first.rule == ir::Rule::kIs || first.rule == ir::Rule::kUpdate) && count == 1) {
    const uint32_t index = indices_.back();
    const bool is_name = (index & ir::kSymbolIndex) != 0;
    const FunKind wanted = first.rule == ir::Rule::kIs ? FunKind::kConstructor : FunKind::kSelector;
    if (!is_name && store_.fun(FunId{index}).kind == wanted) return false;
    const SymbolId name =
        is_name ? SymbolId{index & ~ir::kSymbolIndex} : store_.fun(FunId{index}).name;
    r_.fail_type(group.start,
                 fmt::format("'{}' is not a {}", r_.shown(name),
                             wanted == FunKind::kConstructor ? "constructor" : "selector"));
    return true;
  }
  for (const Op op : ops) {
    for (const ir::Signature& signature : store_.ops().info(op).signatures) {
      if (signature.own_indices == count || signature.rule != ir::Rule::kNone) return false;
    }
  }
  r_.fail_type(group.start, fmt::format("'{}' has {} indices, not {}", r_.shown(group.head),
                                        first.own_indices, count));
  return true;
}

TermId TermReader::mismatch(const Group& group, std::span<TermId> args) {
  constexpr size_t kEnough = 400;
  const std::string name = r_.shown(group.head);
  if (wrong_indices(group)) return {};
  std::string wanted;
  const auto add = [&](std::string_view text) {
    if (wanted.size() > kEnough) return;
    wanted += wanted.empty() ? "" : " or ";
    wanted += text;
  };
  for (FunId fun = r_.scope.function(group.head); fun.valid() && wanted.size() < kEnough;
       fun = r_.scope.overload(fun)) {
    std::string text = "(" + name;
    for (const SortId param : store_.params(fun)) text += ' ' + r_.shown(param);
    add(text + ")");
  }
  for (const Op op : r_.ops_named(group.head)) {
    for (const auto& signature : store_.ops().info(op).signatures) add(signature.text);
  }
  if (wanted.empty()) {
    r_.fail_type(group.start, fmt::format("'{}' is not a function", name));
  } else {
    r_.fail_type(group.start,
                 fmt::format("'{}' cannot take {}: it is {}", name,
                             base::shown(ir::describe_sorts(store_, args), 400), wanted));
  }
  return {};
}

}  // namespace elenchus::smtlib
