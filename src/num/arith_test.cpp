#include "num/arith.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace elenchus::num {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(ArithTest, DivisorsComeLargestFirst) {
  for (uint32_t number = 1; number < 500; ++number) {
    std::vector<uint32_t> expected;
    for (uint32_t d = number; d > 0; --d) {
      if (number % d == 0) expected.push_back(d);
    }
    EXPECT_EQ(divisors_of(number), expected);
  }
}

TEST(ArithTest, DivisorsTakeAsManyTrialsAsTheSquareRoot) {
  constexpr uint32_t kPrime = 4'294'967'291;
  uint32_t trials = 0;
  const auto divides = [&](uint32_t d) {
    ++trials;
    return kPrime % d == 0;
  };
  EXPECT_EQ(divisors_of(kPrime, divides), (std::vector<uint32_t>{kPrime, 1}));
  EXPECT_EQ(trials, 65'535U);
}

TEST(ArithTest, RemaindersAreNeverNegative) {
  struct Case {
    int64_t n, d, quotient, remainder;
  };
  const Case cases[] = {
      {7, 2, 3, 1},           {7, -2, -3, 1},        {-7, 2, -4, 1},
      {-7, -2, 4, 1},         {6, -3, -2, 0},        {-6, -3, 2, 0},
      {0, -5, 0, 0},          {-1, 5, -1, 4},        {-1, -5, 1, 4},
      {kMin, 2, kMin / 2, 0}, {kMin, 1, kMin, 0},    {kMin, kMax, -2, kMax - 1},
      {kMin + 1, kMin, 1, 1}, {kMax, kMin, 0, kMax}, {kMin, kMin, 1, 0},
      {-1, kMin, 1, kMax},
  };
  for (const auto& [n, d, quotient, remainder] : cases) {
    EXPECT_EQ(div_euclid(n, d), quotient) << n << " / " << d;
    EXPECT_EQ(mod_euclid(n, d), remainder) << n << " / " << d;
    EXPECT_EQ(div_euclid(mpz_class(n), mpz_class(d)), quotient) << n << " / " << d;
    EXPECT_EQ(mod_euclid(mpz_class(n), mpz_class(d)), remainder) << n << " / " << d;
  }
}

TEST(ArithTest, TheLeastMachineIntegerHasNoOpposite) {
  EXPECT_EQ(div_euclid(kMin, int64_t{-1}), std::nullopt);
  EXPECT_EQ(mod_euclid(kMin, int64_t{-1}), 0);
  EXPECT_EQ(div_euclid(kMin + 1, int64_t{-1}), kMax);
}

RC_GTEST_PROP(ArithTest, DivisionFollowsItsDefinition, (int64_t n, int64_t d)) {
  RC_PRE(d != 0);
  const mpz_class q = div_euclid(mpz_class(n), mpz_class(d));
  const mpz_class r = mod_euclid(mpz_class(n), mpz_class(d));
  // In parentheses: RapidCheck would keep parts of an expression longer than GMP allows.
  RC_ASSERT((q * d + r == n));
  RC_ASSERT((r >= 0 && r < abs(mpz_class(d))));
  RC_ASSERT((mod_euclid(n, d) == r));
  if (const auto quotient = div_euclid(n, d)) RC_ASSERT((*quotient == q));
}

TEST(ArithTest, FloorGoesDown) {
  EXPECT_EQ(floor(mpq_class(7, 2)), 3);
  EXPECT_EQ(floor(mpq_class(-7, 2)), -4);
  EXPECT_EQ(floor(mpq_class(-4)), -4);
  EXPECT_EQ(floor(mpq_class(0)), 0);
  EXPECT_TRUE(is_integer(mpq_class(-4)));
  EXPECT_FALSE(is_integer(mpq_class(1, 3)));
}

TEST(ArithTest, BitLengths) {
  EXPECT_EQ(bit_length(mpz_class(0)), 0);
  EXPECT_EQ(bit_length(mpz_class(-1)), 1);
  EXPECT_EQ(bit_length(mpz_class(-8)), 4);
  EXPECT_EQ(bit_length(mpq_class(3, 16)), 5);
}

TEST(ArithTest, PowersOfIntegers) {
  EXPECT_EQ(pow(mpz_class(-3), 3, 100), -27);
  EXPECT_EQ(pow(mpz_class(0), 0, 100), 1);
  EXPECT_EQ(pow(mpz_class(0), 5, 100), 0);
  EXPECT_EQ(pow(mpz_class(7), 0, 100), 1);
  const mpz_class huge("100000000000000000000000000001");
  EXPECT_EQ(pow(mpz_class(-1), huge, 100), -1);
  EXPECT_EQ(pow(mpz_class(-1), huge + 1, 100), 1);
  EXPECT_EQ(pow(mpz_class(1), huge, 100), 1);
  EXPECT_EQ(pow(mpz_class(0), huge, 100), 0);
  EXPECT_EQ(pow(mpz_class(2), huge, 100), std::nullopt);
  EXPECT_EQ(pow(mpz_class(2), 100, 100), std::nullopt);
  EXPECT_EQ(pow(mpz_class(2), 50, 100), mpz_class(1) << 50);
}

TEST(ArithTest, PowersOfRationals) {
  EXPECT_EQ(pow(mpq_class(-2, 3), 3, 100), mpq_class(-8, 27));
  EXPECT_EQ(pow(mpq_class(-2, 3), -3, 100), mpq_class(-27, 8));
  EXPECT_EQ(pow(mpq_class(5), -1, 100), mpq_class(1, 5));
  EXPECT_EQ(pow(mpq_class(0), 0, 100), mpq_class(1));
  EXPECT_EQ(pow(mpq_class(1, 3), 1000, 100), std::nullopt);
  EXPECT_EQ(pow(mpq_class(1, 3), -1000, 100), std::nullopt);
}

// The values at negative arguments are what cvc5 gives.
TEST(ArithTest, PowersAndLogarithmsOfTwo) {
  EXPECT_EQ(int_pow2(0, 100), 1);
  EXPECT_EQ(int_pow2(99, 100), mpz_class(1) << 99);
  EXPECT_EQ(int_pow2(100, 100), std::nullopt);
  EXPECT_EQ(int_pow2(mpz_class(1) << 80, 100), std::nullopt);
  EXPECT_EQ(int_pow2(-3, 100), 0);
  EXPECT_EQ(int_log2(1), 0);
  EXPECT_EQ(int_log2(7), 2);
  EXPECT_EQ(int_log2(8), 3);
  EXPECT_EQ(int_log2(0), 0);
  EXPECT_EQ(int_log2(-8), 0);
  EXPECT_TRUE(is_pow2(1));
  EXPECT_TRUE(is_pow2(mpz_class(1) << 70));
  EXPECT_FALSE(is_pow2(0));
  EXPECT_FALSE(is_pow2(-4));
  EXPECT_FALSE(is_pow2(6));
}

TEST(ArithTest, AndOfBits) {
  EXPECT_EQ(int_and(4, 21, -1, 100), 5);
  EXPECT_EQ(int_and(4, -1, -1, 100), 15);
  EXPECT_EQ(int_and(4, -2, -3, 100), 12);
  EXPECT_EQ(int_and(8, 300, 255, 100), 44);
  EXPECT_EQ(int_and(1, 2, 2, 100), 0);
  // However large k is, only the and of negative numbers is that long.
  const uint64_t k = uint64_t{1} << 40;
  EXPECT_EQ(int_and(k, 12, -7, 100), 8);
  EXPECT_EQ(int_and(k, -1, -1, 100), std::nullopt);
}

TEST(ArithTest, DecimalsAreExact) {
  EXPECT_EQ(rational_of_decimal("1.25"), mpq_class(5, 4));
  EXPECT_EQ(rational_of_decimal("0.0"), mpq_class(0));
  EXPECT_EQ(rational_of_decimal("10.0"), mpq_class(10));
  EXPECT_EQ(rational_of_decimal("0.1"), mpq_class(1, 10));
  EXPECT_EQ(rational_of_decimal("007.500"), mpq_class(15, 2));
  EXPECT_EQ(rational_of_decimal("3."), mpq_class(3));
  const mpq_class tiny = rational_of_decimal("0." + std::string(999, '0') + "1");
  EXPECT_EQ(tiny.get_num(), 1);
  EXPECT_EQ(tiny.get_den(), *pow(mpz_class(10), 1000, 1 << 20));
}

TEST(ArithTest, DecimalsAreCutOff) {
  EXPECT_EQ(truncated_decimal(mpq_class(-7, 4), 1), "-1.7");
  EXPECT_EQ(truncated_decimal(mpq_class(2, 3), 4), "0.6666");
  EXPECT_EQ(truncated_decimal(mpq_class(1, 1000), 3), "0.001");
  EXPECT_EQ(truncated_decimal(mpq_class(-1, 2), 0), "-0");
  EXPECT_EQ(truncated_decimal(mpq_class(12), 2), "12.00");
}

RC_GTEST_PROP(ArithTest, DecimalsComeBack, (int32_t n)) {
  mpq_class value(abs(mpz_class(n)), 1000);
  value.canonicalize();
  RC_ASSERT((rational_of_decimal(truncated_decimal(value, 3)) == value));
}

TEST(ArithTest, HashesTellValuesApart) {
  const mpz_class long_one = (mpz_class(1) << 200) + 3;
  EXPECT_EQ(hash_of(long_one), hash_of(mpz_class(long_one.get_str())));
  EXPECT_NE(hash_of(long_one), hash_of(mpz_class(-long_one)));
  EXPECT_NE(hash_of(mpz_class(0)), hash_of(mpz_class(1)));
  EXPECT_NE(hash_of(mpq_class(1, 2)), hash_of(mpq_class(2)));
  mpq_class reducible(3, 6);
  reducible.canonicalize();
  EXPECT_EQ(hash_of(mpq_class(1, 2)), hash_of(reducible));
}

}  // namespace
}  // namespace elenchus::num
