#pragma once

#include <gmpxx.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Exact real algebraic numbers: what models of nonlinear real arithmetic consist of.
//
// The work is done by Calcium's qqbar type. Its headers stay in the .cpp file: they are slow, full
// of macros, and written in C.
namespace elenchus::num {

// Degrees multiply from one operation to the next, so every operation that can grow takes limits,
// and gives nothing beyond them. The default ones keep an operation below a second or so.
struct RealLimits {
  // Of a number, and of a polynomial whose roots are asked for.
  uint32_t max_degree = 64;
  // Of the polynomial that an operation has to factor on its way to the result. Larger than the
  // other, since numbers of one field of degree d need d*d here and give a result of degree d.
  uint32_t max_composed_degree = 256;
  // Of either part of a rational, or of all coefficients of a polynomial together.
  uint64_t max_bits = uint64_t{1} << 18;
};

// An irrational real algebraic number. Immutable; copies share. Different threads may use different
// numbers at the same time, and the same one too.
class Algebraic {
 public:
  struct Rep;
  explicit Algebraic(std::shared_ptr<const Rep> rep) : rep_(std::move(rep)) {}

  const Rep& rep() const { return *rep_; }

  // At least 2.
  uint32_t degree() const;
  int sign() const;
  mpz_class floor() const;

  // Coefficients from the constant one up: irreducible, without a common factor, the last one
  // positive.
  std::vector<mpz_class> minimal_polynomial() const;

  // Which of the real roots of that polynomial, counted upwards from 1: z3 prints the number as
  // (root-obj polynomial index). Has to separate all of them; nothing beyond the limits.
  std::optional<uint32_t> root_index(const RealLimits& limits = {}) const;

  // With so many digits after the dot, the rest cut off.
  std::string decimal(uint32_t digits) const;

  uint64_t hash() const;

  friend bool operator==(const Algebraic& a, const Algebraic& b);
  friend std::strong_ordering operator<=>(const Algebraic& a, const Algebraic& b);

  // Never equal.
  friend std::strong_ordering operator<=>(const Algebraic& a, const mpq_class& b);

 private:
  std::shared_ptr<const Rep> rep_;
};

// A rational number (in lowest terms) or an irrational one; never an Algebraic that is rational.
class Real {
 public:
  Real() = default;
  // Implicit: rationals are real numbers, and so are the others.
  Real(mpq_class value) : value_(std::move(value)) {}
  Real(Algebraic value) : value_(std::move(value)) {}

  bool is_rational() const { return rational() != nullptr; }
  // Null if it is not one.
  const mpq_class* rational() const { return std::get_if<mpq_class>(&value_); }
  const Algebraic* irrational() const { return std::get_if<Algebraic>(&value_); }

  bool is_integer() const;
  int sign() const;
  // to_int: the greatest integer that is no greater.
  mpz_class floor() const;
  // 1 for rationals.
  uint32_t degree() const;
  std::string decimal(uint32_t digits) const;
  // Equal numbers have equal hashes.
  uint64_t hash() const;

  friend bool operator==(const Real& a, const Real& b);
  friend std::strong_ordering operator<=>(const Real& a, const Real& b);

 private:
  std::variant<mpq_class, Algebraic> value_;
};

Real neg(const Real& a);
// Of a number that is not zero.
Real inverse(const Real& a);

std::optional<Real> add(const Real& a, const Real& b, const RealLimits& limits = {});
std::optional<Real> sub(const Real& a, const Real& b, const RealLimits& limits = {});
std::optional<Real> mul(const Real& a, const Real& b, const RealLimits& limits = {});
// The divisor is not zero.
std::optional<Real> div(const Real& a, const Real& b, const RealLimits& limits = {});
// With a^0 = 1, 0^0 included.
std::optional<Real> pow(const Real& a, uint32_t exponent, const RealLimits& limits = {});
// The real k-th root, for k >= 1: the one that is not negative for an even k, which needs such an
// `a`; the only one for an odd k.
std::optional<Real> nth_root(const Real& a, uint32_t k, const RealLimits& limits = {});

// z3's (root-obj p index): the index-th distinct real root of the polynomial, counted upwards from
// 1. The coefficients come from the constant one up. Nothing if there is no such root, or beyond
// the limits.
std::optional<Real> root_of(std::span<const mpz_class> coefficients, size_t index,
                            const RealLimits& limits = {});

struct Interval {
  mpq_class lower;
  mpq_class upper;
  bool closed = false;
};

// The only real root of the polynomial in the interval; nothing if there are none or several
// different ones there, or beyond the limits.
std::optional<Real> root_in(std::span<const mpz_class> coefficients, const Interval& interval,
                            const RealLimits& limits = {});

}  // namespace elenchus::num
