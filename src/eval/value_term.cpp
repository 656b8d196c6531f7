#include "eval/value_term.h"

#include <string>
#include <vector>

#include "ir/apply.h"
#include "num/algebraic_text.h"
#include "num/literal.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

class Writer {
 public:
  Writer(ir::TermStore& terms, const ValueStore& values) : terms_(terms), values_(values) {}

  // Nested values are written from the inside out, on a stack of our own.
  TermId write(const Value& value, SortId sort) {
    todo_.push_back({value, sort, false});
    while (!todo_.empty()) {
      Task& task = todo_.back();
      if (!task.is_open) {
        task.is_open = true;
        task.done = static_cast<uint32_t>(done_.size());
        if (!open(Task(task))) return {};
        continue;
      }
      const Task finished = task;
      todo_.pop_back();
      const std::vector<TermId> parts(done_.begin() + finished.done, done_.end());
      done_.resize(finished.done);
      const TermId term = close(finished, parts);
      if (!term.valid()) return {};
      done_.push_back(term);
    }
    return done_.back();
  }

 private:
  struct Task {
    Value value;
    SortId sort;
    bool is_open = false;
    uint32_t done = 0;
  };

  // The last is written first.
  void want(std::span<const Value> values, std::span<const SortId> sorts) {
    for (size_t i = values.size(); i-- > 0;) todo_.push_back({values[i], sorts[i]});
  }
  void want_all(std::span<const Value> values, SortId sort) {
    for (size_t i = values.size(); i-- > 0;) todo_.push_back({values[i], sort});
  }

  bool open(const Task& task);
  bool open_function(const Task& task);
  bool open_predicate(const Task& task);
  bool field_sorts(const Task& task, std::vector<SortId>& sorts);
  TermId close(const Task& task, std::span<const TermId> parts);
  TermId close_data(const Task& task, std::span<const TermId> parts);
  TermId close_array(const Task& task, std::span<const TermId> parts);
  TermId close_set(const Task& task, std::span<const TermId> parts);

  TermId apply(Op op, std::vector<TermId> args, std::vector<uint32_t> indices = {},
               SortId as = {}) {
    const Op ops[] = {op};
    return ir::apply(terms_, {ops, indices, as}, args);
  }
  TermId integer(const mpz_class& value);
  TermId whole_real(const mpz_class& value);
  TermId real(const Value& value);
  TermId bits(const mpz_class& value, uint32_t width);
  TermId floating(const num::Float& value);
  // f of the parts, from the left; `empty` of none.
  TermId fold(Op op, std::span<const TermId> parts, Op empty, SortId sort);

  ir::TermStore& terms_;
  const ValueStore& values_;
  std::vector<Task> todo_;
  std::vector<TermId> done_;
};

// --- Scalars. ---

TermId Writer::integer(const mpz_class& value) {
  const TermId digits = terms_.int_literal(mpz_class(abs(value)).get_str());
  return value < 0 ? apply(Op::kNeg, {digits}) : digits;
}

TermId Writer::whole_real(const mpz_class& value) {
  const TermId digits = terms_.real_literal(mpz_class(abs(value)).get_str() + ".0");
  return value < 0 ? apply(Op::kNeg, {digits}) : digits;
}

TermId Writer::real(const Value& value) {
  const num::Real exact = values_.exact_real(value);
  if (const num::Algebraic* irrational = exact.irrational()) {
    const auto text = num::text_of(*irrational);
    if (!text) return {};
    const ir::SymbolId symbol = terms_.symbols().intern(*text);
    return terms_.make(Op::kAlgebraicLiteral, ir::kRealSort, symbol.value, {});
  }
  const mpq_class& rational = *exact.rational();
  const TermId numerator = whole_real(rational.get_num());
  if (rational.get_den() == 1) return numerator;
  return apply(Op::kRealDiv, {numerator, whole_real(rational.get_den())});
}

TermId Writer::bits(const mpz_class& value, uint32_t width) {
  const std::string digits = value.get_str(2);
  return terms_.bits_literal(num::bits_literal(std::string(width - digits.size(), '0') + digits));
}

TermId Writer::floating(const num::Float& value) {
  const auto [exponent, significand] = value.format();
  if (value.is_nan()) return apply(Op::kFpNan, {}, {exponent, significand});
  const mpz_class all = value.to_bits();
  const auto part = [&](uint32_t low, uint32_t width) {
    mpz_class cut = all >> low;
    mpz_fdiv_r_2exp(cut.get_mpz_t(), cut.get_mpz_t(), width);
    return bits(cut, width);
  };
  const uint32_t fraction = significand - 1;
  return apply(Op::kFp,
               {part(exponent + fraction, 1), part(fraction, exponent), part(0, fraction)});
}

// --- Compounds. ---

// The sorts of a datatype's fields, for the instance that the value belongs to.
bool Writer::field_sorts(const Task& task, std::vector<SortId>& sorts) {
  const ir::FunId constructor = ValueStore::constructor(task.value);
  const auto children = terms_.sorts().children(task.sort);
  if (!constructor.valid()) {
    const size_t count = values_.items(task.value).size();
    sorts.assign(children.begin(), children.end());
    return sorts.size() >= count;
  }
  ir::SortBindings bindings;
  const ir::Datatype& datatype = terms_.datatype(terms_.fun(constructor).datatype);
  for (size_t i = 0; i < datatype.parameters.size() && i < children.size(); ++i) {
    bindings.emplace_back(datatype.parameters[i], children[i]);
  }
  const auto params = terms_.params(constructor);
  for (const SortId param : std::vector<SortId>(params.begin(), params.end())) {
    sorts.push_back(ir::substitute_sort(terms_.sorts(), param, bindings));
  }
  return true;
}

bool Writer::open_function(const Task& task) {
  const Function& function = values_.function(task.value);
  if (function.lambda.valid() || terms_.sorts().kind(task.sort) != SortKind::kArray) return false;
  const auto children = terms_.sorts().children(task.sort);
  const auto entries = values_.entries(function);
  for (size_t i = entries.size(); i-- > 0;) {
    todo_.push_back({entries[i], children[i % children.size()]});
  }
  // A table of everything has no default: any of its results will do.
  todo_.push_back({function.is_total ? entries.back() : function.otherwise, children.back()});
  return true;
}

// A set as an array of Booleans: the default, then what differs.
bool Writer::open_predicate(const Task& task) {
  if (terms_.sorts().kind(task.sort) != SortKind::kArray) return false;
  const bool otherwise = ValueStore::is_complement(task.value);
  const auto listed = values_.items(task.value);
  for (size_t i = listed.size(); i-- > 0;) {
    todo_.push_back({boolean(!otherwise), ir::kBoolSort});
    todo_.push_back({listed[i], terms_.sorts().children(task.sort)[0]});
  }
  todo_.push_back({boolean(otherwise), ir::kBoolSort});
  return true;
}

bool Writer::open(const Task& task) {
  const auto children = terms_.sorts().children(task.sort);
  switch (task.value.kind) {
    case ValueKind::kUnknown:
    case ValueKind::kRegex: return false;
    case ValueKind::kData: {
      std::vector<SortId> sorts;
      if (!field_sorts(task, sorts)) return false;
      want(values_.items(task.value), sorts);
      return true;
    }
    case ValueKind::kSet:
      if (terms_.sorts().kind(task.sort) == SortKind::kFiniteSet) {
        if (ValueStore::is_complement(task.value)) return false;
      } else if (terms_.sorts().kind(task.sort) != SortKind::kSet) {
        return open_predicate(task);
      }
      [[fallthrough]];
    case ValueKind::kSeq: want_all(values_.items(task.value), children[0]); return true;
    case ValueKind::kBag: {
      const auto items = values_.items(task.value);
      for (size_t i = items.size(); i-- > 0;) {
        todo_.push_back({items[i], i % 2 == 0 ? children[0] : ir::kIntSort});
      }
      return true;
    }
    case ValueKind::kFunction: return open_function(task);
    default: return true;
  }
}

TermId Writer::fold(Op op, std::span<const TermId> parts, Op empty, SortId sort) {
  if (parts.empty()) return apply(empty, {}, {}, sort);
  if (parts.size() == 1) return parts[0];
  return apply(op, {parts.begin(), parts.end()});
}

TermId Writer::close_data(const Task& task, std::span<const TermId> parts) {
  const ir::FunId constructor = ValueStore::constructor(task.value);
  std::vector<TermId> args(parts.begin(), parts.end());
  if (constructor.valid()) {
    return ir::call(terms_, constructor, args,
                    terms_.fun(constructor).needs_as ? task.sort : SortId{});
  }
  if (terms_.sorts().kind(task.sort) == SortKind::kNullable) {
    return args.empty() ? apply(Op::kNullableNull, {}, {}, task.sort)
                        : apply(Op::kNullableSome, std::move(args));
  }
  return apply(Op::kTuple, std::move(args));
}

TermId Writer::close_array(const Task& task, std::span<const TermId> parts) {
  TermId array = apply(Op::kConstArray, {parts[0]}, {}, task.sort);
  const size_t width = terms_.sorts().children(task.sort).size();
  for (size_t i = 1; i < parts.size() && array.valid(); i += width) {
    std::vector<TermId> args = {array};
    args.insert(args.end(), parts.begin() + static_cast<ptrdiff_t>(i),
                parts.begin() + static_cast<ptrdiff_t>(i + width));
    array = apply(Op::kStore, std::move(args));
  }
  return array;
}

TermId Writer::close_set(const Task& task, std::span<const TermId> parts) {
  const SortKind kind = terms_.sorts().kind(task.sort);
  if (kind == SortKind::kArray) return close_array(task, parts);
  const bool is_finite = kind == SortKind::kFiniteSet;
  const Op unit = is_finite ? Op::kFiniteSetSingleton : Op::kSetSingleton;
  std::vector<TermId> units;
  for (const TermId part : parts) units.push_back(apply(unit, {part}));
  if (is_finite) return fold(Op::kFiniteSetUnion, units, Op::kFiniteSetEmpty, task.sort);
  const TermId set = fold(Op::kSetUnion, units, Op::kSetEmpty, task.sort);
  return ValueStore::is_complement(task.value) ? apply(Op::kSetComplement, {set}) : set;
}

TermId Writer::close(const Task& task, std::span<const TermId> parts) {
  const Value& value = task.value;
  switch (value.kind) {
    case ValueKind::kBool: return apply(value.is_true() ? Op::kTrue : Op::kFalse, {});
    case ValueKind::kInt: return integer(values_.big_integer(value));
    case ValueKind::kReal: return real(value);
    case ValueKind::kBits: return bits(values_.big_bits(value), ValueStore::width(value));
    case ValueKind::kFloat: return floating(values_.floating(value));
    case ValueKind::kMode: {
      constexpr Op kModes[] = {Op::kRmRne, Op::kRmRna, Op::kRmRtp, Op::kRmRtn, Op::kRmRtz};
      return apply(kModes[value.word], {});
    }
    case ValueKind::kChar: return apply(Op::kCharLiteral, {}, {static_cast<uint32_t>(value.word)});
    case ValueKind::kString:
      return terms_.string_literal(num::encode_string(values_.string(value)));
    case ValueKind::kField: {
      const auto digits = terms_.symbols().intern(values_.field(value).get_str());
      return terms_.make(Op::kFieldLiteral, task.sort, digits.value, {});
    }
    case ValueKind::kElement: {
      const ir::FunId element{static_cast<uint32_t>(value.word)};
      return element.valid() ? ir::call(terms_, element, {}) : TermId{};
    }
    case ValueKind::kData: return close_data(task, parts);
    case ValueKind::kSeq: {
      std::vector<TermId> units;
      for (const TermId part : parts) units.push_back(apply(Op::kSeqUnit, {part}));
      return fold(Op::kSeqConcat, units, Op::kSeqEmpty, task.sort);
    }
    case ValueKind::kSet: return close_set(task, parts);
    case ValueKind::kBag: {
      std::vector<TermId> units;
      for (size_t i = 0; i < parts.size(); i += 2) {
        units.push_back(apply(Op::kBag, {parts[i], parts[i + 1]}));
      }
      return fold(Op::kBagUnionDisjoint, units, Op::kBagEmpty, task.sort);
    }
    case ValueKind::kFunction: return close_array(task, parts);
    default: return {};
  }
}

}  // namespace

TermId term_of(ir::TermStore& terms, const ValueStore& values, const Value& value, SortId sort) {
  return Writer(terms, values).write(value, sort);
}

bool is_plain(const ir::TermStore& terms, ir::Walker& walker, TermId value) {
  walker.restart();
  return !walker.find(value, [&](TermId part) {
    switch (terms.op(part)) {
      case Op::kAlgebraicLiteral:
      case Op::kLambda:
      case Op::kFunRef:
      case Op::kSetComplement: return true;
      case Op::kCall: return terms.fun(terms.callee(part)).kind != ir::FunKind::kConstructor;
      default: return false;
    }
  });
}

}  // namespace elenchus::eval
