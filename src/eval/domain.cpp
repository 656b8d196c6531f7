#include "eval/domain.h"

#include <algorithm>
#include <utility>

#include "num/literal.h"

namespace elenchus::eval {

using ir::SortId;
using ir::SortKind;

Domains::Domains(const ir::TermStore& terms, ValueStore& values) : terms_(terms), values_(values) {}

void Domains::set_universe(SortId sort, std::vector<Value> elements, bool is_complete) {
  universes_[sort.value] = {std::move(elements), is_complete};
}

// --- How many. ---

namespace {

constexpr uint64_t kHuge = Size::kMaxCount;

constexpr Size kInfinite{Extent::kInfinite, 0};
constexpr Size kUnknown{Extent::kUnknown, 0};

constexpr Size finite(uint64_t count) { return {Extent::kFinite, std::min(count, kHuge)}; }

Size times(const Size& a, const Size& b) {
  if (a.is(0) || b.is(0)) return finite(0);
  if (a.extent == Extent::kInfinite || b.extent == Extent::kInfinite) return kInfinite;
  if (a.extent == Extent::kUnknown || b.extent == Extent::kUnknown) return kUnknown;
  return finite(a.count >= kHuge / b.count ? kHuge : a.count * b.count);
}

Size plus(const Size& a, const Size& b) {
  if (a.extent == Extent::kInfinite || b.extent == Extent::kInfinite) return kInfinite;
  if (a.extent == Extent::kUnknown || b.extent == Extent::kUnknown) return kUnknown;
  return finite(a.count + b.count);
}

uint64_t power(uint64_t base, uint64_t exponent) {
  if (base <= 1) return exponent == 0 ? 1 : base;
  Size result = finite(1);
  for (uint64_t i = 0; i < exponent && result.count < kHuge; ++i) {
    result = times(result, finite(base));
  }
  return result.count;
}

// The number of functions with these arguments and results.
Size functions(const Size& arguments, const Size& results) {
  if (results.is(1)) return finite(1);
  if (results.extent == Extent::kInfinite) return kInfinite;
  if (arguments.extent == Extent::kInfinite && results.extent == Extent::kFinite) return kInfinite;
  if (arguments.extent != Extent::kFinite || results.extent != Extent::kFinite) return kUnknown;
  return finite(power(results.count, arguments.count));
}

}  // namespace

std::optional<uint64_t> Domains::cardinality(SortId sort) {
  const Size known = size(sort);
  if (known.extent != Extent::kFinite) return std::nullopt;
  return known.count;
}

Size Domains::size(SortId sort) {
  const auto known = sizes_.find(sort.value);
  if (known != sizes_.end()) {
    height_ = std::max(height_, known->second.height);
    return known->second.size;
  }
  // An explicit stack would only move this limit: sorts inside sorts are bounded when they are
  // made, so that only chains of datatypes come here, and values in a thousand layers serve nobody.
  if (depth_ == kMaxHeight) return kUnknown;
  // A datatype that contains itself has infinitely many values; that is what it finds meanwhile.
  sizes_[sort.value] = {kInfinite, 0};
  const uint32_t before = std::exchange(height_, 0);
  ++depth_;
  const Size found = count(sort);
  --depth_;
  // What is known of the sorts inside may hide how many layers there are.
  const uint32_t height = height_ + 1;
  const Measure measure{height > kMaxHeight ? kUnknown : found, height};
  sizes_[sort.value] = measure;
  height_ = std::max(before, height);
  return measure.size;
}

Size Domains::count(SortId sort) {
  const ir::SortTable& sorts = terms_.sorts();
  const ir::SortNode& node = sorts[sort];
  const auto children = sorts.children(sort);
  switch (node.kind) {
    case SortKind::kBool: return finite(2);
    case SortKind::kRoundingMode: return finite(5);
    case SortKind::kChar: return finite(uint64_t{num::kMaxCharacter} + 1);
    case SortKind::kInt:
    case SortKind::kReal:
    case SortKind::kString:
    case SortKind::kRegLan:
    case SortKind::kSeq:
    case SortKind::kBag: return kInfinite;
    case SortKind::kBitVec: return finite(power(2, node.a));
    case SortKind::kFloatingPoint: {
      // All the NaNs are one.
      const uint64_t patterns = power(2, uint64_t{node.a} + node.b);
      return finite(patterns >= kHuge ? kHuge : patterns - power(2, node.b) + 3);
    }
    case SortKind::kFiniteField: {
      const std::string order(terms_.symbols().text(ir::SymbolId{node.a}));
      return finite(order.size() > 18 ? kHuge : std::stoull(order));
    }
    case SortKind::kFiniteSet:
    case SortKind::kSet: return functions(size(children[0]), finite(2));
    case SortKind::kTuple: return product(children);
    case SortKind::kNullable: return plus(size(children[0]), finite(1));
    case SortKind::kArray:
    case SortKind::kFunction:
      return functions(product(children.first(children.size() - 1)), size(children.back()));
    case SortKind::kUninterpreted: {
      const auto universe = universes_.find(sort.value);
      if (universe == universes_.end() || !universe->second.is_complete) return kUnknown;
      return finite(universe->second.values.size());
    }
    case SortKind::kDatatype: return count_datatype(sort);
    default: return kUnknown;
  }
}

Size Domains::product(std::span<const SortId> sorts) {
  Size result = finite(1);
  for (const SortId sort : sorts) result = times(result, size(sort));
  return result;
}

Size Domains::count_datatype(SortId sort) {
  const ir::Datatype& datatype = terms_.datatype(ir::DatatypeId{terms_.sorts()[sort].a});
  if (datatype.is_codatatype) return kUnknown;
  Size total = finite(0);
  for (const ir::Constructor& constructor : datatype.constructors) {
    Size fields = finite(1);
    for (const SortId field : terms_.params(constructor.fun)) {
      fields = times(fields, field_size(sort, field));
    }
    total = plus(total, fields);
  }
  return total;
}

// Of a field of a datatype's instance. Sorts cannot be made here, so that a field whose sort
// contains a parameter somewhere inside is not looked into.
Size Domains::field_size(SortId instance, SortId field) {
  const ir::SortNode& node = terms_.sorts()[field];
  if (!node.has_parameters) return size(field);
  const ir::SortNode& owner = terms_.sorts()[instance];
  if (node.kind == SortKind::kDatatype && node.a == owner.a) return kInfinite;
  const auto& parameters = terms_.datatype(ir::DatatypeId{owner.a}).parameters;
  const auto found = std::find(parameters.begin(), parameters.end(), field);
  if (found == parameters.end()) {
    const bool is_list = node.kind == SortKind::kSeq || node.kind == SortKind::kBag;
    return is_list ? kInfinite : kUnknown;
  }
  const auto actual = terms_.sorts().children(instance);
  return size(actual[static_cast<size_t>(found - parameters.begin())]);
}

// --- Which. ---

std::span<const Value> Domains::all(SortId sort) {
  const auto known = all_.find(sort.value);
  if (known != all_.end()) return known->second;
  std::vector<Value> values;
  const auto size = cardinality(sort);
  if (size && *size <= kMaxListed) values = list_all(sort);
  return all_[sort.value] = std::move(values);
}

std::vector<Value> Domains::list_all(SortId sort) {
  const ir::SortNode& node = terms_.sorts()[sort];
  const auto children = terms_.sorts().children(sort);
  const uint64_t size = *cardinality(sort);
  std::vector<Value> values;
  switch (node.kind) {
    case SortKind::kBool: return {boolean(false), boolean(true)};
    case SortKind::kRoundingMode:
      for (uint64_t i = 0; i < size; ++i) values.push_back({ValueKind::kMode, 0, i});
      return values;
    case SortKind::kBitVec:
      for (uint64_t i = 0; i < size; ++i) values.push_back(ValueStore::small_bits(i, node.a));
      return values;
    case SortKind::kFloatingPoint: return list_floats({node.a, node.b});
    case SortKind::kFiniteField:
      for (uint64_t i = 0; i < size; ++i) values.push_back(values_.field(mpz_class(i)));
      return values;
    case SortKind::kUninterpreted: return universes_[sort.value].values;
    case SortKind::kFiniteSet:
    case SortKind::kSet: {
      const auto elements = all(children[0]);
      for (uint64_t mask = 0; mask < size; ++mask) {
        std::vector<Value> members;
        for (size_t i = 0; i < elements.size(); ++i) {
          if (((mask >> i) & 1) != 0) members.push_back(elements[i]);
        }
        values.push_back(values_.set(std::move(members)));
      }
      return values;
    }
    case SortKind::kNullable: values.push_back(values_.data(ir::FunId{}, {})); [[fallthrough]];
    case SortKind::kTuple:
      for_each_row(children, [&](std::span<const Value> row) {
        values.push_back(values_.data(ir::FunId{}, row));
      });
      return values;
    case SortKind::kDatatype:
      for (const ir::Constructor& constructor :
           terms_.datatype(ir::DatatypeId{node.a}).constructors) {
        for_each_row(field_sorts(sort, constructor.fun), [&](std::span<const Value> row) {
          values.push_back(values_.data(constructor.fun, row));
        });
      }
      return values;
    case SortKind::kArray:
    case SortKind::kFunction: return list_functions(children);
    default: return {};
  }
}

// The sorts of a constructor's fields for an instance of its datatype, where they can be told.
std::vector<SortId> Domains::field_sorts(SortId instance, ir::FunId constructor) const {
  const ir::SortNode& owner = terms_.sorts()[instance];
  const auto& parameters = terms_.datatype(ir::DatatypeId{owner.a}).parameters;
  const auto actual = terms_.sorts().children(instance);
  std::vector<SortId> sorts;
  for (const SortId field : terms_.params(constructor)) {
    const auto found = std::find(parameters.begin(), parameters.end(), field);
    const auto at = static_cast<size_t>(found - parameters.begin());
    sorts.push_back(found == parameters.end() ? field : actual[at]);
  }
  return sorts;
}

std::vector<Value> Domains::list_floats(num::FloatFormat format) {
  std::vector<Value> values;
  if (!num::is_supported(format)) return values;
  const uint64_t patterns = uint64_t{1} << (format.exponent + format.significand);
  for (uint64_t i = 0; i < patterns; ++i) {
    const auto value = num::Float::from_bits(format, mpz_class(i));
    if (!value.is_nan()) values.push_back(values_.floating(value));
  }
  values.push_back(values_.floating(num::Float::nan(format)));
  return values;
}

std::vector<Value> Domains::list_functions(std::span<const SortId> sorts) {
  const auto parameters = sorts.first(sorts.size() - 1);
  std::vector<std::vector<Value>> keys;
  for_each_row(parameters,
               [&](std::span<const Value> row) { keys.emplace_back(row.begin(), row.end()); });
  std::vector<Value> values;
  if (keys.empty()) {
    // Too many arguments to list: there is only one function because there is only one result.
    for_each_row(sorts.last(1), [&](std::span<const Value> row) {
      values.push_back(function(parameters, {}, row.front()));
    });
    return values;
  }
  const std::vector<SortId> results(keys.size(), sorts.back());
  for_each_row(results, [&](std::span<const Value> row) {
    std::vector<std::vector<Value>> entries = keys;
    for (size_t i = 0; i < keys.size(); ++i) entries[i].push_back(row[i]);
    values.push_back(function(parameters, std::move(entries), row.front()));
  });
  return values;
}

// Calls with every choice of values for the sorts, all of which can be listed.
void Domains::for_each_row(std::span<const SortId> sorts,
                           const std::function<void(std::span<const Value>)>& use) {
  std::vector<std::vector<Value>> choices;
  for (const SortId sort : sorts) {
    const auto values = all(sort);
    if (values.empty()) return;
    choices.emplace_back(values.begin(), values.end());
  }
  std::vector<size_t> at(sorts.size(), 0);
  std::vector<Value> row(sorts.size());
  for (;;) {
    for (size_t i = 0; i < row.size(); ++i) row[i] = choices[i][at[i]];
    use(row);
    size_t i = 0;
    while (i < at.size() && ++at[i] == choices[i].size()) at[i++] = 0;
    if (i == at.size()) return;
  }
}

// --- Some. ---

std::span<const Value> Domains::samples(SortId sort) {
  const auto known = samples_.find(sort.value);
  if (known != samples_.end()) return known->second;
  std::vector<Value> values;
  const ir::SortNode& node = terms_.sorts()[sort];
  switch (node.kind) {
    case SortKind::kInt:
      for (const int64_t i : {0, 1, -1, 2, -2, 3, 7, 10, 100, -100, 1'000'000}) {
        values.push_back(ValueStore::integer(i));
      }
      break;
    case SortKind::kReal:
      for (const char* text : {"0", "1", "-1", "1/2", "-1/2", "1/3", "2", "10", "-1000"}) {
        values.push_back(values_.real(mpq_class(text)));
      }
      break;
    case SortKind::kBitVec:
      for (const int i : {0, 1, 2, -1, -2}) values.push_back(values_.bits(mpz_class(i), node.a));
      values.push_back(values_.bits(mpz_class(1) << (node.a - 1), node.a));
      break;
    case SortKind::kString:
      for (const char32_t* text : {U"", U"a", U"b", U"0", U"ab", U"A"}) {
        values.push_back(values_.string(text));
      }
      break;
    case SortKind::kFloatingPoint: values = sample_floats({node.a, node.b}); break;
    case SortKind::kUninterpreted: {
      constexpr size_t kMost = 64;
      const auto& elements = universes_[sort.value].values;
      values.assign(elements.begin(), elements.begin() + std::min(elements.size(), kMost));
      break;
    }
    default: break;
  }
  const Value one = any(sort);
  if (one.known() && std::find(values.begin(), values.end(), one) == values.end()) {
    values.push_back(one);
  }
  return samples_[sort.value] = std::move(values);
}

std::vector<Value> Domains::sample_floats(num::FloatFormat format) {
  if (!num::is_supported(format)) return {};
  std::vector<Value> values;
  for (const char* text : {"1", "-1", "1/2", "3", "-1000", "1/3"}) {
    const mpq_class number(text);
    values.push_back(
        values_.floating(num::Float::from_rational(format, num::RoundingMode::kRne, number)));
  }
  for (const bool negative : {false, true}) {
    values.push_back(values_.floating(num::Float::zero(format, negative)));
    values.push_back(values_.floating(num::Float::infinity(format, negative)));
  }
  values.push_back(values_.floating(num::Float::nan(format)));
  return values;
}

Value Domains::any(SortId sort) {
  const auto known = any_.find(sort.value);
  if (known != any_.end()) return known->second;
  const Value none = values_.unknown("no value of the sort is at hand");
  if (depth_ == kMaxHeight) return none;
  any_[sort.value] = none;  // while it is looked for
  ++depth_;
  const Value value = find_any(sort);
  --depth_;
  return any_[sort.value] = value;
}

Value Domains::find_any(SortId sort) {
  const ir::SortNode& node = terms_.sorts()[sort];
  const auto children = terms_.sorts().children(sort);
  switch (node.kind) {
    case SortKind::kBool: return boolean(false);
    case SortKind::kInt: return ValueStore::integer(int64_t{0});
    case SortKind::kReal: return values_.real(mpq_class(0));
    case SortKind::kString: return values_.string({});
    case SortKind::kRegLan: return ValueStore::regex(values_.regexes().none());
    case SortKind::kRoundingMode: return ValueStore::mode(num::RoundingMode::kRne);
    case SortKind::kChar: return ValueStore::character('a');
    case SortKind::kBitVec: return values_.bits(0, node.a);
    case SortKind::kFloatingPoint:
      if (!num::is_supported({node.a, node.b})) break;
      return values_.floating(num::Float::zero({node.a, node.b}, false));
    case SortKind::kFiniteField: return values_.field(0);
    case SortKind::kSeq: return values_.sequence({});
    case SortKind::kFiniteSet:
    case SortKind::kSet: return values_.set({});
    case SortKind::kBag: return values_.bag({});
    case SortKind::kArray:
    case SortKind::kFunction: {
      const Value result = any(children.back());
      if (!result.known()) return result;
      return function(children.first(children.size() - 1), {}, result);
    }
    case SortKind::kTuple: return any_row(ir::FunId{}, children);
    case SortKind::kUninterpreted: {
      const auto universe = universes_.find(sort.value);
      if (universe != universes_.end() && !universe->second.values.empty()) {
        return universe->second.values.front();
      }
      return ValueStore::element(sort, 0);
    }
    case SortKind::kDatatype: {
      const ir::Datatype& datatype = terms_.datatype(ir::DatatypeId{node.a});
      for (const ir::Constructor& constructor : datatype.constructors) {
        const Value value = any_row(constructor.fun, field_sorts(sort, constructor.fun));
        if (value.known()) return value;
      }
      break;
    }
    default: break;
  }
  return values_.unknown("no value of the sort is at hand");
}

Value Domains::any_row(ir::FunId constructor, std::span<const SortId> sorts) {
  std::vector<Value> fields;
  for (const SortId sort : sorts) {
    fields.push_back(any(sort));
    if (!fields.back().known()) return fields.back();
  }
  return values_.data(constructor, fields);
}

// --- Others. ---

Value Domains::other_than(SortId sort, std::span<const Value> values) {
  return other_than(sort, values, 0);
}

Value Domains::other_than(SortId sort, std::span<const Value> values, int depth) {
  switch (terms_.sorts().kind(sort)) {
    case SortKind::kInt: {
      mpz_class largest = 0;
      for (const Value& value : values) largest = std::max(largest, values_.big_integer(value));
      return values_.integer(mpz_class(largest + 1));
    }
    case SortKind::kReal: {
      mpz_class largest = 0;
      for (const Value& value : values) {
        largest = std::max(largest, values_.exact_real(value).floor());
      }
      return values_.real(mpq_class(largest + 1));
    }
    case SortKind::kString: {
      size_t longest = 0;
      for (const Value& value : values) longest = std::max(longest, values_.string(value).size());
      return values_.string(std::u32string(longest + 1, U'a'));
    }
    case SortKind::kBitVec: {
      const uint32_t width = terms_.sorts()[sort].a;
      for (uint64_t i = 0; i <= values.size(); ++i) {
        const Value value = values_.bits(mpz_class(i), width);
        if (std::find(values.begin(), values.end(), value) == values.end()) return value;
      }
      break;
    }
    case SortKind::kDatatype: return other_data(sort, values, depth);
    default: break;
  }
  return values_.unknown("no other value of the sort is at hand");
}

// Differs from all the others in one field.
Value Domains::other_data(SortId sort, std::span<const Value> values, int depth) {
  constexpr int kMaxDepth = 4;
  const ir::Datatype& datatype = terms_.datatype(ir::DatatypeId{terms_.sorts()[sort].a});
  for (const ir::Constructor& constructor : datatype.constructors) {
    const auto params = field_sorts(sort, constructor.fun);
    for (size_t i = 0; i < params.size() && depth < kMaxDepth; ++i) {
      std::vector<Value> taken;
      for (const Value& value : values) {
        if (ValueStore::constructor(value) == constructor.fun) {
          taken.push_back(values_.items(value)[i]);
        }
      }
      const Value fresh = other_than(params[i], taken, depth + 1);
      const Value row = any_row(constructor.fun, params);
      if (!fresh.known() || !row.known()) continue;
      const auto items = values_.items(row);
      std::vector<Value> fields(items.begin(), items.end());
      fields[i] = fresh;
      return values_.data(constructor.fun, fields);
    }
  }
  return values_.unknown("no other value of the sort is at hand");
}

}  // namespace elenchus::eval
