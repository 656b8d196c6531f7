#include "ir/type_rules.h"

#include <algorithm>
#include <vector>

#include "ir/alike.h"

namespace elenchus::ir {
namespace {

bool is_unknown(SortId sort) { return sort == kUnknownSort; }

bool any_unknown(std::span<const SortId> sorts) {
  return std::any_of(sorts.begin(), sorts.end(), is_unknown);
}

// Whether a sort fits where another is wanted: alike, or one of them is unknown.
bool fits(const SortTable& sorts, SortId given, SortId wanted) {
  return given == wanted || is_unknown(given) || is_unknown(wanted) ||
         are_alike(sorts, given, wanted);
}

// An array's index sorts and element sort. z3's sets are arrays of Booleans.
struct ArrayParts {
  std::vector<SortId> index;
  SortId element;
};

bool array_parts(const SortTable& sorts, SortId sort, ArrayParts& parts) {
  const auto children = sorts.children(sort);
  if (sorts.kind(sort) == SortKind::kSet) {
    parts.index = {children[0]};
    parts.element = kBoolSort;
    return true;
  }
  if (sorts.kind(sort) != SortKind::kArray) return false;
  parts.index.assign(children.begin(), children.end() - 1);
  parts.element = children.back();
  return true;
}

SortId array_of(SortTable& sorts, std::vector<SortId> index, SortId element) {
  index.push_back(element);
  return sorts.make(SortKind::kArray, index);
}

bool indices_fit(const SortTable& sorts, const ArrayParts& array, std::span<const SortId> args) {
  if (args.size() < array.index.size()) return false;
  return std::equal(array.index.begin(), array.index.end(), args.begin(),
                    [&](SortId wanted, SortId given) { return fits(sorts, given, wanted); });
}

SortId type_select(TermStore& store, std::span<const SortId> args) {
  ArrayParts array;
  if (args.size() < 2) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  if (!array_parts(store.sorts(), args[0], array) || args.size() != array.index.size() + 1)
    return {};
  return indices_fit(store.sorts(), array, args.subspan(1)) ? array.element : SortId{};
}

SortId type_store(TermStore& store, std::span<const SortId> args) {
  ArrayParts array;
  if (args.size() < 3) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  if (!array_parts(store.sorts(), args[0], array) || args.size() != array.index.size() + 2)
    return {};
  const bool good = indices_fit(store.sorts(), array, args.subspan(1)) &&
                    fits(store.sorts(), args.back(), array.element);
  return good ? args[0] : SortId{};
}

SortId type_concat(TermStore& store, std::span<const SortId> args) {
  if (args.size() < 2) return {};
  if (any_unknown(args)) return kUnknownSort;
  uint64_t width = 0;
  for (const SortId arg : args) {
    const SortNode& node = store.sorts()[arg];
    if (node.kind != SortKind::kBitVec) return {};
    width += node.a;
  }
  if (width > INT32_MAX) return {};
  return store.sorts().bit_vec(static_cast<uint32_t>(width));
}

// A bit-vector of as many bits as there are arguments.
SortId type_make_bits(TermStore& store, std::span<const SortId> args) {
  const bool are_bits = std::all_of(args.begin(), args.end(),
                                    [](SortId s) { return s == kBoolSort || is_unknown(s); });
  if (args.empty() || args.size() > INT32_MAX || !are_bits) return {};
  return store.sorts().bit_vec(static_cast<uint32_t>(args.size()));
}

// The function that a symbolic index names; none when it is an operator's name or not there.
FunId indexed_function(const Head& head) {
  if (head.indices.size() != 1 || (head.indices[0] & kSymbolIndex) != 0) return {};
  return FunId{head.indices[0]};
}

// Binds a selector's or constructor's datatype to the sort of a value of it.
bool bind_datatype(const TermStore& store, FunId fun, SortId sort, SortBindings& bindings) {
  const FunDecl& decl = store.fun(fun);
  const SortNode& node = store.sorts()[sort];
  if (node.kind != SortKind::kDatatype || node.a != decl.datatype.value) return false;
  const auto& parameters = store.datatype(decl.datatype).parameters;
  const auto actual = store.sorts().children(sort);
  for (size_t i = 0; i < parameters.size(); ++i) bindings.emplace_back(parameters[i], actual[i]);
  return true;
}

SortId type_is(const TermStore& store, const Head& head, std::span<const SortId> args) {
  const FunId constructor = indexed_function(head);
  if (args.size() != 1 || !constructor.valid()) return {};
  if (store.fun(constructor).kind != FunKind::kConstructor) return {};
  SortBindings bindings;
  if (is_unknown(args[0]) || bind_datatype(store, constructor, args[0], bindings)) return kBoolSort;
  return {};
}

SortId type_update(TermStore& store, const Head& head, std::span<const SortId> args) {
  const FunId selector = indexed_function(head);
  if (args.size() != 2 || !selector.valid()) return {};
  if (store.fun(selector).kind != FunKind::kSelector) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  SortBindings bindings;
  if (!bind_datatype(store, selector, args[0], bindings)) return {};
  const SortId wanted = substitute_sort(store.sorts(), store.fun(selector).result, bindings);
  return fits(store.sorts(), args[1], wanted) ? args[0] : SortId{};
}

// (_ map f): f on the elements, index by index.
SortId type_array_map(TermStore& store, const Head& head, std::span<const SortId> args) {
  if (head.indices.size() != 1 || args.empty()) return {};
  if (any_unknown(args)) return kUnknownSort;
  std::vector<SortId> elements;
  ArrayParts first;
  if (!array_parts(store.sorts(), args[0], first)) return {};
  for (const SortId arg : args) {
    ArrayParts array;
    if (!array_parts(store.sorts(), arg, array) || array.index != first.index) return {};
    elements.push_back(array.element);
  }
  SortId element;
  if (const FunId fun = indexed_function(head); fun.valid()) {
    const auto params = store.params(fun);
    if (!std::equal(params.begin(), params.end(), elements.begin(), elements.end())) return {};
    element = store.fun(fun).result;
  } else {
    const std::string_view name = store.symbols().text(SymbolId{head.indices[0] & ~kSymbolIndex});
    // (_ map (f (A B) C)) names one overload of f.
    const bool qualified = !name.empty() && name[0] == '(';
    const std::string_view plain = qualified ? name.substr(1, name.find(' ') - 1) : name;
    element =
        result_sort(store, {store.ops().named(store.symbols().find(plain))}, elements, nullptr);
    if (!element.valid() && qualified) return kUnknownSort;
  }
  if (!element.valid()) return {};
  // Sets stay sets.
  if (element == kBoolSort && store.sorts().kind(args[0]) == SortKind::kSet) return args[0];
  return array_of(store.sorts(), first.index, element);
}

SortId type_as_array(TermStore& store, const Head& head, std::span<const SortId> args) {
  const FunId fun = indexed_function(head);
  if (!args.empty() || !fun.valid() || store.fun(fun).param_count == 0) return {};
  const auto params = store.params(fun);
  return array_of(store.sorts(), {params.begin(), params.end()}, store.fun(fun).result);
}

SortId type_tuple_select(const TermStore& store, const Head& head, std::span<const SortId> args) {
  if (args.size() != 1 || head.indices.size() != 1) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  const auto fields = store.sorts().children(args[0]);
  if (store.sorts().kind(args[0]) != SortKind::kTuple || head.indices[0] >= fields.size())
    return {};
  return fields[head.indices[0]];
}

SortId type_tuple_update(const TermStore& store, const Head& head, std::span<const SortId> args) {
  if (args.size() != 2) return {};
  const SortId field = type_tuple_select(store, head, args.first(1));
  return field.valid() && fits(store.sorts(), args[1], field) ? args[0] : SortId{};
}

SortId type_tuple_project(TermStore& store, const Head& head, std::span<const SortId> args) {
  if (args.size() != 1) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  if (store.sorts().kind(args[0]) != SortKind::kTuple) return {};
  const auto fields = store.sorts().children(args[0]);
  std::vector<SortId> chosen;
  for (const uint32_t index : head.indices) {
    if (index >= fields.size()) return {};
    chosen.push_back(fields[index]);
  }
  return store.sorts().make(SortKind::kTuple, chosen);
}

SortId type_ho_apply(TermStore& store, std::span<const SortId> args) {
  if (args.size() < 2) return {};
  if (is_unknown(args[0])) return kUnknownSort;
  if (store.sorts().kind(args[0]) != SortKind::kFunction) return {};
  const auto signature = store.sorts().children(args[0]);
  const size_t given = args.size() - 1;
  if (given >= signature.size()) return {};
  for (size_t i = 0; i < given; ++i) {
    if (!fits(store.sorts(), args[i + 1], signature[i])) return {};
  }
  if (given + 1 == signature.size()) return signature.back();
  return store.sorts().make(SortKind::kFunction, signature.subspan(given));
}

// The fields of a relation, a set of tuples.
bool relation_fields(const SortTable& sorts, SortId sort, std::vector<SortId>& fields) {
  if (sorts.kind(sort) != SortKind::kSet) return false;
  const SortId tuple = sorts.children(sort)[0];
  if (sorts.kind(tuple) != SortKind::kTuple) return false;
  const auto children = sorts.children(tuple);
  fields.assign(children.begin(), children.end());
  return true;
}

SortId relation_of(SortTable& sorts, const std::vector<SortId>& fields) {
  const SortId tuple[] = {sorts.make(SortKind::kTuple, fields)};
  return tuple[0].valid() ? sorts.make(SortKind::kSet, tuple) : SortId{};
}

SortId type_relation(TermStore& store, Rule rule, std::span<const SortId> args) {
  if (args.empty()) return {};
  if (any_unknown(args)) return kUnknownSort;
  std::vector<SortId> fields;
  if (!relation_fields(store.sorts(), args[0], fields)) return {};
  if (rule == Rule::kRelTranspose) {
    if (args.size() != 1) return {};
    std::reverse(fields.begin(), fields.end());
    return relation_of(store.sorts(), fields);
  }
  if (args.size() < 2) return {};
  for (const SortId arg : args.subspan(1)) {
    std::vector<SortId> next;
    if (!relation_fields(store.sorts(), arg, next)) return {};
    if (rule == Rule::kRelJoin) {
      if (fields.empty() || next.empty() || fields.back() != next.front()) return {};
      fields.pop_back();
      next.erase(next.begin());
    }
    fields.insert(fields.end(), next.begin(), next.end());
  }
  return relation_of(store.sorts(), fields);
}

}  // namespace

SortId apply_rule(TermStore& store, Rule rule, const Head& head, std::span<const SortId> args) {
  switch (rule) {
    case Rule::kNone: return {};
    case Rule::kIs: return type_is(store, head, args);
    case Rule::kUpdate: return type_update(store, head, args);
    case Rule::kTuple: return store.sorts().make(SortKind::kTuple, args);
    case Rule::kTupleSelect: return type_tuple_select(store, head, args);
    case Rule::kTupleUpdate: return type_tuple_update(store, head, args);
    case Rule::kTupleProject: return type_tuple_project(store, head, args);
    case Rule::kArrayMap: return type_array_map(store, head, args);
    case Rule::kAsArray: return type_as_array(store, head, args);
    case Rule::kSelect: return type_select(store, args);
    case Rule::kStore: return type_store(store, args);
    case Rule::kConcat: return type_concat(store, args);
    case Rule::kMakeBits: return type_make_bits(store, args);
    case Rule::kHoApply: return type_ho_apply(store, args);
    case Rule::kRelJoin:
    case Rule::kRelProduct:
    case Rule::kRelTranspose: return type_relation(store, rule, args);
    case Rule::kAny: return kUnknownSort;
    case Rule::kAnyBool:
      return std::all_of(args.begin(), args.end(),
                         [](SortId s) { return s == kBoolSort || is_unknown(s); })
                 ? kBoolSort
                 : SortId{};
    case Rule::kAnyBoolArgsAny: return kBoolSort;
  }
  return {};
}

}  // namespace elenchus::ir
