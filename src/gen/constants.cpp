#include "gen/constants.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ir/apply.h"
#include "num/literal.h"
#include "num/random_bits.h"

namespace elenchus::gen {
namespace {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

// Values inside values of recursive sorts are cut off here.
constexpr uint32_t kMaxDepth = 4;
// Wider bit-vectors get zeros and ones only: a literal must not be a megabyte.
constexpr uint32_t kMaxWidth = 4096;

class Constants {
 public:
  Constants(ir::TermStore& store, base::Rng& rng) : store_(store), rng_(rng) {}

  TermId of(SortId sort, uint32_t depth = 0) {
    if (depth > kMaxDepth) return {};
    const ir::SortNode node = store_.sorts()[sort];
    switch (node.kind) {
      case SortKind::kBool: return leaf(rng_.coin() ? Op::kTrue : Op::kFalse, sort);
      case SortKind::kInt: return integer(any_integer());
      case SortKind::kReal: return real();
      case SortKind::kString: return string();
      case SortKind::kRegLan: return regex();
      case SortKind::kRoundingMode: return mode();
      case SortKind::kChar: return character();
      case SortKind::kBitVec: return bits(any_bits(node.a), node.a);
      case SortKind::kFloatingPoint: return floating(sort, node.a, node.b);
      case SortKind::kFiniteField: return field(sort);
      case SortKind::kArray: return over(Op::kConstArray, sort, depth, true);
      case SortKind::kSeq: return unit_or_empty(Op::kSeqUnit, Op::kSeqEmpty, sort, depth);
      case SortKind::kSet: return unit_or_empty(Op::kSetSingleton, Op::kSetEmpty, sort, depth);
      case SortKind::kFiniteSet:
        return unit_or_empty(Op::kFiniteSetSingleton, Op::kFiniteSetEmpty, sort, depth);
      case SortKind::kNullable:
        return unit_or_empty(Op::kNullableSome, Op::kNullableNull, sort, depth);
      case SortKind::kBag: return bag(sort, depth);
      case SortKind::kTuple: return tuple(sort, depth);
      case SortKind::kDatatype: return data(sort, depth);
      default: return {};
    }
  }

  TermId near(TermId literal) {
    switch (store_.op(literal)) {
      case Op::kIntLiteral: return near_integer(mpz_class(text(literal)));
      case Op::kRealLiteral: return near_real(literal);
      case Op::kBitsLiteral: return near_bits(literal);
      case Op::kStringLiteral: return near_string(num::decode_string(store_.literal_text(literal)));
      case Op::kNeg: {
        const TermId inner = store_.args(literal)[0];
        if (store_.op(inner) == Op::kIntLiteral) return near_integer(-mpz_class(text(inner)));
        return store_.op(inner) == Op::kRealLiteral ? near_real(inner) : TermId{};
      }
      case Op::kTrue: return leaf(Op::kFalse, ir::kBoolSort);
      case Op::kFalse: return leaf(Op::kTrue, ir::kBoolSort);
      default: return {};
    }
  }

 private:
  TermId leaf(Op op, SortId sort) { return store_.make(op, sort, 0, {}); }
  std::string text(TermId literal) const { return std::string(store_.literal_text(literal)); }

  // --- Numbers. ---

  mpz_class power_of_two() {
    constexpr std::array<uint32_t, 8> kCommon = {7, 8, 15, 16, 31, 32, 63, 64};
    const uint64_t exponent =
        rng_.coin() ? kCommon[rng_.below(kCommon.size())] : 1 + rng_.below(80);
    return mpz_class(1) << exponent;
  }

  // One draw after the other, here and below: compilers order operands and arguments as they like.
  mpz_class any_integer() {
    switch (rng_.below(8)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return -1;
      case 3: return 2;
      case 4: return static_cast<long>(rng_.between(-16, 16));
      case 5: return static_cast<long>(rng_.between(-1000, 1000));
      default: {
        const auto offset = static_cast<long>(rng_.between(-1, 1));
        const mpz_class value = power_of_two() + offset;
        return rng_.coin() ? mpz_class(-value) : value;
      }
    }
  }

  TermId integer(const mpz_class& value) {
    const TermId digits = value.fits_uint_p() && value < ir::TermStore::kSmallInts
                              ? store_.small_int(static_cast<uint32_t>(value.get_ui()))
                              : store_.int_literal(mpz_class(abs(value)).get_str());
    return value < 0 ? negated(digits, ir::kIntSort) : digits;
  }

  TermId negated(TermId term, SortId sort) {
    const TermId args[] = {term};
    return store_.make(Op::kNeg, sort, 0, args);
  }

  TermId decimal(const mpz_class& value, std::string_view fraction) {
    const TermId digits = store_.real_literal(
        num::canonical_decimal(mpz_class(abs(value)).get_str() + "." + std::string(fraction)));
    return value < 0 ? negated(digits, ir::kRealSort) : digits;
  }

  TermId real() {
    constexpr std::array<std::string_view, 6> kFractions = {"5", "1", "25", "0001", "999", "125"};
    constexpr uint64_t kFractionOneIn = 3;  // most constants in scripts are whole numbers
    const std::string_view fraction =
        rng_.one_in(kFractionOneIn) ? kFractions[rng_.below(kFractions.size())] : "0";
    return decimal(any_integer(), fraction);
  }

  TermId near_integer(const mpz_class& value) {
    switch (rng_.below(5)) {
      case 0: return integer(value - 1);
      case 1: return integer(-value);
      case 2: return integer(2 * value);
      default: return integer(value + 1);
    }
  }

  TermId near_real(TermId literal) {
    const std::string digits = text(literal);
    const size_t dot = digits.find('.');
    const mpz_class whole(digits.substr(0, dot));
    const std::string fraction = digits.substr(dot + 1);
    switch (rng_.below(5)) {
      case 0: return decimal(whole - 1, fraction);
      case 1: return negated(literal, ir::kRealSort);
      case 2: return decimal(whole, fraction + "1");
      default: return decimal(whole + 1, fraction);
    }
  }

  // --- Bit-vectors and floats. ---

  mpz_class any_bits(uint32_t width) {
    if (width > kMaxWidth) return static_cast<long>(rng_.below(2));
    const mpz_class one = 1;
    switch (rng_.below(9)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return (one << width) - 1;
      case 3: return one << (width - 1);
      case 4: return (one << (width - 1)) - 1;
      case 5: return one << rng_.below(width);
      case 6: {
        mpz_class own = width;  // a shift by it leaves nothing
        mpz_fdiv_r_2exp(own.get_mpz_t(), own.get_mpz_t(), width);
        return own;
      }
      case 7: return rng_.coin() || width == 1 ? one : mpz_class(2);
      default: return num::random_bits(rng_, width);
    }
  }

  TermId bits(const mpz_class& value, uint32_t width) {
    if (width == 0 || width > num::kMaxLiteralWidth) return {};
    const std::string digits = value.get_str(2);
    return store_.bits_literal(num::bits_literal(std::string(width - digits.size(), '0') + digits));
  }

  TermId near_bits(TermId literal) {
    const std::string_view shown = store_.literal_text(literal);
    const uint32_t width = num::literal_width(shown);
    if (width > kMaxWidth) return {};
    mpz_class value(std::string(shown.substr(2)), shown[1] == 'x' ? 16 : 2);
    switch (rng_.below(5)) {
      case 0: value -= 1; break;
      case 1: value = -value; break;
      case 2: mpz_combit(value.get_mpz_t(), rng_.below(width)); break;
      case 3: value <<= 1; break;
      default: value += 1; break;
    }
    mpz_fdiv_r_2exp(value.get_mpz_t(), value.get_mpz_t(), width);
    return bits(value, width);
  }

  TermId special_float(Op op, SortId sort, uint32_t exponent, uint32_t significand) {
    const std::array<uint32_t, 2> indices = {exponent, significand};
    return store_.make(op, sort, store_.index_list(indices).value, {});
  }

  TermId floating(SortId sort, uint32_t exponent, uint32_t significand) {
    constexpr std::array<Op, 5> kSpecial = {Op::kFpNan, Op::kFpPlusInf, Op::kFpMinusInf,
                                            Op::kFpPlusZero, Op::kFpMinusZero};
    if (rng_.coin() || exponent + significand > kMaxWidth) {
      return special_float(kSpecial[rng_.below(kSpecial.size())], sort, exponent, significand);
    }
    const uint32_t fraction = significand - 1;
    const mpz_class one = 1;
    mpz_class high = (one << (exponent - 1)) - 1;  // the exponent of 1.0
    mpz_class low = 0;
    switch (rng_.below(6)) {
      case 0: high = 0, low = 1; break;                      // the least subnormal
      case 1: high = 0, low = (one << fraction) - 1; break;  // the largest subnormal
      case 2: high = 1; break;                               // the least normal
      case 3: high = (one << exponent) - 2, low = (one << fraction) - 1; break;  // the largest
      case 4: low = num::random_bits(rng_, fraction); break;                     // in [1, 2)
      default: break;
    }
    const TermId sign = bits(static_cast<long>(rng_.below(2)), 1);
    const TermId above = bits(high, exponent);
    const TermId below = bits(low, fraction);
    const TermId parts[] = {sign, above, below};
    return store_.make(Op::kFp, sort, 0, parts);
  }

  TermId mode() {
    constexpr std::array<Op, 5> kModes = {Op::kRmRne, Op::kRmRna, Op::kRmRtp, Op::kRmRtn,
                                          Op::kRmRtz};
    return leaf(kModes[rng_.below(kModes.size())], ir::kRoundingModeSort);
  }

  TermId field(SortId sort) {
    const mpz_class order(std::string(store_.symbols().text(ir::SymbolId{store_.sorts()[sort].a})));
    mpz_class value = static_cast<unsigned long>(rng_.below(4));
    constexpr uint64_t kLastOneIn = 3;  // one of the last elements instead of the first ones
    if (rng_.one_in(kLastOneIn)) value = order - 1 - value;
    value %= order;
    if (value < 0) value += order;
    return store_.make(Op::kFieldLiteral, sort, store_.symbols().intern(value.get_str()).value, {});
  }

  // --- Texts. ---

  TermId string_of(std::u32string_view characters) {
    return store_.string_literal(num::encode_string(characters));
  }

  TermId string() {
    constexpr std::array<std::u32string_view, 16> kTexts = {
        U"",    U"a", U"b",  U"ab", U"aa",      U"0",          U"-1",         U"10",
        U"007", U"A", U"\"", U"\\", U"\\u{61}", U"\U0001F600", U"\U0002FFFF", U"\x7f\xe9"};
    return string_of(kTexts[rng_.below(kTexts.size())]);
  }

  TermId near_string(std::u32string value) {
    switch (rng_.below(4)) {
      case 0:
        if (!value.empty()) value.erase(rng_.below(value.size()), 1);
        break;
      case 1: value += value; break;
      case 2:
        if (!value.empty()) value[rng_.below(value.size())] ^= 1;
        break;
      default: value += rng_.coin() ? U'a' : U'0'; break;
    }
    constexpr size_t kLong = 1000;
    if (value.size() > kLong) value.resize(kLong);
    for (char32_t& c : value) c = std::min<char32_t>(c, num::kMaxCharacter);
    return string_of(value);
  }

  TermId regex() {
    switch (rng_.below(5)) {
      case 0: return leaf(Op::kReNone, ir::kRegLanSort);
      case 1: return leaf(Op::kReAll, ir::kRegLanSort);
      case 2: return leaf(Op::kReAllchar, ir::kRegLanSort);
      case 3: {
        constexpr uint64_t kEmptyOneIn = 4;  // often a range without characters
        const TermId low = string_of(rng_.one_in(kEmptyOneIn) ? U"z" : U"a");
        const TermId high = string_of(rng_.coin() ? U"c" : U"\U0001F600");
        const TermId ends[] = {low, high};
        return store_.make(Op::kReRange, ir::kRegLanSort, 0, ends);
      }
      default: {
        const TermId word[] = {string()};
        return store_.make(Op::kStrToRe, ir::kRegLanSort, 0, word);
      }
    }
  }

  TermId character() {
    constexpr uint64_t kLastOneIn = 4;
    const std::array<uint32_t, 1> code = {
        static_cast<uint32_t>(rng_.one_in(kLastOneIn) ? num::kMaxCharacter : 'a' + rng_.below(3))};
    return store_.make(Op::kCharLiteral, ir::kCharSort, store_.index_list(code).value, {});
  }

  // --- Containers. ---

  // The operator on a value of the sort's last child.
  TermId over(Op op, SortId sort, uint32_t depth, bool last) {
    const auto children = store_.sorts().children(sort);
    // z3's arrays with several indices have no constant ones.
    if (children.size() > 2) return {};
    TermId value = of(last ? children.back() : children.front(), depth + 1);
    // cvc5 takes no negated number for a value in a constant array.
    const bool negated_value = value.valid() && store_.op(value) == Op::kNeg;
    if (op == Op::kConstArray && negated_value) value = store_.args(value)[0];
    const TermId inner[] = {value};
    return inner[0].valid() ? store_.make(op, sort, 0, inner) : TermId{};
  }

  TermId unit_or_empty(Op unit, Op empty, SortId sort, uint32_t depth) {
    const TermId one = rng_.coin() ? over(unit, sort, depth, false) : TermId{};
    return one.valid() ? one : leaf(empty, sort);
  }

  TermId bag(SortId sort, uint32_t depth) {
    const TermId element =
        rng_.coin() ? of(store_.sorts().children(sort).front(), depth + 1) : TermId{};
    if (!element.valid()) return leaf(Op::kBagEmpty, sort);
    const TermId parts[] = {element, integer(static_cast<long>(rng_.between(-1, 3)))};
    return store_.make(Op::kBag, sort, 0, parts);
  }

  TermId tuple(SortId sort, uint32_t depth) {
    const auto children = store_.sorts().children(sort);
    const std::vector<SortId> sorts(children.begin(), children.end());
    std::vector<TermId> parts;
    for (const SortId child : sorts) {
      parts.push_back(of(child, depth + 1));
      if (!parts.back().valid()) return {};
    }
    return store_.make(Op::kTuple, sort, 0, parts);
  }

  // A constructor with values for its fields; deep down, one without fields.
  TermId data(SortId sort, uint32_t depth) {
    const ir::DatatypeId id{store_.sorts()[sort].a};
    const size_t count = store_.datatype(id).constructors.size();
    const auto actual = store_.sorts().children(sort);
    ir::SortBindings bindings;
    for (size_t i = 0; i < actual.size(); ++i) {
      bindings.emplace_back(store_.datatype(id).parameters[i], actual[i]);
    }
    const size_t start = rng_.below(count);
    for (size_t i = 0; i < count; ++i) {
      const ir::FunId constructor = store_.datatype(id).constructors[(start + i) % count].fun;
      const auto params = store_.params(constructor);
      if (depth >= 2 && !params.empty()) continue;
      std::vector<TermId> args;
      for (const SortId param : params) {
        const SortId field = ir::substitute_sort(store_.sorts(), param, bindings);
        args.push_back(field.valid() ? of(field, depth + 1) : TermId{});
        if (!args.back().valid()) break;
      }
      if (args.size() != params.size() || (!args.empty() && !args.back().valid())) continue;
      return ir::call(store_, constructor, args,
                      store_.fun(constructor).needs_as ? sort : SortId{});
    }
    return {};
  }

  ir::TermStore& store_;
  base::Rng& rng_;
};

}  // namespace

TermId interesting_constant(ir::TermStore& store, base::Rng& rng, SortId sort) {
  return Constants(store, rng).of(sort);
}

TermId neighbour(ir::TermStore& store, base::Rng& rng, TermId literal) {
  return Constants(store, rng).near(literal);
}

}  // namespace elenchus::gen
