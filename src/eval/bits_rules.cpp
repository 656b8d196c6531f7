// Bit-vectors. Each binary operator has two bodies: one for widths up to 64 on machine words, where
// the caller cuts the result to the width, and one for any width.
#include <algorithm>

#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;

constexpr uint64_t mask_of(uint32_t width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

int64_t to_signed(uint64_t bits, uint32_t width) {
  const uint32_t unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

mpz_class to_signed(const mpz_class& bits, uint32_t width) {
  if (mpz_tstbit(bits.get_mpz_t(), width - 1) == 0) return bits;
  return bits - (mpz_class(1) << width);
}

mpz_class all_ones(uint32_t width) { return (mpz_class(1) << width) - 1; }

// --- Arithmetic. ---

struct Add {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a + b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a + b; }
};
struct Sub {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a - b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a - b; }
};
struct Mul {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a * b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a * b; }
};
// Division by zero is defined: all ones, and the dividend for the remainder.
struct Udiv {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return b == 0 ? ~uint64_t{0} : a / b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    return b == 0 ? all_ones(width) : mpz_class(a / b);
  }
};
struct Urem {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return b == 0 ? a : a % b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) {
    return b == 0 ? a : mpz_class(a % b);
  }
};
// Rounds towards zero; the sign of the remainder is that of the dividend.
struct Sdiv {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) {
    const int64_t x = to_signed(a, width);
    const int64_t y = to_signed(b, width);
    if (y == 0) return x < 0 ? 1 : ~uint64_t{0};
    if (y == -1) return uint64_t{0} - a;
    return static_cast<uint64_t>(x / y);
  }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    const mpz_class x = to_signed(a, width);
    const mpz_class y = to_signed(b, width);
    if (y == 0) return x < 0 ? mpz_class(1) : all_ones(width);
    return x / y;
  }
};
struct Srem {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) {
    const int64_t y = to_signed(b, width);
    if (y == 0) return a;
    if (y == -1) return 0;
    return static_cast<uint64_t>(to_signed(a, width) % y);
  }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    const mpz_class y = to_signed(b, width);
    return y == 0 ? a : mpz_class(to_signed(a, width) % y);
  }
};
// The sign of the remainder is that of the divisor.
struct Smod {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) {
    const int64_t y = to_signed(b, width);
    if (y == 0) return a;
    if (y == -1) return 0;
    const int64_t rest = to_signed(a, width) % y;
    return static_cast<uint64_t>(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
  }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    const mpz_class y = to_signed(b, width);
    if (y == 0) return a;
    mpz_class rest = to_signed(a, width) % y;
    if (rest != 0 && (rest < 0) != (y < 0)) rest += y;
    return rest;
  }
};

// --- Bits. ---

struct And {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a & b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a & b; }
};
struct Or {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a | b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a | b; }
};
struct Xor {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return a ^ b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return a ^ b; }
};
struct Nand {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return ~(a & b); }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return ~(a & b); }
};
struct Nor {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return ~(a | b); }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return ~(a | b); }
};
struct Xnor {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t) { return ~(a ^ b); }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t) { return ~(a ^ b); }
};

// A shift amount; anything from the width on shifts everything out.
mp_bitcnt_t amount_of(const mpz_class& amount, uint32_t width) {
  return amount < width ? amount.get_ui() : width;
}

struct Shl {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) { return b >= width ? 0 : a << b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    return a << amount_of(b, width);
  }
};
struct Lshr {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) { return b >= width ? 0 : a >> b; }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    return a >> amount_of(b, width);
  }
};
struct Ashr {
  static uint64_t small(uint64_t a, uint64_t b, uint32_t width) {
    return static_cast<uint64_t>(to_signed(a, width) >> std::min<uint64_t>(b, 63));
  }
  static mpz_class big(const mpz_class& a, const mpz_class& b, uint32_t width) {
    return to_signed(a, width) >> amount_of(b, width);
  }
};

// --- How they are called. ---

template <typename Operation>
Value binary(const Call& call) {
  const uint32_t width = ValueStore::width(call.args[0]);
  return fold_left(call, [&](const Value& a, const Value& b) {
    if (width <= 64) {
      return ValueStore::small_bits(Operation::small(a.word, b.word, width), width);
    }
    if (!call.pay(width >> 10)) return call.unknown("too many steps");
    ValueStore& values = call.values;
    return values.bits(Operation::big(values.big_bits(a), values.big_bits(b), width), width);
  });
}

// The order of two bit-vectors: negative, zero or positive.
int compare_unsigned(const Call& call, const Value& a, const Value& b) {
  if (ValueStore::is_small_bits(a)) return a.word < b.word ? -1 : (a.word > b.word ? 1 : 0);
  return cmp(call.values.big_bits(a), call.values.big_bits(b));
}

int compare_signed(const Call& call, const Value& a, const Value& b) {
  if (ValueStore::is_small_bits(a)) {
    const int64_t x = to_signed(a.word, ValueStore::width(a));
    const int64_t y = to_signed(b.word, ValueStore::width(b));
    return x < y ? -1 : (x > y ? 1 : 0);
  }
  return cmp(call.values.signed_bits(a), call.values.signed_bits(b));
}

using Compare = int (*)(const Call&, const Value&, const Value&);

template <Compare compare, int low, int high>
Value order(const Call& call) {
  const int sign = compare(call, call.args[0], call.args[1]);
  const int unit = sign < 0 ? -1 : (sign > 0 ? 1 : 0);
  return boolean(low <= unit && unit <= high);
}

Value bit(bool value) { return ValueStore::small_bits(value ? 1 : 0, 1); }

// --- Slices. ---

// Wider bit-vectors are not computed with.
constexpr uint32_t kMaxWidth = 1U << 22;
constexpr const char* kTooWide = "a bit-vector that is too wide";

bool pay_for_width(const Call& call, uint32_t width) {
  return width <= kMaxWidth && call.pay(width >> 8);
}

uint32_t result_width(const Call& call) { return call.terms.sorts()[call.sort()].a; }

Value concat(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    const uint32_t low = ValueStore::width(b);
    const uint32_t width = ValueStore::width(a) + low;
    if (width <= 64) return ValueStore::small_bits((a.word << low) | b.word, width);
    if (!pay_for_width(call, width)) return call.unknown(kTooWide);
    ValueStore& values = call.values;
    return values.bits((values.big_bits(a) << low) | values.big_bits(b), width);
  });
}

Value extract(const Call& call) {
  const Value& bits = call.args[0];
  const uint32_t low = call.index(1);
  const uint32_t width = call.index(0) - low + 1;
  if (ValueStore::is_small_bits(bits)) return ValueStore::small_bits(bits.word >> low, width);
  return call.values.bits(call.values.big_bits(bits) >> low, width);
}

Value repeat(const Call& call) {
  const uint32_t width = ValueStore::width(call.args[0]);
  const uint32_t total = result_width(call);
  const mpz_class bits = call.values.big_bits(call.args[0]);
  if (!pay_for_width(call, total)) return call.unknown(kTooWide);
  // Ones at the positions where the copies start.
  mpz_class starts = 0;
  for (uint32_t at = 0; at < total; at += width) mpz_setbit(starts.get_mpz_t(), at);
  return call.values.bits(bits * starts, total);
}

Value zero_extend(const Call& call) {
  if (!pay_for_width(call, result_width(call))) return call.unknown(kTooWide);
  return call.values.bits(call.values.big_bits(call.args[0]), result_width(call));
}

Value sign_extend(const Call& call) {
  if (!pay_for_width(call, result_width(call))) return call.unknown(kTooWide);
  return call.values.bits(call.values.signed_bits(call.args[0]), result_width(call));
}

Value rotate_left(const Call& call, const Value& bits, uint32_t by) {
  const uint32_t width = ValueStore::width(bits);
  const mpz_class value = call.values.big_bits(bits);
  return call.values.bits((value << by) | (value >> (width - by)), width);
}

Value rotate_by_index(const Call& call, bool left) {
  const uint32_t width = ValueStore::width(call.args[0]);
  const uint32_t by = call.index(0) % width;
  return rotate_left(call, call.args[0], left ? by : (width - by) % width);
}

Value rotate_by_argument(const Call& call, bool left) {
  const uint32_t width = ValueStore::width(call.args[0]);
  const mpz_class rest = call.values.big_bits(call.args[1]) % width;
  const auto by = static_cast<uint32_t>(rest.get_ui());
  return rotate_left(call, call.args[0], left ? by : (width - by) % width);
}

bool is_all(const Call& call, const Value& bits, bool ones) {
  const uint32_t width = ValueStore::width(bits);
  if (width <= 64) return bits.word == (ones ? mask_of(width) : 0);
  return call.values.big_bits(bits) == (ones ? all_ones(width) : mpz_class(0));
}

bool parity(const Call& call) {
  return mpz_popcount(call.values.big_bits(call.args[0]).get_mpz_t()) % 2 != 0;
}

Value stepped(const Call& call, int step) {
  const mpz_class sum = call.values.big_bits(call.args[0]) + step;
  return call.values.bits(sum, ValueStore::width(call.args[0]));
}

Value test_bit(const Call& call) {
  const mpz_class bits = call.values.big_bits(call.args[0]);
  return boolean(mpz_tstbit(bits.get_mpz_t(), call.index(0)) != 0);
}

// The first argument is the lowest bit.
Value make(const Call& call) {
  mpz_class bits = 0;
  const size_t width = call.args.size();
  for (size_t i = 0; i < width; ++i) {
    if (call.args[i].is_true()) mpz_setbit(bits.get_mpz_t(), i);
  }
  return call.values.bits(bits, static_cast<uint32_t>(width));
}

Value from_integer(const Call& call) {
  if (!pay_for_width(call, result_width(call))) return call.unknown(kTooWide);
  return call.values.bits(call.values.big_integer(call.args[0]), result_width(call));
}

// --- Overflow. ---

bool fits_unsigned(const mpz_class& value, uint32_t width) {
  return value >= 0 && mpz_sizeinbase(value.get_mpz_t(), 2) <= width;
}

bool fits_signed(const mpz_class& value, uint32_t width) {
  const mpz_class half = mpz_class(1) << (width - 1);
  return -half <= value && value < half;
}

using Exact = mpz_class (*)(const mpz_class&, const mpz_class&);
mpz_class exact_sum(const mpz_class& a, const mpz_class& b) { return a + b; }
mpz_class exact_difference(const mpz_class& a, const mpz_class& b) { return a - b; }
mpz_class exact_product(const mpz_class& a, const mpz_class& b) { return a * b; }

template <Exact exact>
Value unsigned_overflow(const Call& call) {
  const mpz_class result =
      exact(call.values.big_bits(call.args[0]), call.values.big_bits(call.args[1]));
  return boolean(!fits_unsigned(result, ValueStore::width(call.args[0])));
}

template <Exact exact>
mpz_class signed_result(const Call& call) {
  return exact(call.values.signed_bits(call.args[0]), call.values.signed_bits(call.args[1]));
}

template <Exact exact>
Value signed_overflow(const Call& call) {
  return boolean(!fits_signed(signed_result<exact>(call), ValueStore::width(call.args[0])));
}

bool is_least(const Call& call, const Value& bits) {
  return call.values.big_bits(bits) == mpz_class(1) << (ValueStore::width(bits) - 1);
}

// Only the least number has no negative.
Value negation_overflow(const Call& call) { return boolean(is_least(call, call.args[0])); }

Value division_overflow(const Call& call) {
  return boolean(is_least(call, call.args[0]) && is_all(call, call.args[1], true));
}

Value no_product_overflow(const Call& call, bool upwards) {
  const mpz_class result = signed_result<exact_product>(call);
  const bool is_beyond = !fits_signed(result, ValueStore::width(call.args[0]));
  return boolean(!is_beyond || (result > 0) != upwards);
}

// What z3 makes of a zero divisor, inside. Written in a script it is a free function for z3.
template <Op op>
Value given_by_model(const Call& call) {
  return call.open(op, "only a model says what it is");
}

constexpr OpRule kBitsRules[] = {
    {Op::kBvConcat, concat},
    {Op::kBvExtract, extract},
    {Op::kBvNot,
     [](const Call& call) {
       return call.values.bits(~call.values.big_bits(call.args[0]),
                               ValueStore::width(call.args[0]));
     }},
    {Op::kBvNeg,
     [](const Call& call) {
       return call.values.bits(-call.values.big_bits(call.args[0]),
                               ValueStore::width(call.args[0]));
     }},
    {Op::kBvAnd, binary<And>},
    {Op::kBvOr, binary<Or>},
    {Op::kBvXor, binary<Xor>},
    {Op::kBvNand, binary<Nand>},
    {Op::kBvNor, binary<Nor>},
    {Op::kBvXnor, binary<Xnor>},
    {Op::kBvAdd, binary<Add>},
    {Op::kBvMul, binary<Mul>},
    {Op::kBvSub, binary<Sub>},
    {Op::kBvUdiv, binary<Udiv>},
    {Op::kBvUrem, binary<Urem>},
    {Op::kBvSdiv, binary<Sdiv>},
    {Op::kBvSrem, binary<Srem>},
    {Op::kBvSmod, binary<Smod>},
    {Op::kBvShl, binary<Shl>},
    {Op::kBvLshr, binary<Lshr>},
    {Op::kBvAshr, binary<Ashr>},
    {Op::kBvComp, [](const Call& call) { return bit(call.args[0] == call.args[1]); }},
    {Op::kBvUlt, order<compare_unsigned, -1, -1>},
    {Op::kBvUle, order<compare_unsigned, -1, 0>},
    {Op::kBvUgt, order<compare_unsigned, 1, 1>},
    {Op::kBvUge, order<compare_unsigned, 0, 1>},
    {Op::kBvSlt, order<compare_signed, -1, -1>},
    {Op::kBvSle, order<compare_signed, -1, 0>},
    {Op::kBvSgt, order<compare_signed, 1, 1>},
    {Op::kBvSge, order<compare_signed, 0, 1>},
    {Op::kBvRepeat, repeat},
    {Op::kBvZeroExtend, zero_extend},
    {Op::kBvSignExtend, sign_extend},
    {Op::kBvRotateLeft, [](const Call& call) { return rotate_by_index(call, true); }},
    {Op::kBvRotateRight, [](const Call& call) { return rotate_by_index(call, false); }},
    {Op::kBvRedor, [](const Call& call) { return bit(!is_all(call, call.args[0], false)); }},
    {Op::kBvRedand, [](const Call& call) { return bit(is_all(call, call.args[0], true)); }},
    {Op::kBvNego, negation_overflow},
    {Op::kBvUaddo, unsigned_overflow<exact_sum>},
    {Op::kBvSaddo, signed_overflow<exact_sum>},
    {Op::kBvUmulo, unsigned_overflow<exact_product>},
    {Op::kBvSmulo, signed_overflow<exact_product>},
    {Op::kBvUsubo, unsigned_overflow<exact_difference>},
    {Op::kBvSsubo, signed_overflow<exact_difference>},
    {Op::kBvSdivo, division_overflow},
    {Op::kBvUmulNoOvfl,
     [](const Call& call) { return boolean(unsigned_overflow<exact_product>(call).is_false()); }},
    {Op::kBvSmulNoOvfl, [](const Call& call) { return no_product_overflow(call, true); }},
    {Op::kBvSmulNoUdfl, [](const Call& call) { return no_product_overflow(call, false); }},
    {Op::kBvToNat,
     [](const Call& call) { return call.values.integer(call.values.big_bits(call.args[0])); }},
    {Op::kSbvToInt,
     [](const Call& call) { return call.values.integer(call.values.signed_bits(call.args[0])); }},
    {Op::kIntToBv, from_integer},
    {Op::kBvExtRotateLeft, [](const Call& call) { return rotate_by_argument(call, true); }},
    {Op::kBvExtRotateRight, [](const Call& call) { return rotate_by_argument(call, false); }},
    {Op::kBvRedxor, [](const Call& call) { return bit(parity(call)); }},
    {Op::kBvInc, [](const Call& call) { return stepped(call, 1); }},
    {Op::kBvDec, [](const Call& call) { return stepped(call, -1); }},
    {Op::kBvRol, [](const Call& call) { return rotate_by_argument(call, true); }},
    {Op::kBvRor, [](const Call& call) { return rotate_by_argument(call, false); }},
    {Op::kBvUdivI, binary<Udiv>},
    {Op::kBvUremI, binary<Urem>},
    {Op::kBvSdivI, binary<Sdiv>},
    {Op::kBvSremI, binary<Srem>},
    {Op::kBvSmodI, binary<Smod>},
    {Op::kBvUdiv0, given_by_model<Op::kBvUdiv0>},
    {Op::kBvUrem0, given_by_model<Op::kBvUrem0>},
    {Op::kBvSdiv0, given_by_model<Op::kBvSdiv0>},
    {Op::kBvSrem0, given_by_model<Op::kBvSrem0>},
    {Op::kBvSmod0, given_by_model<Op::kBvSmod0>},
    {Op::kBvBitToBool, test_bit},
    {Op::kBvBit0, [](const Call&) { return bit(false); }},
    {Op::kBvBit1, [](const Call&) { return bit(true); }},
    {Op::kBvMake, make},
    {Op::kBvIte, [](const Call& call) { return call.args[call.args[0].word == 1 ? 1 : 2]; }},
    {Op::kBvUltBv,
     [](const Call& call) { return bit(order<compare_unsigned, -1, -1>(call).is_true()); }},
    {Op::kBvSltBv,
     [](const Call& call) { return bit(order<compare_signed, -1, -1>(call).is_true()); }},
    {Op::kBvBit, test_bit},
};

}  // namespace

std::span<const OpRule> bits_rules() { return kBitsRules; }

}  // namespace elenchus::eval
