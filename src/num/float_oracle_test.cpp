#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/rng.h"
#include "num/float.h"

// Float against others who know: plain rationals and a list of all values for tiny formats, the
// machine for Float32 and Float64, and for wide formats the conversion from the exact result.
namespace elenchus::num {
namespace {

using enum RoundingMode;

constexpr RoundingMode kModes[] = {kRne, kRna, kRtp, kRtn, kRtz};
constexpr uint64_t kNoLimit = UINT64_MAX;

mpq_class power_of_two(int exponent) {
  mpq_class result = 1;
  if (exponent >= 0) result <<= static_cast<unsigned>(exponent);
  if (exponent < 0) result >>= static_cast<unsigned>(-exponent);
  return result;
}

// All the values of a tiny format, read from the bits as IEEE 754 says, and rounding by definition.
class TinyFormat {
 public:
  explicit TinyFormat(FloatFormat format) : format_(format) {
    const int bias = (1 << (format.exponent - 1)) - 1;
    const int fraction_bits = static_cast<int>(format.significand) - 1;
    const uint32_t infinity = ((1U << format.exponent) - 1) << fraction_bits;
    // At the place of infinity stands what the next value would be.
    for (uint32_t bits = 0; bits <= infinity; ++bits) {
      const int biased = static_cast<int>(bits >> fraction_bits);
      const mpq_class fraction =
          mpq_class(bits & ((1U << fraction_bits) - 1)) * power_of_two(-fraction_bits);
      magnitudes_.push_back(biased == 0 ? mpq_class(fraction * power_of_two(1 - bias))
                                        : mpq_class((1 + fraction) * power_of_two(biased - bias)));
    }
    for (uint32_t bits = 0; bits < infinity; ++bits) {
      for (const bool negative : {false, true}) finite_.push_back(make(negative, bits));
    }
  }

  FloatFormat format() const { return format_; }
  const std::vector<Float>& finite() const { return finite_; }

  mpq_class value(const Float& x) const {
    const mpz_class magnitude = abs(x).to_bits();
    const mpq_class& result = magnitudes_.at(magnitude.get_ui());
    return x.is_negative() ? mpq_class(-result) : result;
  }

  // `compare(q)` is the sign of the true magnitude minus q.
  template <typename Compare>
  Float round(RoundingMode mode, bool negative, Compare compare) const {
    size_t low = 0;
    size_t high = magnitudes_.size();
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (compare(magnitudes_[middle]) >= 0 ? low : high) = middle;
    }
    const size_t infinity = magnitudes_.size() - 1;
    if (low < infinity && compare(magnitudes_[low]) == 0) return make(negative, low);
    const bool away = mode == (negative ? kRtn : kRtp);
    if (mode == kRtz || mode == kRtp || mode == kRtn) {
      if (low == infinity) return make(negative, away ? infinity : infinity - 1);
      return make(negative, away ? low + 1 : low);
    }
    if (low == infinity) return make(negative, infinity);
    const int side = compare(mpq_class((magnitudes_[low] + magnitudes_[low + 1]) / 2));
    const bool up = side > 0 || (side == 0 && (mode == kRna || low % 2 == 1));
    return make(negative, up ? low + 1 : low);
  }

  Float round(RoundingMode mode, const mpq_class& exact) const {
    const mpq_class magnitude = ::abs(exact);
    return round(mode, exact < 0, [&](const mpq_class& q) { return cmp(magnitude, q); });
  }

 private:
  Float make(bool negative, size_t magnitude) const {
    const uint32_t sign = 1U << (format_.exponent + format_.significand - 1);
    return Float::from_bits(format_, mpz_class(magnitude + (negative ? sign : 0)));
  }

  FloatFormat format_;
  std::vector<mpq_class> magnitudes_;
  std::vector<Float> finite_;
};

mpz_class floor_of(const mpq_class& value) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

mpz_class to_integer(RoundingMode mode, const mpq_class& value) {
  mpz_class floor = floor_of(value);
  mpz_class ceiling = -floor_of(-value);
  const int side = cmp(value, mpq_class(floor + mpq_class(1, 2)));
  switch (mode) {
    case kRtp: return ceiling;
    case kRtn: return floor;
    case kRtz: return value < 0 ? ceiling : floor;
    case kRna:
      if (side == 0) return value < 0 ? floor : ceiling;
      break;
    case kRne:
      if (side == 0) return mpz_even_p(floor.get_mpz_t()) != 0 ? floor : ceiling;
      break;
  }
  return side < 0 ? floor : ceiling;
}

std::string format_name(const testing::TestParamInfo<FloatFormat>& test) {
  return std::to_string(test.param.exponent) + "_" + std::to_string(test.param.significand);
}

class TinyFormatTest : public testing::TestWithParam<FloatFormat> {
 protected:
  const TinyFormat tiny_{GetParam()};
};

TEST_P(TinyFormatTest, ArithmeticIsRoundedOnce) {
  for (const Float& x : tiny_.finite()) {
    for (const Float& y : tiny_.finite()) {
      const mpq_class a = tiny_.value(x);
      const mpq_class b = tiny_.value(y);
      for (const RoundingMode mode : kModes) {
        if (a + b != 0) {
          ASSERT_EQ(add(mode, x, y), tiny_.round(mode, a + b));
        }
        if (a - b != 0) {
          ASSERT_EQ(sub(mode, x, y), tiny_.round(mode, a - b));
        }
        if (a * b != 0) {
          ASSERT_EQ(mul(mode, x, y), tiny_.round(mode, a * b));
        }
        if (a * b != 0) {
          ASSERT_EQ(div(mode, x, y), tiny_.round(mode, a / b));
        }
      }
    }
  }
}

TEST_P(TinyFormatTest, FmaIsRoundedOnce) {
  base::Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Float& x = rng.pick(std::span(tiny_.finite()));
    const Float& y = rng.pick(std::span(tiny_.finite()));
    const Float& z = rng.pick(std::span(tiny_.finite()));
    const mpq_class exact = tiny_.value(x) * tiny_.value(y) + tiny_.value(z);
    if (exact == 0) continue;
    for (const RoundingMode mode : kModes) {
      ASSERT_EQ(fma(mode, x, y, z), tiny_.round(mode, exact));
    }
  }
}

TEST_P(TinyFormatTest, Remainder) {
  for (const Float& x : tiny_.finite()) {
    for (const Float& y : tiny_.finite()) {
      if (y.is_zero()) continue;
      const mpq_class a = tiny_.value(x);
      const mpq_class b = tiny_.value(y);
      const mpq_class exact = a - b * to_integer(kRne, a / b);
      const Float result = rem(x, y);
      ASSERT_EQ(tiny_.value(result), exact);
      if (exact == 0) {
        ASSERT_EQ(result.is_negative(), x.is_negative());
      }
    }
  }
}

TEST_P(TinyFormatTest, SquareRoot) {
  for (const Float& x : tiny_.finite()) {
    if (x.is_negative() || x.is_zero()) continue;
    const mpq_class a = tiny_.value(x);
    for (const RoundingMode mode : kModes) {
      const auto compare = [&](const mpq_class& q) { return cmp(a, mpq_class(q * q)); };
      ASSERT_EQ(sqrt(mode, x), tiny_.round(mode, false, compare));
    }
  }
}

TEST_P(TinyFormatTest, Integers) {
  for (const Float& x : tiny_.finite()) {
    const mpq_class a = tiny_.value(x);
    ASSERT_EQ(x.to_rational(kNoLimit), a);
    for (const RoundingMode mode : kModes) {
      const mpz_class integer = to_integer(mode, a);
      ASSERT_EQ(x.to_integer(mode, kNoLimit), integer);
      const Float expected =
          integer == 0 ? Float::zero(tiny_.format(), x.is_negative()) : tiny_.round(mode, integer);
      ASSERT_EQ(round_to_integral(mode, x), expected);
    }
  }
  for (int i = -70; i <= 70; ++i) {
    if (i == 0) continue;
    for (const RoundingMode mode : kModes) {
      ASSERT_EQ(Float::from_integer(tiny_.format(), mode, i), tiny_.round(mode, i));
    }
  }
}

TEST_P(TinyFormatTest, ConversionsToOtherFormats) {
  for (const FloatFormat to : {FloatFormat{2, 2}, {2, 3}, {3, 4}, {4, 3}, {4, 5}}) {
    const TinyFormat other(to);
    for (const Float& x : tiny_.finite()) {
      if (x.is_zero()) continue;
      for (const RoundingMode mode : kModes) {
        ASSERT_EQ(x.convert(to, mode), other.round(mode, tiny_.value(x)));
        ASSERT_EQ(x.convert(kFloat128, mode).convert(to, mode), x.convert(to, mode));
      }
    }
  }
}

TEST_P(TinyFormatTest, ComparisonsAreThoseOfTheValues) {
  for (const Float& x : tiny_.finite()) {
    for (const Float& y : tiny_.finite()) {
      const int order = cmp(tiny_.value(x), tiny_.value(y));
      ASSERT_EQ(lt(x, y), order < 0);
      ASSERT_EQ(leq(x, y), order <= 0);
      ASSERT_EQ(eq(x, y), order == 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FloatOracle, TinyFormatTest,
                         testing::Values(FloatFormat{2, 2}, FloatFormat{2, 3}, FloatFormat{2, 5},
                                         FloatFormat{3, 2}, FloatFormat{3, 4}, FloatFormat{4, 2}),
                         format_name);

// What the machine computes. Volatile operands and results hold each operation between the changes
// of the rounding mode.
template <typename T>
class Machine {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static constexpr FloatFormat kFormat = sizeof(T) == 4 ? kFloat32 : kFloat64;

  static Float to_float(T value) {
    return Float::from_bits(kFormat, mpz_class(std::bit_cast<Bits>(value)));
  }

  // Special values, values near to them, powers of two, and bits at random.
  static T draw(base::Rng& rng) {
    constexpr int kFraction = static_cast<int>(kFormat.significand) - 1;
    const Bits one = std::bit_cast<Bits>(T{1});
    const Bits infinity = ((Bits{1} << kFormat.exponent) - 1) << kFraction;
    const Bits sign = Bits{1} << (sizeof(T) * 8 - 1);
    const auto random = static_cast<Bits>(rng.next());
    const auto small = static_cast<Bits>(rng.below(5)) - 2;
    Bits result = random;
    switch (rng.below(8)) {
      case 0: result = std::array<Bits, 4>{0, infinity, infinity + 1, one}[rng.below(4)]; break;
      case 1:
        result = std::array<Bits, 3>{infinity, one, Bits{1} << kFraction}[rng.below(3)] + small;
        break;
      case 2: result = random & infinity; break;
      case 3: result = random >> (kFormat.exponent + 1 + rng.below(kFraction)); break;
      case 4: result = one + (random >> kFormat.exponent); break;
      case 5: result = std::bit_cast<Bits>(static_cast<T>(rng.between(-40, 40)) / 4); break;
      default: break;
    }
    return std::bit_cast<T>(static_cast<Bits>(rng.one_in(2) ? result ^ sign : result));
  }
};

struct MachineMode {
  RoundingMode mode;
  int machine;
};

constexpr MachineMode kMachineModes[] = {
    {kRne, FE_TONEAREST}, {kRtp, FE_UPWARD}, {kRtn, FE_DOWNWARD}, {kRtz, FE_TOWARDZERO}};

template <typename Compute>
void in_mode(int machine, Compute compute) {
  std::fesetround(machine);
  compute();
  std::fesetround(FE_TONEAREST);
}

template <typename T>
class MachineTest : public testing::Test {};

using MachineTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(MachineTest, MachineTypes);

constexpr int kMachineRounds = 20'000;

TYPED_TEST(MachineTest, Arithmetic) {
  using M = Machine<TypeParam>;
  base::Rng rng(2);
  for (int i = 0; i < kMachineRounds; ++i) {
    const volatile TypeParam a = M::draw(rng);
    const volatile TypeParam b = M::draw(rng);
    const volatile TypeParam c = M::draw(rng);
    const Float x = M::to_float(a);
    const Float y = M::to_float(b);
    const Float z = M::to_float(c);
    for (const auto& [mode, machine] : kMachineModes) {
      volatile TypeParam results[7];
      in_mode(machine, [&] {
        results[0] = a + b;
        results[1] = a - b;
        results[2] = a * b;
        results[3] = a / b;
        results[4] = std::sqrt(a);
        results[5] = std::fma(a, b, c);
        results[6] = std::nearbyint(a);
      });
      ASSERT_EQ(add(mode, x, y), M::to_float(results[0])) << a << " + " << b;
      ASSERT_EQ(sub(mode, x, y), M::to_float(results[1])) << a << " - " << b;
      ASSERT_EQ(mul(mode, x, y), M::to_float(results[2])) << a << " * " << b;
      ASSERT_EQ(div(mode, x, y), M::to_float(results[3])) << a << " / " << b;
      ASSERT_EQ(sqrt(mode, x), M::to_float(results[4])) << a;
      ASSERT_EQ(fma(mode, x, y, z), M::to_float(results[5])) << a << " * " << b << " + " << c;
      ASSERT_EQ(round_to_integral(mode, x), M::to_float(results[6])) << a;
    }
    // glibc does not always give a remainder of zero the sign of its first operand; IEEE 754 does.
    const Float remainder = M::to_float(std::remainder(a, b));
    ASSERT_EQ(rem(x, y), remainder.is_zero() ? Float::zero(M::kFormat, x.is_negative()) : remainder)
        << a << " rem " << b;
    ASSERT_EQ(eq(x, y), a == b);
    ASSERT_EQ(lt(x, y), a < b);
    ASSERT_EQ(leq(x, y), a <= b);
  }
}

TYPED_TEST(MachineTest, FmaWithCancellation) {
  using M = Machine<TypeParam>;
  base::Rng rng(3);
  for (int i = 0; i < kMachineRounds; ++i) {
    const volatile TypeParam a = M::draw(rng);
    const volatile TypeParam b = M::draw(rng);
    const volatile TypeParam c = -(a * b);
    for (const auto& [mode, machine] : kMachineModes) {
      volatile TypeParam result = 0;
      in_mode(machine, [&] { result = std::fma(a, b, c); });
      ASSERT_EQ(fma(mode, M::to_float(a), M::to_float(b), M::to_float(c)), M::to_float(result))
          << a << " * " << b << " + " << c;
    }
  }
}

TYPED_TEST(MachineTest, Conversions) {
  using M = Machine<TypeParam>;
  using Other = std::conditional_t<sizeof(TypeParam) == 4, double, float>;
  base::Rng rng(4);
  for (int i = 0; i < kMachineRounds; ++i) {
    const volatile TypeParam a = M::draw(rng);
    const volatile auto integer = static_cast<int64_t>(rng.next() >> rng.below(64));
    for (const auto& [mode, machine] : kMachineModes) {
      volatile Other converted = 0;
      volatile TypeParam from_integer = 0;
      in_mode(machine, [&] {
        converted = static_cast<Other>(a);
        from_integer = static_cast<TypeParam>(integer);
      });
      ASSERT_EQ(M::to_float(a).convert(Machine<Other>::kFormat, mode),
                Machine<Other>::to_float(converted));
      ASSERT_EQ(Float::from_integer(M::kFormat, mode, mpz_class(integer)),
                M::to_float(from_integer));
    }
  }
}

// Significands with long runs of equal bits, exponents near to each other or to the subnormals.
Float draw_wide(base::Rng& rng, FloatFormat format) {
  const uint32_t fraction_bits = format.significand - 1;
  mpz_class fraction = 0;
  for (int i = 0; i < 4; ++i) fraction ^= mpz_class(1) << rng.below(format.significand);
  if (rng.one_in(2)) fraction = (mpz_class(1) << fraction_bits) - 1 - fraction;
  mpz_fdiv_r_2exp(fraction.get_mpz_t(), fraction.get_mpz_t(), fraction_bits);
  const uint64_t bias = (uint64_t{1} << (format.exponent - 1)) - 1;
  const uint64_t spread = std::clamp<uint64_t>(bias / 2, 1, 2 * format.significand);
  const uint64_t biased =
      rng.one_in(4) && format.exponent < 16 ? rng.below(3) : bias - spread / 2 + rng.below(spread);
  const Float result = Float::from_bits(format, (mpz_class(biased) << fraction_bits) + fraction);
  return rng.one_in(2) ? neg(result) : result;
}

class WideFormatTest : public testing::TestWithParam<FloatFormat> {};

TEST_P(WideFormatTest, ArithmeticIsTheConversionOfTheExactResult) {
  const FloatFormat format = GetParam();
  const auto value = [](const Float& x) { return x.to_rational(kNoLimit).value(); };
  base::Rng rng(5);
  for (int i = 0; i < 500; ++i) {
    const Float x = draw_wide(rng, format);
    const Float y = draw_wide(rng, format);
    const Float z = draw_wide(rng, format);
    if (x.is_zero() || y.is_zero()) continue;
    const mpq_class a = value(x);
    const mpq_class b = value(y);
    const mpq_class c = value(z);
    for (const RoundingMode mode : kModes) {
      const auto rounded = [&](const mpq_class& q) {
        return Float::from_rational(format, mode, q);
      };
      if (a + b != 0) {
        ASSERT_EQ(add(mode, x, y), rounded(a + b));
      }
      if (a - b != 0) {
        ASSERT_EQ(sub(mode, x, y), rounded(a - b));
      }
      ASSERT_EQ(mul(mode, x, y), rounded(a * b));
      ASSERT_EQ(div(mode, x, y), rounded(a / b));
      if (a * b + c != 0) {
        ASSERT_EQ(fma(mode, x, y, z), rounded(a * b + c));
      }
    }
    const mpq_class remainder = a - b * to_integer(kRne, a / b);
    ASSERT_EQ(value(rem(x, y)), remainder);
  }
}

TEST_P(WideFormatTest, SquareRootBySquares) {
  const FloatFormat format = GetParam();
  base::Rng rng(6);
  for (int i = 0; i < 500; ++i) {
    const Float x = abs(draw_wide(rng, format));
    const mpq_class exact = x.to_rational(kNoLimit).value();
    const Float down = sqrt(kRtz, x);
    const Float up = sqrt(kRtp, x);
    const mpq_class low = down.to_rational(kNoLimit).value();
    const mpq_class high = up.to_rational(kNoLimit).value();
    ASSERT_TRUE(low * low <= exact && exact <= high * high);
    ASSERT_TRUE(down == up ? low * low == exact : up.to_bits() == down.to_bits() + 1);
    const mpq_class middle = (low + high) / 2;
    const Float nearest = exact > middle * middle ? up : down;
    ASSERT_EQ(sqrt(kRne, x), nearest);
    ASSERT_EQ(sqrt(kRna, x), nearest);
    ASSERT_EQ(sqrt(kRtn, x), down);
  }
}

INSTANTIATE_TEST_SUITE_P(FloatOracle, WideFormatTest,
                         testing::Values(FloatFormat{2, 62}, FloatFormat{5, 61}, FloatFormat{9, 62},
                                         FloatFormat{9, 63}, FloatFormat{15, 64}, kFloat128,
                                         FloatFormat{12, 300}, FloatFormat{30, 62}),
                         format_name);

}  // namespace
}  // namespace elenchus::num
