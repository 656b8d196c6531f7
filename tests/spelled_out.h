#pragma once

#include <gmpxx.h>

#include <string>
#include <utility>
#include <vector>

#include "ir/term_store.h"
#include "random_values.h"

namespace elenchus {

// Operators that no solver at hand reads, or that one of them has wrong, by what they mean in
// others: their values can be compared all the same.
class SpelledOut {
 public:
  SpelledOut(ir::TermStore& store, RandomValues& values) : store_(store), values_(values) {}

  // A formula that says that the application has the value; none for other operators.
  ir::TermId claim(ir::TermId term, ir::TermId value) {
    using ir::Op;
    const auto view = store_.args(term);
    const Args args(view.begin(), view.end());
    switch (store_.op(term)) {
      case Op::kIntLog2: return is_logarithm(args[0], value);
      case Op::kIntIsPow2: return is_power(args[0], value);
      case Op::kCharToBv:
        return equal(make(Op::kCharToInt, {args[0]}), make(Op::kBvToNat, {value}));
      case Op::kCharFromBv:
        return equal(make(Op::kCharToInt, {value}), make(Op::kBvToNat, {args[0]}));
      case Op::kFfAdd:
      case Op::kFfMul:
      case Op::kFfNeg:
      case Op::kFfBitsum: return field_claim(term, args, value);
      default: return equal(meaning(term, args), value);
    }
  }

 private:
  using Op = ir::Op;
  using TermId = ir::TermId;
  using Args = std::vector<TermId>;

  TermId make(Op op, Args args, std::vector<uint32_t> indices = {}, ir::SortId as = {}) {
    for (const TermId arg : args) {
      if (!arg.valid()) return {};
    }
    return values_.apply(op, std::move(args), std::move(indices), as);
  }
  TermId equal(TermId a, TermId b) { return make(Op::kEq, {a, b}); }
  TermId ite(TermId condition, TermId a, TermId b) { return make(Op::kIte, {condition, a, b}); }
  TermId integer(const mpz_class& value) { return values_.integer(value); }
  TermId as_bit(TermId condition) { return ite(condition, values_.bits(1, 1), values_.bits(0, 1)); }
  uint32_t width(TermId bits) const { return store_.sorts()[store_.sort(bits)].a; }
  uint32_t index(TermId term) const { return store_.indices(term)[0]; }
  TermId is_negative(TermId bits) { return make(Op::kBvSlt, {bits, values_.bits(0, width(bits))}); }

  // The same with another operator.
  TermId as(Op op, TermId term, const Args& args) {
    const auto view = store_.indices(term);
    return make(op, args, {view.begin(), view.end()});
  }

  TermId meaning(TermId term, const Args& args) {
    switch (store_.op(term)) {
      case Op::kInstClosure: return values_.boolean(true);
      case Op::kIntDivTotal:
        return ite(equal(args[1], integer(0)), integer(0), make(Op::kIntDiv, args));
      case Op::kModTotal: return ite(equal(args[1], integer(0)), args[0], make(Op::kMod, args));
      case Op::kRealDivTotal: {
        const TermId zero = values_.rational(0);
        return ite(equal(args[1], zero), zero, make(Op::kRealDiv, args));
      }
      case Op::kIntParametricAnd: return bitwise_and(args);
      case Op::kBvSmulNoOvfl: {
        const TermId same_sign = equal(is_negative(args[0]), is_negative(args[1]));
        return make(Op::kNot, {make(Op::kAnd, {make(Op::kBvSmulo, args), same_sign})});
      }
      case Op::kStrLastIndexof: return last_index(args, Op::kStrRev, Op::kStrIndexof, Op::kStrLen);
      case Op::kSeqLastIndexof: return last_index(args, Op::kSeqRev, Op::kSeqIndexof, Op::kSeqLen);
      case Op::kBvNego: {
        const TermId is_zero = equal(args[0], values_.bits(0, width(args[0])));
        const TermId is_own_negative = equal(args[0], make(Op::kBvNeg, {args[0]}));
        return make(Op::kAnd, {is_own_negative, make(Op::kNot, {is_zero})});
      }
      case Op::kSbvToInt: return signed_number(args[0]);
      case Op::kBvIte: return ite(equal(args[0], values_.bits(1, 1)), args[1], args[2]);
      case Op::kBvUltBv: return as_bit(make(Op::kBvUlt, args));
      case Op::kBvSltBv: return as_bit(make(Op::kBvSlt, args));
      case Op::kBvBit:
        return equal(make(Op::kBvExtract, args, {index(term), index(term)}), values_.bits(1, 1));
      case Op::kFpMinI: return as(Op::kFpMin, term, args);
      case Op::kFpMaxI: return as(Op::kFpMax, term, args);
      case Op::kFpToUbvI: return as(Op::kFpToUbv, term, args);
      case Op::kFpToSbvI: return as(Op::kFpToSbv, term, args);
      case Op::kFpToRealI: return as(Op::kFpToReal, term, args);
      case Op::kFpToIeeeBvI: return as(Op::kFpToIeeeBv, term, args);
      case Op::kStrFromSbv: return signed_text(args[0]);
      case Op::kSetIsEmpty: return equal(args[0], empty(Op::kSetEmpty, args[0]));
      case Op::kSetAll: return equal(make(Op::kSetFilter, args), args[1]);
      case Op::kSetSome:
        return make(Op::kDistinct, {make(Op::kSetFilter, args), empty(Op::kSetEmpty, args[1])});
      case Op::kBagAll: return equal(make(Op::kBagFilter, args), args[1]);
      case Op::kBagSome:
        return make(Op::kDistinct, {make(Op::kBagFilter, args), empty(Op::kBagEmpty, args[1])});
      case Op::kSeqMap: return mapped(term, args[0], {}, args[1]);
      case Op::kSeqMapi: return mapped(term, args[0], args[1], args[2]);
      case Op::kSeqFoldl: return folded(args[0], {}, args[1], args[2]);
      case Op::kSeqFoldli: return folded(args[0], args[1], args[2], args[3]);
      default: return {};
    }
  }

  TermId empty(Op op, TermId like) { return make(op, {}, {}, store_.sort(like)); }

  TermId signed_number(TermId bits) {
    const TermId number = make(Op::kBvToNat, {bits});
    const TermId wrapped = make(Op::kSub, {number, integer(mpz_class(1) << width(bits))});
    return ite(is_negative(bits), wrapped, number);
  }

  TermId signed_text(TermId bits) {
    const auto text = [&](TermId of) { return make(Op::kStrFromInt, {make(Op::kBvToNat, {of})}); };
    const TermId minus = values_.string_of(U"-");
    const TermId negative = make(Op::kStrConcat, {minus, text(make(Op::kBvNeg, {bits}))});
    return ite(is_negative(bits), negative, text(bits));
  }

  // 2^value <= number < 2^(value + 1), or zero.
  TermId is_logarithm(TermId number, TermId value) {
    const TermId next = make(Op::kAdd, {value, integer(1)});
    const TermId low = make(Op::kLe, {make(Op::kIntPow2, {value}), number});
    const TermId high = make(Op::kLt, {number, make(Op::kIntPow2, {next})});
    return ite(make(Op::kLe, {number, integer(0)}), equal(value, integer(0)),
               make(Op::kAnd, {low, high}));
  }

  mpz_class number_of(TermId literal) const {
    if (store_.op(literal) == Op::kNeg) return -number_of(store_.args(literal)[0]);
    return mpz_class(std::string(store_.literal_text(literal)), 10);
  }

  TermId is_power(TermId number, TermId value) {
    const mpz_class known = number_of(number);
    const size_t bits = mpz_sizeinbase(known.get_mpz_t(), 2);
    const TermId power = make(Op::kIntPow2, {integer(static_cast<unsigned long>(bits - 1))});
    return equal(make(Op::kAnd, {make(Op::kLt, {integer(0), number}), equal(number, power)}),
                 value);
  }

  TermId bitwise_and(const Args& args) {
    const mpz_class width = number_of(args[0]);
    if (width <= 0) return integer(0);
    constexpr int kMaxWidth = 1000;
    if (width > kMaxWidth) return {};
    return make(Op::kIntAnd, {args[1], args[2]}, {static_cast<uint32_t>(width.get_ui())});
  }

  // The first occurrence, when both are read backwards.
  TermId last_index(const Args& args, Op reverse, Op index_of, Op length) {
    const TermId back =
        make(index_of, {make(reverse, {args[0]}), make(reverse, {args[1]}), integer(0)});
    const TermId at = make(Op::kSub, {make(length, {args[0]}), make(length, {args[1]}), back});
    return ite(make(Op::kLt, {back, integer(0)}), back, at);
  }

  // --- Fields, by integers. ---

  TermId residue(TermId literal) { return store_.int_literal(store_.literal_text(literal)); }

  TermId field_claim(TermId term, const Args& args, TermId value) {
    Args numbers;
    mpz_class weight = 1;
    for (const TermId arg : args) {
      const bool weighted = store_.op(term) == Op::kFfBitsum;
      numbers.push_back(weighted ? make(Op::kMul, {integer(weight), residue(arg)}) : residue(arg));
      weight *= 2;
    }
    TermId result = numbers[0];
    if (store_.op(term) == Op::kFfNeg) {
      result = make(Op::kNeg, numbers);
    } else if (numbers.size() > 1) {
      result = make(store_.op(term) == Op::kFfMul ? Op::kMul : Op::kAdd, numbers);
    }
    const ir::SymbolId order{store_.sorts()[store_.sort(term)].a};
    const TermId modulus = store_.int_literal(store_.symbols().text(order));
    return equal(make(Op::kMod, {result, modulus}), residue(value));
  }

  // --- Functions over sequences, element by element. ---

  Args elements(TermId sequence) const {
    if (store_.op(sequence) == Op::kSeqUnit) return {store_.args(sequence)[0]};
    Args all;
    for (const TermId part : store_.args(sequence)) {
      for (const TermId element : elements(part)) all.push_back(element);
    }
    return all;
  }

  TermId position(TermId start, size_t i) {
    return make(Op::kAdd, {start, integer(static_cast<unsigned long>(i))});
  }

  TermId mapped(TermId term, TermId function, TermId start, TermId sequence) {
    Args units;
    for (const TermId element : elements(sequence)) {
      Args call = {function};
      if (start.valid()) call.push_back(position(start, units.size()));
      call.push_back(element);
      units.push_back(make(Op::kSeqUnit, {make(Op::kHoApply, call)}));
    }
    if (units.empty()) return empty(Op::kSeqEmpty, term);
    return units.size() == 1 ? units[0] : make(Op::kSeqConcat, units);
  }

  TermId folded(TermId function, TermId start, TermId first, TermId sequence) {
    TermId result = first;
    size_t i = 0;
    for (const TermId element : elements(sequence)) {
      Args call = {function};
      if (start.valid()) call.push_back(position(start, i++));
      call.push_back(result);
      call.push_back(element);
      result = make(Op::kHoApply, call);
    }
    return result;
  }

  ir::TermStore& store_;
  RandomValues& values_;
};

}  // namespace elenchus
