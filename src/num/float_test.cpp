#include "num/float.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace elenchus::num {
namespace {

using enum RoundingMode;

constexpr RoundingMode kModes[] = {kRne, kRna, kRtp, kRtn, kRtz};
constexpr FloatFormat kTiny{3, 4};

// "0 11 101": the IEEE bits; the blanks are for the reader and give the format.
Float bits(const std::string& text) {
  std::string digits;
  std::vector<uint32_t> lengths(1);
  for (const char c : text) {
    if (c == ' ') {
      lengths.push_back(0);
    } else {
      digits += c;
      ++lengths.back();
    }
  }
  return Float::from_bits({lengths.at(1), lengths.at(2) + 1}, mpz_class(digits, 2));
}

Float tiny(const char* value, RoundingMode mode = kRne) {
  return Float::from_rational(kTiny, mode, mpq_class(value));
}

TEST(FloatTest, SupportedFormats) {
  EXPECT_TRUE(is_supported({2, 2}));
  EXPECT_TRUE(is_supported({kMaxFloatExponentBits, kMaxFloatSignificandBits}));
  EXPECT_FALSE(is_supported({1, 5}));
  EXPECT_FALSE(is_supported({5, 1}));
  EXPECT_FALSE(is_supported({0, 0}));
  EXPECT_FALSE(is_supported({kMaxFloatExponentBits + 1, 2}));
  EXPECT_FALSE(is_supported({2, kMaxFloatSignificandBits + 1}));
}

TEST(FloatTest, BitsAndBackForAllOfSmallFormats) {
  for (const FloatFormat format : {FloatFormat{2, 2}, {2, 3}, {3, 2}, {3, 4}, {5, 3}, {2, 9}}) {
    const uint32_t total = format.exponent + format.significand;
    const uint32_t infinity = ((1U << format.exponent) - 1) << (format.significand - 1);
    const uint32_t sign = 1U << (total - 1);
    for (uint32_t i = 0; i < (1U << total); ++i) {
      const Float x = Float::from_bits(format, i);
      const bool is_nan = (i & ~sign) > infinity;
      EXPECT_EQ(x.is_nan(), is_nan);
      EXPECT_EQ(x.to_bits(), is_nan ? infinity | (1U << (format.significand - 2)) : i);
      EXPECT_EQ(x.is_infinite(), (i & ~sign) == infinity);
      EXPECT_EQ(x.is_zero(), (i & ~sign) == 0);
      EXPECT_EQ(x.is_subnormal(), (i & infinity) == 0 && !x.is_zero());
      EXPECT_EQ(x.is_normal(), (i & infinity) != 0 && (i & infinity) != infinity);
      EXPECT_EQ(x.is_negative(), (i & sign) != 0 && !is_nan);
      EXPECT_EQ(x.is_positive(), (i & sign) == 0 && !is_nan);
    }
  }
}

TEST(FloatTest, BitsOfWideFormats) {
  const mpz_class one("3fff0000000000000000000000000000", 16);
  EXPECT_EQ(Float::from_integer(kFloat128, kRne, 1).to_bits(), one);
  EXPECT_EQ(Float::from_bits(kFloat128, one).to_rational(64), mpq_class(1));
  for (const FloatFormat format : {kFloat128, FloatFormat{30, 65536}, {2, 63}, {30, 2}}) {
    const mpz_class sign = mpz_class(1) << (format.exponent + format.significand - 1);
    for (const mpz_class& magnitude : {mpz_class(0), mpz_class(1), mpz_class(sign / 2),
                                       mpz_class((mpz_class(1) << (format.significand - 1)) + 1)}) {
      EXPECT_EQ(Float::from_bits(format, magnitude).to_bits(), magnitude);
      EXPECT_EQ(Float::from_bits(format, magnitude + sign).to_bits(), magnitude + sign);
    }
    EXPECT_TRUE(Float::from_bits(format, 1).is_subnormal());
    EXPECT_TRUE(Float::from_bits(format, sign * 2 - 1).is_nan());
    EXPECT_FALSE(Float::from_bits(format, sign * 2 - 1).is_negative());
  }
}

TEST(FloatTest, EqualityIsStructural) {
  EXPECT_EQ(bits("0 111 001"), bits("1 111 110"));
  EXPECT_EQ(bits("0 111 001").hash(), Float::nan(kTiny).hash());
  EXPECT_NE(Float::zero(kTiny, false), Float::zero(kTiny, true));
  EXPECT_NE(Float::zero(kTiny, false).hash(), Float::zero(kTiny, true).hash());
  EXPECT_NE(Float::zero(kTiny, false), Float::zero({4, 3}, false));
  EXPECT_EQ(tiny("3/2"), tiny("3/2"));
  EXPECT_NE(tiny("3/2"), tiny("-3/2"));
  EXPECT_NE(tiny("3/2"), tiny("3"));
  const Float wide = Float::from_rational(kFloat128, kRne, mpq_class("1/3"));
  EXPECT_EQ(wide, Float(wide));
  EXPECT_EQ(wide.hash(), Float(wide).hash());
  EXPECT_NE(wide, Float::from_rational(kFloat128, kRtp, mpq_class("1/3")));
}

TEST(FloatTest, Comparisons) {
  const std::vector<Float> ordered = {Float::infinity(kTiny, true),
                                      tiny("-15"),
                                      tiny("-1/32"),
                                      Float::zero(kTiny, true),
                                      tiny("1/32"),
                                      tiny("7/32"),
                                      tiny("1/4"),
                                      tiny("15"),
                                      Float::infinity(kTiny, false)};
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t k = 0; k < ordered.size(); ++k) {
      EXPECT_EQ(lt(ordered[i], ordered[k]), i < k);
      EXPECT_EQ(leq(ordered[i], ordered[k]), i <= k);
      EXPECT_EQ(eq(ordered[i], ordered[k]), i == k);
      EXPECT_EQ(min(ordered[i], ordered[k]), ordered[std::min(i, k)]);
      EXPECT_EQ(max(ordered[i], ordered[k]), ordered[std::max(i, k)]);
    }
    const Float nan = Float::nan(kTiny);
    EXPECT_FALSE(lt(ordered[i], nan) || lt(nan, ordered[i]));
    EXPECT_FALSE(leq(ordered[i], nan) || leq(nan, ordered[i]));
    EXPECT_FALSE(eq(ordered[i], nan) || eq(nan, nan));
    EXPECT_EQ(min(ordered[i], nan), ordered[i]);
    EXPECT_EQ(max(nan, ordered[i]), ordered[i]);
    EXPECT_EQ(min(nan, nan), nan);
  }
}

TEST(FloatTest, ZerosAreEqualButNeitherIsTheLess) {
  const Float plus = Float::zero(kTiny, false);
  const Float minus = Float::zero(kTiny, true);
  EXPECT_TRUE(eq(plus, minus));
  EXPECT_TRUE(leq(plus, minus));
  EXPECT_FALSE(lt(minus, plus));
  EXPECT_EQ(min(plus, minus), std::nullopt);
  EXPECT_EQ(max(minus, plus), std::nullopt);
  EXPECT_EQ(min(minus, minus), minus);
  EXPECT_EQ(max(minus, minus), minus);
}

TEST(FloatTest, NegationLeavesNan) {
  EXPECT_EQ(neg(Float::nan(kTiny)), Float::nan(kTiny));
  EXPECT_EQ(abs(Float::nan(kTiny)), Float::nan(kTiny));
  EXPECT_EQ(neg(Float::zero(kTiny, false)), Float::zero(kTiny, true));
  EXPECT_EQ(abs(Float::infinity(kTiny, true)), Float::infinity(kTiny, false));
  EXPECT_EQ(neg(tiny("3")), tiny("-3"));
  EXPECT_EQ(abs(tiny("-3")), tiny("3"));
}

TEST(FloatTest, SignsOfExactZeros) {
  const Float plus = Float::zero(kTiny, false);
  const Float minus = Float::zero(kTiny, true);
  const Float two = tiny("2");
  for (const RoundingMode mode : kModes) {
    const Float cancelled = Float::zero(kTiny, mode == kRtn);
    EXPECT_EQ(add(mode, two, tiny("-2")), cancelled);
    EXPECT_EQ(sub(mode, two, two), cancelled);
    EXPECT_EQ(add(mode, plus, minus), cancelled);
    EXPECT_EQ(sub(mode, minus, minus), cancelled);
    EXPECT_EQ(add(mode, plus, plus), plus);
    EXPECT_EQ(add(mode, minus, minus), minus);
    EXPECT_EQ(sub(mode, minus, plus), minus);
    EXPECT_EQ(mul(mode, minus, two), minus);
    EXPECT_EQ(mul(mode, minus, minus), plus);
    EXPECT_EQ(div(mode, plus, tiny("-2")), minus);
    EXPECT_EQ(div(mode, two, Float::infinity(kTiny, true)), minus);
    EXPECT_EQ(sqrt(mode, minus), minus);
    EXPECT_EQ(sqrt(mode, plus), plus);
    EXPECT_EQ(fma(mode, two, two, tiny("-4")), cancelled);
    EXPECT_EQ(fma(mode, plus, two, minus), cancelled);
    EXPECT_EQ(fma(mode, minus, two, minus), minus);
    EXPECT_EQ(round_to_integral(mode, minus), minus);
  }
  EXPECT_EQ(rem(tiny("-4"), two), minus);
  EXPECT_EQ(rem(tiny("4"), tiny("-2")), plus);
  EXPECT_EQ(rem(minus, two), minus);
}

TEST(FloatTest, InvalidOperationsGiveNan) {
  const Float nan = Float::nan(kTiny);
  const Float zero = Float::zero(kTiny, true);
  const Float plus = Float::infinity(kTiny, false);
  const Float minus = Float::infinity(kTiny, true);
  const Float one = tiny("1");
  EXPECT_EQ(add(kRne, plus, minus), nan);
  EXPECT_EQ(sub(kRne, minus, minus), nan);
  EXPECT_EQ(mul(kRne, zero, plus), nan);
  EXPECT_EQ(div(kRne, zero, zero), nan);
  EXPECT_EQ(div(kRne, plus, minus), nan);
  EXPECT_EQ(fma(kRne, zero, plus, one), nan);
  EXPECT_EQ(fma(kRne, plus, one, minus), nan);
  EXPECT_EQ(fma(kRne, one, one, nan), nan);
  EXPECT_EQ(sqrt(kRne, tiny("-1/32")), nan);
  EXPECT_EQ(sqrt(kRne, minus), nan);
  EXPECT_EQ(rem(plus, one), nan);
  EXPECT_EQ(rem(one, zero), nan);
  for (const Float& x : {nan, zero, plus, one}) {
    EXPECT_EQ(add(kRne, nan, x), nan);
    EXPECT_EQ(mul(kRne, x, nan), nan);
    EXPECT_EQ(div(kRne, nan, x), nan);
    EXPECT_EQ(rem(x, nan), nan);
  }
}

TEST(FloatTest, Infinities) {
  const Float plus = Float::infinity(kTiny, false);
  const Float minus = Float::infinity(kTiny, true);
  const Float largest = tiny("15");
  for (const RoundingMode mode : kModes) {
    EXPECT_EQ(add(mode, minus, largest), minus);
    EXPECT_EQ(sub(mode, largest, minus), plus);
    EXPECT_EQ(mul(mode, minus, tiny("-1/32")), plus);
    EXPECT_EQ(div(mode, tiny("-1"), Float::zero(kTiny, false)), minus);
    EXPECT_EQ(sqrt(mode, plus), plus);
    EXPECT_EQ(round_to_integral(mode, minus), minus);
    // The product overflows, but not before the sum.
    EXPECT_EQ(fma(mode, largest, largest, minus), minus);
  }
  EXPECT_EQ(rem(largest, minus), largest);
}

TEST(FloatTest, OverflowFollowsTheMode) {
  const Float largest = tiny("15");
  const Float infinity = Float::infinity(kTiny, false);
  const std::pair<RoundingMode, std::pair<Float, Float>> cases[] = {
      {kRne, {infinity, neg(infinity)}}, {kRna, {infinity, neg(infinity)}},
      {kRtp, {infinity, neg(largest)}},  {kRtn, {largest, neg(infinity)}},
      {kRtz, {largest, neg(largest)}},
  };
  for (const auto& [mode, expected] : cases) {
    EXPECT_EQ(mul(mode, largest, largest), expected.first);
    EXPECT_EQ(mul(mode, largest, neg(largest)), expected.second);
    EXPECT_EQ(tiny("16", mode), expected.first);
    EXPECT_EQ(tiny("-1000000000", mode), expected.second);
    // Half a unit beyond the largest is the first that goes to infinity.
    EXPECT_EQ(tiny("31/2", mode), expected.first);
    EXPECT_EQ(tiny("-31/2", mode), expected.second);
  }
  EXPECT_EQ(tiny("3099/200"), largest);
  EXPECT_EQ(tiny("3099/200", kRna), largest);
}

TEST(FloatTest, SubnormalsAndUnderflow) {
  const Float least = bits("0 000 001");
  EXPECT_EQ(least, tiny("1/32"));
  EXPECT_EQ(tiny("1/64"), Float::zero(kTiny, false));
  EXPECT_EQ(tiny("-1/64"), Float::zero(kTiny, true));
  EXPECT_EQ(tiny("1/64", kRna), least);
  EXPECT_EQ(tiny("3/64"), bits("0 000 010"));
  EXPECT_EQ(tiny("1/1000000", kRtp), least);
  EXPECT_EQ(tiny("-1/1000000", kRtp), Float::zero(kTiny, true));
  EXPECT_EQ(tiny("-1/1000000", kRtn), neg(least));
  EXPECT_EQ(tiny("1/1000000", kRtz), Float::zero(kTiny, false));
  // The largest subnormal rounds up into the normals.
  EXPECT_EQ(tiny("15/64"), bits("0 001 000"));
  EXPECT_TRUE(tiny("15/64").is_normal());
  EXPECT_EQ(mul(kRtn, least, neg(least)), neg(least));
  EXPECT_EQ(mul(kRne, least, neg(least)), Float::zero(kTiny, true));
}

TEST(FloatTest, TheTiniestFormat) {
  const FloatFormat tiniest{2, 2};
  const auto value = [&](const char* text, RoundingMode mode) {
    return Float::from_rational(tiniest, mode, mpq_class(text));
  };
  EXPECT_EQ(bits("0 00 1").to_rational(9), mpq_class(1, 2));
  EXPECT_EQ(bits("0 10 1").to_rational(9), mpq_class(3));
  EXPECT_TRUE(bits("0 11 1").is_nan());
  EXPECT_EQ(value("7/2", kRne), Float::infinity(tiniest, false));
  EXPECT_EQ(value("7/2", kRtz), bits("0 10 1"));
  EXPECT_EQ(value("1/4", kRne), bits("0 00 0"));
  EXPECT_EQ(value("1/4", kRna), bits("0 00 1"));
  EXPECT_EQ(value("3/4", kRne), bits("0 01 0"));
  EXPECT_EQ(value("5/4", kRne), bits("0 01 0"));
  EXPECT_EQ(value("5/4", kRna), bits("0 01 1"));
}

TEST(FloatTest, RoundToIntegral) {
  const std::tuple<const char*, RoundingMode, const char*> cases[] = {
      {"5/2", kRne, "2"},   {"5/2", kRna, "3"},   {"5/2", kRtp, "3"},   {"5/2", kRtn, "2"},
      {"5/2", kRtz, "2"},   {"-5/2", kRne, "-2"}, {"-5/2", kRna, "-3"}, {"-5/2", kRtp, "-2"},
      {"-5/2", kRtn, "-3"}, {"7/2", kRne, "4"},   {"1/32", kRtp, "1"},  {"13", kRtp, "13"},
  };
  for (const auto& [value, mode, expected] : cases) {
    EXPECT_EQ(round_to_integral(mode, tiny(value)), tiny(expected)) << value;
  }
  EXPECT_EQ(round_to_integral(kRne, tiny("-1/2")), Float::zero(kTiny, true));
  EXPECT_EQ(round_to_integral(kRna, tiny("-1/2")), tiny("-1"));
  EXPECT_EQ(round_to_integral(kRtp, tiny("-1/32")), Float::zero(kTiny, true));
}

TEST(FloatTest, AnIntegralThatTheFormatLacksOverflows) {
  const Float x = bits("0 10 11");  // 3.5, the largest; 4 is not a value of (2, 3)
  EXPECT_EQ(round_to_integral(kRne, x), Float::infinity({2, 3}, false));
  EXPECT_EQ(round_to_integral(kRtp, x), Float::infinity({2, 3}, false));
  EXPECT_EQ(round_to_integral(kRtz, x), bits("0 10 10"));
  EXPECT_EQ(round_to_integral(kRtn, neg(x)), Float::infinity({2, 3}, true));
}

TEST(FloatTest, RemainderRoundsTheQuotientToEven) {
  EXPECT_EQ(rem(tiny("5"), tiny("2")), tiny("1"));
  EXPECT_EQ(rem(tiny("7"), tiny("2")), tiny("-1"));
  EXPECT_EQ(rem(tiny("-7"), tiny("2")), tiny("1"));
  EXPECT_EQ(rem(tiny("3"), tiny("2")), tiny("-1"));
  EXPECT_EQ(rem(tiny("1"), tiny("2")), tiny("1"));
  EXPECT_EQ(rem(tiny("1"), tiny("-2")), tiny("1"));
  EXPECT_EQ(rem(tiny("3/2"), tiny("2")), tiny("-1/2"));
  EXPECT_EQ(rem(tiny("15"), tiny("1/32")), Float::zero(kTiny, false));
  EXPECT_EQ(rem(tiny("1/32"), tiny("15")), tiny("1/32"));
}

TEST(FloatTest, RemainderOfHugeExponents) {
  for (const uint32_t significand : {24U, 62U, 63U, 300U}) {
    const FloatFormat format{30, significand};
    const auto power = [&](int exponent) {
      return Float::from_scaled_rational(format, kRne, 1, exponent);
    };
    const Float three = Float::from_integer(format, kRne, 3);
    // 2^even is 1 modulo 3, 2^odd is 2 and so -1.
    EXPECT_EQ(rem(power(500'000'000), three), power(0));
    EXPECT_EQ(rem(power(500'000'001), three), neg(power(0)));
    EXPECT_EQ(rem(neg(power(500'000'001)), three), power(0));
    EXPECT_EQ(rem(power(500'000'000), power(-500'000'000)), Float::zero(format, false));
    EXPECT_EQ(rem(power(-500'000'000), power(500'000'000)), power(-500'000'000));
  }
}

TEST(FloatTest, HugeExponentDifferences) {
  for (const uint32_t significand : {24U, 62U, 63U, 300U}) {
    const FloatFormat format{30, significand};
    const Float huge = Float::from_scaled_rational(format, kRne, 1, 500'000'000);
    const Float small = Float::from_scaled_rational(format, kRne, 1, -500'000'000);
    const Float one = Float::from_integer(format, kRne, 1);
    const Float above = Float::from_bits(format, huge.to_bits() + 1);
    const Float below = Float::from_bits(format, huge.to_bits() - 1);
    EXPECT_EQ(add(kRne, huge, small), huge);
    EXPECT_EQ(add(kRtp, small, huge), above);
    EXPECT_EQ(sub(kRtz, huge, small), below);
    EXPECT_EQ(sub(kRna, huge, small), huge);
    EXPECT_EQ(sub(kRtp, small, huge), neg(below));
    EXPECT_EQ(fma(kRtp, small, small, huge), above);
    EXPECT_EQ(fma(kRtn, neg(small), small, huge), below);
    EXPECT_EQ(fma(kRne, huge, small, one), Float::from_integer(format, kRne, 2));
    EXPECT_EQ(mul(kRtp, small, small), Float::from_bits(format, 1));
    EXPECT_EQ(div(kRne, huge, small), Float::infinity(format, false));
    EXPECT_EQ(sqrt(kRne, mul(kRne, huge, one)),
              Float::from_scaled_rational(format, kRne, 1, 250'000'000));
    EXPECT_EQ(round_to_integral(kRtp, small), one);
    EXPECT_EQ(huge.convert(kFloat64, kRtz), Float::from_bits(kFloat64, 0x7fefffffffffffff));
    EXPECT_EQ(small.convert(kFloat64, kRtp), Float::from_bits(kFloat64, 1));
  }
}

TEST(FloatTest, TheWidestFormat) {
  const FloatFormat format{kMaxFloatExponentBits, kMaxFloatSignificandBits};
  const Float third = Float::from_rational(format, kRne, mpq_class(1, 3));
  const Float three = Float::from_integer(format, kRne, 3);
  EXPECT_EQ(div(kRne, Float::from_integer(format, kRne, 1), three), third);
  EXPECT_EQ(mul(kRne, third, three), Float::from_integer(format, kRne, 1));
  const Float two = Float::from_integer(format, kRne, 2);
  EXPECT_EQ(sqrt(kRne, mul(kRne, two, two)), two);
  EXPECT_TRUE(lt(mul(kRtz, sqrt(kRtz, two), sqrt(kRtz, two)), two));
  EXPECT_EQ(rem(Float::from_scaled_rational(format, kRne, 1, 500'000'000), three),
            Float::from_integer(format, kRne, 1));
}

TEST(FloatTest, IntegersRoundInEveryMode) {
  const std::tuple<int, RoundingMode, int> cases[] = {
      {17, kRne, 16},   {17, kRna, 18},   {17, kRtp, 18}, {17, kRtn, 16}, {17, kRtz, 16},
      {-17, kRtp, -16}, {-17, kRtn, -18}, {19, kRne, 20}, {31, kRne, 32}, {31, kRtz, 30},
  };
  constexpr FloatFormat kFormat{5, 4};
  for (const auto& [value, mode, expected] : cases) {
    EXPECT_EQ(Float::from_integer(kFormat, mode, value).to_integer(kRtz, 10), mpz_class(expected));
  }
  EXPECT_EQ(Float::from_integer(kFormat, kRtn, 0), Float::zero(kFormat, false));
}

TEST(FloatTest, ToIntegerHasALimit) {
  EXPECT_EQ(Float::nan(kTiny).to_integer(kRne, 99), std::nullopt);
  EXPECT_EQ(Float::infinity(kTiny, true).to_integer(kRne, 99), std::nullopt);
  EXPECT_EQ(Float::zero(kTiny, true).to_integer(kRne, 0), mpz_class(0));
  EXPECT_EQ(tiny("-15/2").to_integer(kRtz, 3), mpz_class(-7));
  EXPECT_EQ(tiny("-15/2").to_integer(kRtn, 3), std::nullopt);
  EXPECT_EQ(tiny("-15/2").to_integer(kRtn, 4), mpz_class(-8));
  EXPECT_EQ(tiny("1/4").to_integer(kRtn, 0), mpz_class(0));
  EXPECT_EQ(tiny("1/4").to_integer(kRtp, 1), mpz_class(1));
  EXPECT_EQ(tiny("1/4").to_integer(kRtp, 0), std::nullopt);
  const Float huge = Float::from_scaled_rational({30, 4}, kRne, 1, 500'000'000);
  EXPECT_EQ(huge.to_integer(kRne, 1U << 20), std::nullopt);
  EXPECT_EQ(Float::from_scaled_rational({30, 4}, kRne, -3, 100).to_integer(kRne, 102), mpz_class(-3)
                                                                                           << 100);
}

TEST(FloatTest, ToRationalHasALimit) {
  EXPECT_EQ(Float::nan(kTiny).to_rational(99), std::nullopt);
  EXPECT_EQ(Float::infinity(kTiny, false).to_rational(99), std::nullopt);
  EXPECT_EQ(Float::zero(kTiny, true).to_rational(0), mpq_class(0));
  EXPECT_EQ(tiny("-3/8").to_rational(4), mpq_class(-3, 8));
  EXPECT_EQ(tiny("-3/8").to_rational(3), std::nullopt);
  EXPECT_EQ(tiny("12").to_rational(4), mpq_class(12));
  EXPECT_EQ(tiny("12").to_rational(3), std::nullopt);
  const Float small = Float::from_scaled_rational({30, 4}, kRne, 1, -500'000'000);
  EXPECT_EQ(small.to_rational(1U << 20), std::nullopt);
}

TEST(FloatTest, ScaledRationals) {
  const mpz_class beyond = mpz_class(1) << 200;
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRne, mpq_class(3, 7), 3), tiny("24/7"));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRtp, mpq_class(-1, 3), -3), tiny("-1/24", kRtp));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRne, 1, beyond), Float::infinity(kTiny, false));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRtz, -1, beyond), tiny("-15"));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRne, -1, -beyond), Float::zero(kTiny, true));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRtp, 1, -beyond), tiny("1/32"));
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRtp, 0, beyond), Float::zero(kTiny, false));
  const mpq_class one_bit(1, mpz_class(1) << 100'000);
  EXPECT_EQ(Float::from_scaled_rational(kTiny, kRne, one_bit, 100'001), tiny("2"));
}

TEST(FloatTest, ConversionsBetweenFormats) {
  const Float half = Float::from_rational(kFloat64, kRne, mpq_class(1, 2));
  EXPECT_EQ(half.convert(kFloat32, kRne).to_bits(), 0x3f000000);
  EXPECT_EQ(half.convert(kFloat128, kRne).convert(kFloat64, kRtp), half);
  EXPECT_EQ(Float::nan(kTiny).convert(kFloat128, kRne), Float::nan(kFloat128));
  EXPECT_EQ(Float::infinity(kFloat128, true).convert(kTiny, kRtz), Float::infinity(kTiny, true));
  EXPECT_EQ(Float::zero(kFloat64, true).convert(kTiny, kRtp), Float::zero(kTiny, true));
  const Float third = Float::from_rational(kFloat128, kRtz, mpq_class(1, 3));
  EXPECT_EQ(third.convert(kFloat32, kRtp).to_bits(), 0x3eaaaaab);
  EXPECT_EQ(third.convert(kFloat32, kRtz).to_bits(), 0x3eaaaaaa);
  // A subnormal that is normal elsewhere.
  EXPECT_EQ(Float::from_bits(kFloat32, 1).convert(kFloat64, kRne).to_bits(),
            mpz_class("36a0000000000000", 16));
}

}  // namespace
}  // namespace elenchus::num
