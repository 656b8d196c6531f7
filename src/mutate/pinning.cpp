#include "mutate/pinning.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "num/literal.h"

namespace elenchus::mutate {

using eval::Value;
using eval::ValueKind;
using eval::ValueStore;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr uint32_t kMaxSlices = 4;
// Longer strings are not spelled out.
constexpr size_t kMaxSpelled = 8;
// Fields of fields of a value are pinned one by one down to this depth; below it, each as a whole.
constexpr uint32_t kMaxFieldDepth = 3;

}  // namespace

TermId Pinner::apply(Op op, std::initializer_list<TermId> args,
                     std::initializer_list<uint32_t> indices) {
  return ir::apply_if_all(store_, op, args, {indices.begin(), indices.size()});
}

bool Pinner::say(TermId formula) {
  if (!formula.valid()) return false;
  forcing_.formulas.push_back(formula);
  return true;
}

// --- Values as terms. ---

TermId Pinner::term_of(const Value& value, SortId sort) {
  if (value.kind == ValueKind::kElement) return element(value, sort);
  const TermId term = eval::term_of(store_, values_, value, sort);
  return term.valid() && eval::is_plain(store_, walker_, term) ? term : TermId{};
}

TermId Pinner::element(const Value& value, SortId sort) {
  const auto known = elements_.find(value);
  if (known != elements_.end()) return known->second;
  const TermId constant = declare("elem", value, sort);
  if (!constant.valid()) return {};
  elements_.emplace(value, constant);
  auto universe = std::find_if(universes_.begin(), universes_.end(),
                               [&](const auto& known_sort) { return known_sort.first == sort; });
  if (universe == universes_.end()) {
    universes_.emplace_back(sort, std::vector<TermId>());
    universe = std::prev(universes_.end());
  }
  universe->second.push_back(constant);
  return constant;
}

TermId Pinner::integer(const mpz_class& value) {
  return eval::term_of(store_, values_, values_.integer(value), ir::kIntSort);
}

// A constant of a name that nothing has. None when the model has no term for its value.
TermId Pinner::declare(std::string_view prefix, const Value& value, SortId sort) {
  const TermId body = eval::term_of(store_, values_, value, sort);
  if (!body.valid()) return {};
  const FunId fun = ir::fresh_constant(store_, std::string(prefix) + "!", next_name_, sort);
  forcing_.constants.push_back(fun);
  forcing_.definitions.push_back({fun, {{}, body}});
  return ir::call(store_, fun, {});
}

Forcing Pinner::take() {
  for (const auto& [sort, constants] : universes_) {
    if (constants.size() > 1) say(ir::apply(store_, Op::kDistinct, constants));
  }
  return std::move(forcing_);
}

// --- Ways to say it. ---

bool Pinner::pin(TermId term, const Value& value, uint32_t depth) {
  const TermId plain = term_of(value, store_.sort(term));
  if (!plain.valid() || !pin_in_some_way(term, value, plain, depth)) return false;
  if (value.kind == ValueKind::kInt) numbers_.push_back({term, values_.big_integer(value)});
  return true;
}

bool Pinner::pin_in_some_way(TermId term, const Value& value, TermId plain, uint32_t depth) {
  constexpr uint32_t kNameOneIn = 6;
  if (rng_.one_in(kNameOneIn)) return pin_by_name(term, value, plain);
  switch (store_.sorts().kind(store_.sort(term))) {
    case SortKind::kBool: return say(value.is_true() ? term : apply(Op::kNot, {term}));
    case SortKind::kInt: return pin_integer(term, value, plain);
    case SortKind::kReal:
      if (rng_.coin()) return pin_between(term, plain, Op::kLe, Op::kGe);
      break;
    case SortKind::kBitVec: return pin_bits(term, value, plain);
    case SortKind::kString: return pin_string(term, value, plain);
    case SortKind::kFloatingPoint: return pin_float(term, value, plain);
    case SortKind::kDatatype:
      if (depth < kMaxFieldDepth && rng_.coin()) return pin_fields(term, value, depth);
      break;
    default: break;
  }
  return say(Op::kEq, {term, plain});
}

bool Pinner::pin_by_name(TermId term, const Value& value, TermId plain) {
  const TermId name = declare("val", value, store_.sort(term));
  return say(Op::kEq, {name, plain}) && say(Op::kEq, {term, name});
}

bool Pinner::pin_between(TermId term, TermId plain, Op at_most, Op at_least) {
  return say(at_most, {term, plain}) && say(at_least, {term, plain});
}

bool Pinner::pin_integer(TermId term, const Value& value, TermId plain) {
  const mpz_class number = values_.big_integer(value);
  switch (rng_.below(4)) {
    case 0: return say(Op::kEq, {term, plain});
    case 1: return pin_between(term, plain, Op::kLe, Op::kGe);
    case 2: {
      const TermId above = integer(number + 1);
      const TermId below = integer(number - 1);
      return say(Op::kLt, {term, above}) && say(Op::kGt, {term, below});
    }
    default: return pin_sum(term, number);
  }
}

// By its sum with a number that is pinned already: the other way round nothing would be.
bool Pinner::pin_sum(TermId term, const mpz_class& value) {
  if (numbers_.empty()) return say(Op::kEq, {term, integer(value)});
  const Number& other = numbers_[rng_.below(numbers_.size())];
  const TermId sum = apply(Op::kAdd, {term, other.term});
  return say(Op::kEq, {sum, integer(value + other.value)});
}

bool Pinner::pin_bits(TermId term, const Value& value, TermId plain) {
  switch (rng_.below(4)) {
    case 0: return say(Op::kEq, {term, plain});
    case 1: return pin_between(term, plain, Op::kBvUle, Op::kBvUge);
    case 2: return pin_between(term, plain, Op::kBvSle, Op::kBvSge);
    default: return pin_slices(term, value);
  }
}

bool Pinner::pin_slices(TermId term, const Value& value) {
  const mpz_class all = values_.big_bits(value);
  uint32_t end = ValueStore::width(value);
  for (uint32_t slice = 1; end > 0; ++slice) {
    const uint32_t low = slice == kMaxSlices ? 0 : static_cast<uint32_t>(rng_.below(end));
    const uint32_t width = end - low;
    const SortId sort = store_.sorts().bit_vec(width);
    const Value part = values_.bits(mpz_class(all >> low), width);
    const TermId extracted = apply(Op::kBvExtract, {term}, {end - 1, low});
    if (!say(Op::kEq, {extracted, eval::term_of(store_, values_, part, sort)})) return false;
    end = low;
  }
  return true;
}

bool Pinner::pin_string(TermId term, const Value& value, TermId plain) {
  const std::u32string text = values_.string(value);
  const TermId length = integer(mpz_class(static_cast<unsigned long>(text.size())));
  switch (rng_.below(5)) {
    case 0: return say(Op::kEq, {term, plain});
    case 1: return say(Op::kStrInRe, {term, apply(Op::kStrToRe, {plain})});
    case 2:
      if (text.size() <= kMaxSpelled) return pin_characters(term, text);
      [[fallthrough]];
    case 3:
      return say(Op::kStrPrefixof, {plain, term}) &&
             say(Op::kEq, {apply(Op::kStrLen, {term}), length});
    default:
      return say(Op::kStrSuffixof, {plain, term}) &&
             say(Op::kEq, {apply(Op::kStrLen, {term}), length});
  }
}

bool Pinner::pin_characters(TermId term, const std::u32string& text) {
  const TermId length = integer(mpz_class(static_cast<unsigned long>(text.size())));
  if (!say(Op::kEq, {apply(Op::kStrLen, {term}), length})) return false;
  for (uint32_t i = 0; i < text.size(); ++i) {
    const TermId at = apply(Op::kStrAt, {term, store_.small_int(i)});
    const TermId character = store_.string_literal(num::encode_string(text.substr(i, 1)));
    if (!say(Op::kEq, {at, character})) return false;
  }
  return true;
}

// The order of floats knows neither NaN nor the difference of the zeros.
bool Pinner::pin_float(TermId term, const Value& value, TermId plain) {
  if (rng_.coin()) return say(Op::kEq, {term, plain});
  const num::Float number = values_.floating(value);
  if (number.is_nan()) return say(Op::kFpIsNan, {term});
  if (number.is_zero()) {
    const Op sign = number.is_negative() ? Op::kFpIsNegative : Op::kFpIsPositive;
    return say(Op::kFpIsZero, {term}) && say(sign, {term});
  }
  return pin_between(term, plain, Op::kFpLeq, Op::kFpGeq);
}

bool Pinner::pin_fields(TermId term, const Value& value, uint32_t depth) {
  const FunId constructor = ValueStore::constructor(value);
  if (!say(apply(Op::kIs, {term}, {constructor.value}))) return false;
  const ir::FunDecl& decl = store_.fun(constructor);
  const auto selectors = store_.datatype(decl.datatype).constructors[decl.constructor].selectors;
  const auto fields = values_.items(value);
  for (size_t i = 0; i < selectors.size(); ++i) {
    std::array<TermId, 1> args = {term};
    const TermId field = ir::call(store_, selectors[i], args);
    if (!field.valid() || !pin(field, fields[i], depth + 1)) return false;
  }
  return true;
}

}  // namespace elenchus::mutate
