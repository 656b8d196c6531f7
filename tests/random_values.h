#pragma once

#include <gmpxx.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "ir/apply.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "num/algebraic_text.h"
#include "num/float.h"
#include "num/literal.h"
#include "num/random_bits.h"

namespace elenchus {

// Closed terms that denote values of a sort: literals, constructors, stores into constant arrays,
// lambdas. Boundaries come up more often than others. Regular expressions, which have no literals,
// are nested terms.
class RandomValues {
 public:
  RandomValues(ir::TermStore& store, base::Rng& rng) : store_(store), rng_(rng) {}

  // What the terms need declared. It must be in the store before the first draw.
  static constexpr std::string_view kPrelude =
      "(declare-datatypes ((E 0)) (((e1) (e2) (|e 3|))))"
      "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"
      "(declare-datatypes ((P 2)) ((par (X Y) ((pair (first X) (second Y)) (left (which X))))))"
      "(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (children Forest))) "
      "((bare) (grow (tree Tree) (rest Forest)))))"
      "(define-fun-rec f ((x Int)) Int (ite (= x 3) 5 (ite (= x 0) (- 2) 7)))"
      "(define-fun p ((x Int)) Bool (< x 2))"
      "(define-fun g ((x Int) (y Bool)) Int (ite y x (- x)))";

  ir::TermId apply(ir::Op op, std::vector<ir::TermId> args, std::vector<uint32_t> indices = {},
                   ir::SortId as = {}) {
    const ir::Op ops[] = {op};
    return ir::apply(store_, {ops, indices, as}, args);
  }

  // --- Sorts. ---

  ir::SortId sort(uint32_t depth = 0) {
    if (depth >= 2 || !rng_.one_in(3)) return simple_sort();
    const std::array<ir::SortId, 2> both = {sort(depth + 1), sort(depth + 1)};
    const std::span<const ir::SortId> first(both.data(), 1);
    ir::SortTable& sorts = store_.sorts();
    switch (rng_.below(9)) {
      case 0:
      case 1: return sorts.make(ir::SortKind::kArray, both);
      case 2:
      case 3: return sorts.make(ir::SortKind::kSeq, first);
      case 4: return datatype_sort("L", first);
      case 5: return datatype_sort("P", both);
      case 6: return sorts.make(ir::SortKind::kSet, first);
      case 7: return sorts.make(ir::SortKind::kBag, first);
      default: return sorts.make(ir::SortKind::kTuple, both);
    }
  }

  uint32_t width() {
    constexpr std::array<uint32_t, 9> kWidths = {1, 2, 3, 7, 8, 32, 64, 65, 128};
    return kWidths[rng_.below(kWidths.size())];
  }

  num::FloatFormat format() {
    constexpr std::array<num::FloatFormat, 5> kFormats = {
        {{3, 5}, {5, 11}, {8, 24}, {11, 53}, {15, 113}}};
    return kFormats[rng_.below(kFormats.size())];
  }

  // The order of a prime field, as a symbol.
  uint32_t field_order() {
    constexpr std::array<std::string_view, 4> kOrders = {"2", "3", "17", "2305843009213693951"};
    return store_.symbols().intern(kOrders[rng_.below(kOrders.size())]).value;
  }

  // --- Values. ---

  ir::TermId value(ir::SortId sort, uint32_t depth = 0) {
    const ir::SortNode node = store_.sorts()[sort];
    const auto view = store_.sorts().children(sort);
    const std::vector<ir::SortId> children(view.begin(), view.end());
    switch (node.kind) {
      case ir::SortKind::kBool: return boolean(rng_.one_in(2));
      case ir::SortKind::kInt: return integer(depth == 0 ? any_integer() : small_integer());
      case ir::SortKind::kReal: return real();
      case ir::SortKind::kString: return string();
      case ir::SortKind::kRegLan: return regex(static_cast<uint32_t>(1 + rng_.below(3)));
      case ir::SortKind::kRoundingMode: return mode(static_cast<uint32_t>(rng_.below(5)));
      case ir::SortKind::kChar: return apply(ir::Op::kCharLiteral, {}, {character()});
      case ir::SortKind::kBitVec: return bits(any_bits(node.a), node.a);
      case ir::SortKind::kFloatingPoint: return floating({node.a, node.b});
      case ir::SortKind::kFiniteField: return field(sort);
      case ir::SortKind::kArray: return array(sort, children, depth);
      case ir::SortKind::kSeq:
        return several(ir::Op::kSeqUnit, ir::Op::kSeqConcat, ir::Op::kSeqEmpty, sort, children[0],
                       depth);
      case ir::SortKind::kSet: return set(sort, children[0], depth);
      case ir::SortKind::kBag: return bag(sort, children[0], depth);
      case ir::SortKind::kTuple: return apply(ir::Op::kTuple, values(children, depth));
      case ir::SortKind::kNullable:
        if (rng_.one_in(3)) return apply(ir::Op::kNullableNull, {}, {}, sort);
        return apply(ir::Op::kNullableSome, values(children, depth));
      case ir::SortKind::kDatatype: return data(sort, depth);
      case ir::SortKind::kFunction: return lambda(children);
      default: return {};
    }
  }

  ir::TermId boolean(bool value) { return apply(value ? ir::Op::kTrue : ir::Op::kFalse, {}); }

  ir::TermId mode(uint32_t number) {
    constexpr std::array<ir::Op, 5> kModes = {ir::Op::kRmRne, ir::Op::kRmRna, ir::Op::kRmRtp,
                                              ir::Op::kRmRtn, ir::Op::kRmRtz};
    return apply(kModes[number], {});
  }

  ir::TermId integer(const mpz_class& value) {
    const ir::TermId digits = store_.int_literal(mpz_class(abs(value)).get_str());
    return value < 0 ? apply(ir::Op::kNeg, {digits}) : digits;
  }

  ir::TermId rational(const mpq_class& value) {
    const mpz_class magnitude = abs(value.get_num());
    const ir::TermId digits = store_.real_literal(magnitude.get_str() + ".0");
    const ir::TermId top = value < 0 ? apply(ir::Op::kNeg, {digits}) : digits;
    if (value.get_den() == 1) return top;
    return apply(ir::Op::kRealDiv, {top, store_.real_literal(value.get_den().get_str() + ".0")});
  }

  ir::TermId bits(const mpz_class& value, uint32_t width) {
    const std::string digits = value.get_str(2);
    return store_.bits_literal(num::bits_literal(std::string(width - digits.size(), '0') + digits));
  }

  ir::TermId float_of_bits(num::FloatFormat format, const mpz_class& all) {
    const uint32_t fraction = format.significand - 1;
    const auto part = [&](uint32_t low, uint32_t width) {
      mpz_class cut = all >> low;
      mpz_fdiv_r_2exp(cut.get_mpz_t(), cut.get_mpz_t(), width);
      return bits(cut, width);
    };
    return apply(ir::Op::kFp, {part(format.exponent + fraction, 1), part(fraction, format.exponent),
                               part(0, fraction)});
  }

  mpz_class small_integer() { return static_cast<long>(rng_.between(-2, 4)); }

  // A regular expression in which operators nest so deep.
  ir::TermId regex(uint32_t depth) {
    if (depth == 0) return simple_regex();
    const auto part = [&] { return regex(depth - 1); };
    const auto count = [&] { return static_cast<uint32_t>(rng_.below(4)); };
    switch (rng_.below(12)) {
      case 0: return apply(ir::Op::kReConcat, {part(), part()});
      case 1: return apply(ir::Op::kReUnion, {part(), part()});
      case 2: return apply(ir::Op::kReInter, {part(), part()});
      case 3: return apply(ir::Op::kReStar, {part()});
      case 4: return apply(ir::Op::kRePlus, {part()});
      case 5: return apply(ir::Op::kReOpt, {part()});
      case 6: return apply(ir::Op::kReComp, {part()});
      case 7: return apply(ir::Op::kReDiff, {part(), part()});
      case 8: return apply(ir::Op::kRePow, {part()}, {count()});
      case 9: return apply(ir::Op::kReLoop, {part()}, {count(), count()});
      case 10: return apply(ir::Op::kReConcat, {part(), part(), part()});
      default: return simple_regex();
    }
  }

  ir::TermId string() { return string_of(text()); }
  ir::TermId one_character() {
    return string_of(std::u32string(1, static_cast<char32_t>(character())));
  }
  ir::TermId string_of(std::u32string_view characters) {
    return store_.string_literal(num::encode_string(characters));
  }

  // The instance of a datatype of the prelude.
  ir::SortId datatype_sort(std::string_view name, std::span<const ir::SortId> arguments) {
    const ir::SymbolId symbol = store_.symbols().intern(name);
    for (uint32_t id = 1; id < store_.fun_count(); ++id) {
      const ir::DatatypeId datatype = store_.fun(ir::FunId{id}).datatype;
      if (!datatype.valid() || store_.datatype(datatype).name != symbol) continue;
      return store_.sorts().make(ir::SortKind::kDatatype, datatype.value, symbol.value, arguments);
    }
    ELENCHUS_CHECK(false, "no such datatype in the prelude");
  }

  // What the parameters of a datatype stand for in an instance of it.
  ir::SortBindings bindings_of(ir::SortId sort) const {
    const auto& parameters = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a}).parameters;
    const auto actual = store_.sorts().children(sort);
    ir::SortBindings bindings;
    for (size_t i = 0; i < parameters.size(); ++i) bindings.emplace_back(parameters[i], actual[i]);
    return bindings;
  }

  std::vector<ir::TermId> values(std::span<const ir::SortId> sorts, uint32_t depth) {
    std::vector<ir::TermId> terms;
    for (const ir::SortId sort : sorts) terms.push_back(value(sort, depth + 1));
    return terms;
  }

 private:
  ir::SortId simple_sort() {
    switch (rng_.below(13)) {
      case 0: return ir::kBoolSort;
      case 1:
      case 2:
      case 3: return ir::kIntSort;
      case 4: return ir::kRealSort;
      case 5:
      case 6: return ir::kStringSort;
      case 7: return ir::kRoundingModeSort;
      case 8:
      case 9: return store_.sorts().bit_vec(width());
      case 10: {
        const num::FloatFormat drawn = format();
        return store_.sorts().floating_point(drawn.exponent, drawn.significand);
      }
      case 11: return datatype_sort("E", {});
      default: return datatype_sort("Tree", {});
    }
  }

  // --- Numbers. ---

  mpz_class any_integer() {
    if (!rng_.one_in(3)) return static_cast<long>(rng_.between(-4, 12));
    const mpz_class near = static_cast<long>(rng_.between(-1, 1));
    mpz_class large;
    switch (rng_.below(6)) {
      case 0: large = mpz_class(1) << 31; break;
      case 1: large = mpz_class(1) << 63; break;
      case 2: large = mpz_class(1) << 64; break;
      case 3: large = num::kMaxCharacter; break;
      case 4: large = num::random_bits(rng_, static_cast<uint32_t>(1 + rng_.below(200))); break;
      default: large = static_cast<unsigned long>(rng_.below(1000)); break;
    }
    large += near;
    return rng_.one_in(2) ? mpz_class(-large) : large;
  }

  ir::TermId real() {
    if (rng_.one_in(10)) {
      const ir::TermId irrational = algebraic();
      if (irrational.valid()) return irrational;
    }
    mpq_class number(any_integer());
    if (rng_.one_in(2)) {
      mpz_class divisor = any_integer();
      if (divisor == 0) divisor = 7;
      number /= divisor;
    }
    return rational(number);
  }

  // Something like the cube root of 5, plus 1/2.
  ir::TermId algebraic() {
    mpq_class radicand(static_cast<long>(rng_.between(1, 12)),
                       static_cast<long>(rng_.between(1, 3)));
    radicand.canonicalize();
    auto number = num::nth_root(num::Real(radicand), static_cast<uint32_t>(2 + rng_.below(2)));
    if (number && rng_.one_in(2)) {
      number = num::add(*number, num::Real(mpq_class(static_cast<long>(rng_.between(-3, 3)))));
    }
    if (number && rng_.one_in(3)) number = num::neg(*number);
    if (!number || number->is_rational()) return {};
    const auto text = num::text_of(*number->irrational());
    if (!text) return {};
    const ir::SymbolId symbol = store_.symbols().intern(*text);
    return store_.make(ir::Op::kAlgebraicLiteral, ir::kRealSort, symbol.value, {});
  }

  mpz_class any_bits(uint32_t width) {
    mpz_class all = (mpz_class(1) << width) - 1;
    mpz_class least = mpz_class(1) << (width - 1);
    switch (rng_.below(9)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return all;
      case 3: return least;
      case 4: return least - 1;
      case 5: return mpz_class(width) & all;
      case 6: return mpz_class(static_cast<unsigned long>(rng_.below(16))) & all;
      default: return num::random_bits(rng_, width);
    }
  }

  ir::TermId floating(num::FloatFormat format) {
    const auto [exponent, significand] = format;
    const uint32_t fraction = significand - 1;
    const mpz_class one = 1;
    const mpz_class top_exponent = (one << exponent) - 1;
    const mpz_class bias = (one << (exponent - 1)) - 1;
    mpz_class magnitude;
    switch (rng_.below(12)) {
      case 0: return apply(ir::Op::kFpNan, {}, {exponent, significand});
      case 1: magnitude = 0; break;
      case 2: magnitude = top_exponent << fraction; break;
      case 3: magnitude = 1; break;                               // the least subnormal
      case 4: magnitude = (one << fraction) - 1; break;           // the largest subnormal
      case 5: magnitude = one << fraction; break;                 // the least normal
      case 6: magnitude = (top_exponent << fraction) - 1; break;  // the largest normal
      case 7: magnitude = bias << fraction; break;                // 1.0
      case 8: magnitude = num::random_bits(rng_, fraction); break;
      case 9:  // near 1
        magnitude = ((bias + static_cast<long>(rng_.between(-2, 2))) << fraction) +
                    num::random_bits(rng_, fraction);
        break;
      default: {
        mpz_class above = num::random_bits(rng_, exponent);
        if (above == top_exponent) above -= 1;
        magnitude = (above << fraction) + num::random_bits(rng_, fraction);
        break;
      }
    }
    if (magnitude > (top_exponent << fraction)) magnitude = top_exponent << fraction;
    if (rng_.one_in(2)) magnitude += one << (exponent + fraction);
    return float_of_bits(format, magnitude);
  }

  ir::TermId field(ir::SortId sort) {
    const ir::SymbolId order{store_.sorts()[sort].a};
    const mpz_class residue =
        num::random_bits(rng_, 61) % mpz_class(std::string(store_.symbols().text(order)));
    const auto digits = store_.symbols().intern(residue.get_str());
    return store_.make(ir::Op::kFieldLiteral, sort, digits.value, {});
  }

  // --- Texts. ---

  uint32_t character() {
    constexpr std::array<uint32_t, 14> kOthers = {'"', '\\', 'u', '{',  'A',    'Z',     '0',
                                                  '9', 0,    127, 0xE9, 0xFFFF, 0x1F600, 0x2FFFF};
    if (rng_.one_in(8)) return static_cast<uint32_t>(rng_.below(num::kMaxCharacter + 1));
    return rng_.one_in(2) ? 'a' + static_cast<uint32_t>(rng_.below(3))
                          : kOthers[rng_.below(kOthers.size())];
  }

  std::u32string text() {
    const size_t length = rng_.below(7);
    const uint64_t style = rng_.below(6);
    std::u32string result;
    for (size_t i = 0; i < length; ++i) {
      char32_t next = 'a' + static_cast<char32_t>(rng_.below(2));
      if (style == 0) next = '0' + static_cast<char32_t>(rng_.below(10));
      if (style == 1) next = character();
      result.push_back(next);
    }
    return result;
  }

  ir::TermId simple_regex() {
    switch (rng_.below(9)) {
      case 0: return apply(ir::Op::kReAllchar, {});
      case 1: return apply(ir::Op::kReAll, {});
      case 2: return apply(ir::Op::kReNone, {});
      case 3: return apply(ir::Op::kReRange, {string_of(U"a"), string_of(U"b")});
      case 4: return apply(ir::Op::kReRange, {one_character(), one_character()});
      case 5: return apply(ir::Op::kStrToRe, {string()});
      default: return apply(ir::Op::kStrToRe, {string_of(text().substr(0, 1 + rng_.below(2)))});
    }
  }

  // --- Compounds. ---

  ir::TermId array(ir::SortId sort, const std::vector<ir::SortId>& parts, uint32_t depth) {
    ir::TermId term = apply(ir::Op::kConstArray, {value(parts.back(), depth + 1)}, {}, sort);
    for (size_t i = rng_.below(4); i > 0 && term.valid(); --i) {
      std::vector<ir::TermId> args = {term};
      for (const ir::TermId part : values(parts, depth)) args.push_back(part);
      term = apply(ir::Op::kStore, std::move(args));
    }
    return term;
  }

  // Units of up to four elements, joined.
  ir::TermId several(ir::Op unit, ir::Op join, ir::Op empty, ir::SortId sort, ir::SortId element,
                     uint32_t depth) {
    const size_t count = rng_.below(depth == 0 ? 5 : 3);
    if (count == 0) return apply(empty, {}, {}, sort);
    std::vector<ir::TermId> units;
    for (size_t i = 0; i < count; ++i) {
      units.push_back(apply(unit, {value(element, depth + 1)}));
    }
    return count == 1 ? units[0] : apply(join, std::move(units));
  }

  ir::TermId set(ir::SortId sort, ir::SortId element, uint32_t depth) {
    const ir::TermId plain =
        several(ir::Op::kSetSingleton, ir::Op::kSetUnion, ir::Op::kSetEmpty, sort, element, depth);
    return depth == 0 && rng_.one_in(8) ? apply(ir::Op::kSetComplement, {plain}) : plain;
  }

  ir::TermId bag(ir::SortId sort, ir::SortId element, uint32_t depth) {
    const size_t count = rng_.below(depth == 0 ? 4 : 3);
    if (count == 0) return apply(ir::Op::kBagEmpty, {}, {}, sort);
    std::vector<ir::TermId> units;
    for (size_t i = 0; i < count; ++i) {
      units.push_back(apply(ir::Op::kBag, {value(element, depth + 1), integer(small_integer())}));
    }
    return count == 1 ? units[0] : apply(ir::Op::kBagUnionDisjoint, std::move(units));
  }

  // The first constructor of each datatype of the prelude, but for Tree, ends a recursion.
  ir::TermId data(ir::SortId sort, uint32_t depth) {
    const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a});
    const size_t which = depth > 4 ? 0 : rng_.below(datatype.constructors.size());
    const ir::FunId constructor = datatype.constructors[which].fun;
    const ir::SortBindings bindings = bindings_of(sort);
    const auto params = store_.params(constructor);
    std::vector<ir::SortId> fields;
    for (const ir::SortId param : std::vector<ir::SortId>(params.begin(), params.end())) {
      fields.push_back(ir::substitute_sort(store_.sorts(), param, bindings));
    }
    std::vector<ir::TermId> args = values(fields, depth);
    return ir::call(store_, constructor, args,
                    store_.fun(constructor).needs_as ? sort : ir::SortId{});
  }

  // (lambda (x...) (ite (= x v) w other)), where the other may be a variable of the right sort.
  ir::TermId lambda(const std::vector<ir::SortId>& sorts) {
    const ir::SortId result = sorts.back();
    std::vector<ir::TermId> parts;
    for (size_t i = 0; i + 1 < sorts.size(); ++i) {
      const auto name = store_.symbols().intern("x" + std::to_string(i));
      parts.push_back(store_.variable(name, sorts[i], 0));
    }
    const ir::TermId key = parts[rng_.below(parts.size())];
    ir::TermId other = value(result, 1);
    for (const ir::TermId variable : parts) {
      if (store_.sort(variable) == result && rng_.one_in(2)) other = variable;
    }
    const ir::TermId hit = apply(ir::Op::kEq, {key, value(store_.sort(key), 1)});
    if (!hit.valid() || !other.valid()) return {};
    parts.push_back(rng_.one_in(4) ? other : apply(ir::Op::kIte, {hit, value(result, 1), other}));
    const ir::SortId whole = store_.sorts().make(ir::SortKind::kFunction, sorts);
    return store_.make(ir::Op::kLambda, whole, 0, parts);
  }

  ir::TermStore& store_;
  base::Rng& rng_;
};

}  // namespace elenchus
