// Integers and reals. Machine words first, since nearly all numbers are small; GMP and algebraic
// numbers where they do not suffice.
#include <compare>
#include <optional>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/arith.h"

namespace elenchus::eval {
namespace {

using ir::Op;

// Larger numbers are not computed with.
constexpr uint64_t kMaxBits = uint64_t{1} << 24;
constexpr const char* kTooLarge = "a number that is too large";

bool is_real(const Value& value) { return value.kind == ValueKind::kReal; }

// A number as a machine word, if it is an integer and fits.
std::optional<int64_t> word_of(const Value& value) {
  const bool small = is_real(value) ? ValueStore::is_small_integer_real(value)
                                    : ValueStore::is_small_integer(value);
  if (!small) return std::nullopt;
  return static_cast<int64_t>(value.word);
}

// An integer or a real like `like`.
Value from_word(const Value& like, int64_t word) {
  return {like.kind, like.aux, static_cast<uint64_t>(word)};
}

using Fraction = ValueStore::Fraction;

__int128 wide(int64_t word) { return word; }

struct Add {
  static bool overflows(int64_t a, int64_t b, int64_t* result) {
    return __builtin_add_overflow(a, b, result);
  }
  template <typename T>
  static T exact(const T& a, const T& b) {
    return T(a + b);
  }
  static __int128 numerator(const Fraction& a, const Fraction& b) {
    return wide(a.numerator) * b.denominator + wide(b.numerator) * a.denominator;
  }
  static std::optional<num::Real> real(const num::Real& a, const num::Real& b) {
    return num::add(a, b);
  }
};
struct Sub {
  static bool overflows(int64_t a, int64_t b, int64_t* result) {
    return __builtin_sub_overflow(a, b, result);
  }
  template <typename T>
  static T exact(const T& a, const T& b) {
    return T(a - b);
  }
  static __int128 numerator(const Fraction& a, const Fraction& b) {
    return wide(a.numerator) * b.denominator - wide(b.numerator) * a.denominator;
  }
  static std::optional<num::Real> real(const num::Real& a, const num::Real& b) {
    return num::sub(a, b);
  }
};
struct Mul {
  static bool overflows(int64_t a, int64_t b, int64_t* result) {
    return __builtin_mul_overflow(a, b, result);
  }
  template <typename T>
  static T exact(const T& a, const T& b) {
    return T(a * b);
  }
  static __int128 numerator(const Fraction& a, const Fraction& b) {
    return wide(a.numerator) * b.numerator;
  }
  static std::optional<num::Real> real(const num::Real& a, const num::Real& b) {
    return num::mul(a, b);
  }
};

Value real_or_unknown(const Call& call, const std::optional<num::Real>& value) {
  if (!value) return call.unknown("an algebraic number that is too complex");
  return call.values.real(*value);
}

// In steps of 4096 bits.
bool pay_for_bits(const Call& call, uint64_t bits) {
  return bits <= kMaxBits && call.pay(bits >> 12);
}

template <typename Operation>
std::optional<Value> compute_small(const Value& a, const Value& b) {
  const auto left = ValueStore::small_rational(a);
  const auto right = ValueStore::small_rational(b);
  if (!left || !right) return std::nullopt;
  return ValueStore::small_real(Operation::numerator(*left, *right),
                                int64_t{left->denominator} * right->denominator);
}

template <typename Operation>
Value compute(const Call& call, const Value& a, const Value& b) {
  const auto x = word_of(a);
  const auto y = word_of(b);
  int64_t word = 0;
  if (x && y && !Operation::overflows(*x, *y, &word)) return from_word(a, word);
  ValueStore& values = call.values;
  if (!is_real(a)) {
    const mpz_class left = values.big_integer(a);
    const mpz_class right = values.big_integer(b);
    if (!pay_for_bits(call, num::bit_length(left) + num::bit_length(right))) {
      return call.unknown(kTooLarge);
    }
    return values.integer(Operation::exact(left, right));
  }
  if (const auto small = compute_small<Operation>(a, b)) return *small;
  if (!values.is_rational(a) || !values.is_rational(b)) {
    call.pay(1000);
    return real_or_unknown(call, Operation::real(values.exact_real(a), values.exact_real(b)));
  }
  const mpq_class left = values.rational(a);
  const mpq_class right = values.rational(b);
  if (!pay_for_bits(call, num::bit_length(left) + num::bit_length(right))) {
    return call.unknown(kTooLarge);
  }
  return values.real(Operation::exact(left, right));
}

template <typename Operation>
Value fold(const Call& call) {
  return fold_left(call,
                   [&](const Value& a, const Value& b) { return compute<Operation>(call, a, b); });
}

Value negate(const Call& call) {
  const Value& a = call.args[0];
  const Value zero = is_real(a) ? ValueStore::small_real(0) : ValueStore::integer(int64_t{0});
  return compute<Sub>(call, zero, a);
}

// --- Comparisons. ---

int compare(const Call& call, const Value& a, const Value& b) {
  const auto x = word_of(a);
  const auto y = word_of(b);
  if (x && y) return *x < *y ? -1 : (*x > *y ? 1 : 0);
  const ValueStore& values = call.values;
  if (!is_real(a)) return cmp(values.big_integer(a), values.big_integer(b));
  const auto left_small = ValueStore::small_rational(a);
  const auto right_small = ValueStore::small_rational(b);
  if (left_small && right_small) {
    const __int128 difference = Sub::numerator(*left_small, *right_small);
    return difference < 0 ? -1 : (difference > 0 ? 1 : 0);
  }
  if (values.is_rational(a) && values.is_rational(b)) {
    return cmp(values.rational(a), values.rational(b));
  }
  call.pay(1000);
  const num::Real left = values.exact_real(a);
  const num::Real right = values.exact_real(b);
  if (left == right) return 0;
  return std::is_lt(left <=> right) ? -1 : 1;
}

template <typename Holds>
Value comparison(const Call& call, Holds holds) {
  return chain(call, [&](const Value& a, const Value& b) { return holds(compare(call, a, b)); });
}

bool is_zero(const Value& value) { return word_of(value) == 0; }

// --- Division. ---

Value divide_integers(const Call& call) {
  ValueStore& values = call.values;
  return fold_left(call, [&](const Value& a, const Value& b) {
    if (is_zero(b)) {
      const Value arguments[] = {a, b};
      return call.evaluator.open(Op::kIntDiv0, call.sort(), arguments, "div by zero");
    }
    const auto x = word_of(a);
    const auto y = word_of(b);
    if (x && y) {
      if (const auto quotient = num::div_euclid(*x, *y)) return ValueStore::integer(*quotient);
    }
    return values.integer(num::div_euclid(values.big_integer(a), values.big_integer(b)));
  });
}

Value modulo(const Call& call) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  if (is_zero(b)) return call.open(Op::kMod0, "mod by zero");
  const auto x = word_of(a);
  const auto y = word_of(b);
  if (x && y) return ValueStore::integer(num::mod_euclid(*x, *y));
  ValueStore& values = call.values;
  return values.integer(num::mod_euclid(values.big_integer(a), values.big_integer(b)));
}

// z3: the modulus, negated for a negative divisor.
Value remainder(const Call& call) {
  if (is_zero(call.args[1])) return call.open(Op::kRem0, "rem by zero");
  ValueStore& values = call.values;
  const mpz_class divisor = values.big_integer(call.args[1]);
  const mpz_class rest = num::mod_euclid(values.big_integer(call.args[0]), divisor);
  return values.integer(divisor < 0 ? mpz_class(-rest) : rest);
}

Value divide_reals(const Call& call, const Value& a, const Value& b) {
  ValueStore& values = call.values;
  if (!values.is_rational(a) || !values.is_rational(b)) {
    call.pay(1000);
    return real_or_unknown(call, num::div(values.exact_real(a), values.exact_real(b)));
  }
  const mpq_class left = values.rational(a);
  const mpq_class right = values.rational(b);
  if (!pay_for_bits(call, num::bit_length(left) + num::bit_length(right))) {
    return call.unknown(kTooLarge);
  }
  return values.real(mpq_class(left / right));
}

Value quotient(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    if (!is_zero(b)) return divide_reals(call, a, b);
    const Value arguments[] = {a, b};
    return call.evaluator.open(Op::kRealDiv0, call.sort(), arguments, "/ by zero");
  });
}

Value total_division(const Call& call) {
  if (is_zero(call.args[1])) return ValueStore::integer(int64_t{0});
  return divide_integers(call);
}

Value total_modulo(const Call& call) { return is_zero(call.args[1]) ? call.args[0] : modulo(call); }

Value total_quotient(const Call& call) {
  return is_zero(call.args[1]) ? call.args[1] : divide_reals(call, call.args[0], call.args[1]);
}

// --- Powers. ---

template <typename T>
Value number_or_unknown(const Call& call, const std::optional<T>& number) {
  if (!number) return call.unknown(kTooLarge);
  if constexpr (std::is_same_v<T, mpz_class>) {
    return call.values.integer(*number);
  } else {
    return call.values.real(*number);
  }
}

// Before anything is computed: a quantifier may ask for thousands of powers that are too large.
bool pay_for_power(const Call& call, uint64_t bits, const mpz_class& exponent) {
  constexpr uint64_t kMost = kMaxBits / 16;
  call.pay(16);
  if (bits <= 1) return true;  // 0 and 1
  if (abs(exponent) > kMost) return false;
  return pay_for_bits(call, bits * mpz_class(abs(exponent)).get_ui() * 16);
}

Value integer_power(const Call& call) {
  const mpz_class exponent = call.values.big_integer(call.args[1]);
  if (exponent < 0) return call.unknown("an integer to a negative power");
  const mpz_class base = call.values.big_integer(call.args[0]);
  if (!pay_for_power(call, num::bit_length(base), exponent)) return call.unknown(kTooLarge);
  return number_or_unknown(call, num::pow(base, exponent, kMaxBits));
}

Value algebraic_power(const Call& call, const mpz_class& exponent) {
  constexpr int kMaxExponent = 64;
  if (abs(exponent) > kMaxExponent) return call.unknown("an algebraic number that is too complex");
  const auto power = num::pow(call.values.exact_real(call.args[0]),
                              static_cast<uint32_t>(mpz_class(abs(exponent)).get_ui()));
  call.pay(1000);
  if (!power || exponent >= 0) return real_or_unknown(call, power);
  return call.values.real(num::inverse(*power));
}

Value power(const Call& call) {
  const Value& base = call.args[0];
  const Value& exponent = call.args[1];
  if (is_zero(base) && is_zero(exponent)) return call.open(Op::kPow0, "zero to the power of zero");
  if (!is_real(base)) return integer_power(call);
  ValueStore& values = call.values;
  if (!values.is_rational(exponent) || !num::is_integer(values.rational(exponent))) {
    return call.unknown("a power that is not an integer");
  }
  const mpz_class whole = values.rational(exponent).get_num();
  if (is_zero(base) && whole < 0) return call.unknown("zero to a negative power");
  if (!values.is_rational(base)) return algebraic_power(call, whole);
  const mpq_class rational = values.rational(base);
  const uint64_t bits = abs(rational) == 1 ? 1 : num::bit_length(rational);
  if (!pay_for_power(call, bits, whole)) return call.unknown(kTooLarge);
  return number_or_unknown(call, num::pow(rational, whole, kMaxBits));
}

// --- Others. ---

Value absolute(const Call& call) {
  const Value& a = call.args[0];
  if (is_real(a)) return call.values.exact_real(a).sign() < 0 ? negate(call) : a;
  return call.values.big_integer(a) < 0 ? negate(call) : a;
}

Value divisible(const Call& call) {
  return boolean(call.values.big_integer(call.args[0]) % call.index(0) == 0);
}

Value to_real(const Call& call) {
  if (is_real(call.args[0])) return call.args[0];
  if (const auto word = word_of(call.args[0])) return ValueStore::small_real(*word);
  return call.values.real(mpq_class(call.values.big_integer(call.args[0])));
}

Value to_int(const Call& call) {
  if (!is_real(call.args[0])) return call.args[0];
  return call.values.integer(call.values.exact_real(call.args[0]).floor());
}

Value is_int(const Call& call) {
  return boolean(!is_real(call.args[0]) || call.values.exact_real(call.args[0]).is_integer());
}

Value bitwise_and(const Call& call, uint64_t bits, size_t first) {
  ValueStore& values = call.values;
  return number_or_unknown(call, num::int_and(bits, values.big_integer(call.args[first]),
                                              values.big_integer(call.args[first + 1]), kMaxBits));
}

Value parametric_and(const Call& call) {
  const mpz_class bits = call.values.big_integer(call.args[0]);
  if (bits <= 0) return ValueStore::integer(int64_t{0});
  if (bits > kMaxBits) return call.unknown(kTooLarge);
  return bitwise_and(call, bits.get_ui(), 1);
}

mpz_class integer(const Call& call) { return call.values.big_integer(call.args[0]); }

// The functions that z3 uses for open values mean what its model says.
template <Op op>
Value given_by_model(const Call& call) {
  return call.open(op, "only a model says what it is");
}

constexpr OpRule kArithmeticRules[] = {
    {Op::kNeg, negate},
    {Op::kSub, fold<Sub>},
    {Op::kAdd, fold<Add>},
    {Op::kMul, fold<Mul>},
    {Op::kLe, [](const Call& call) { return comparison(call, [](int s) { return s <= 0; }); }},
    {Op::kLt, [](const Call& call) { return comparison(call, [](int s) { return s < 0; }); }},
    {Op::kGe, [](const Call& call) { return comparison(call, [](int s) { return s >= 0; }); }},
    {Op::kGt, [](const Call& call) { return comparison(call, [](int s) { return s > 0; }); }},
    {Op::kIntDiv, divide_integers},
    {Op::kMod, modulo},
    {Op::kAbs, absolute},
    {Op::kDivisible, divisible},
    {Op::kRealDiv, quotient},
    {Op::kToReal, to_real},
    {Op::kToInt, to_int},
    {Op::kIsInt, is_int},
    {Op::kAbsReal, absolute},
    {Op::kPow, power},
    {Op::kRem, remainder},
    {Op::kIntDiv0, given_by_model<Op::kIntDiv0>},
    {Op::kMod0, given_by_model<Op::kMod0>},
    {Op::kRem0, given_by_model<Op::kRem0>},
    {Op::kRealDiv0, given_by_model<Op::kRealDiv0>},
    {Op::kPow0, given_by_model<Op::kPow0>},
    {Op::kIntDivTotal, total_division},
    {Op::kModTotal, total_modulo},
    {Op::kRealDivTotal, total_quotient},
    {Op::kIntAnd, [](const Call& call) { return bitwise_and(call, call.index(0), 0); }},
    {Op::kIntParametricAnd, parametric_and},
    {Op::kIntPow2,
     [](const Call& call) {
       return number_or_unknown(call, num::int_pow2(integer(call), kMaxBits));
     }},
    {Op::kIntLog2,
     [](const Call& call) { return call.values.integer(num::int_log2(integer(call))); }},
    {Op::kIntIsPow2, [](const Call& call) { return boolean(num::is_pow2(integer(call))); }},
};

}  // namespace

std::span<const OpRule> arithmetic_rules() { return kArithmeticRules; }

}  // namespace elenchus::eval
