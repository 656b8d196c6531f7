#include "num/algebraic.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "num/arith.h"
#include "num/flint.h"
#include "num/real_roots.h"

namespace elenchus::num {
namespace {

mpz_class to_mpz(const fmpz* value) {
  mpz_class result;
  fmpz_get_mpz(result.get_mpz_t(), value);
  return result;
}

}  // namespace

struct Algebraic::Rep {
  Qqbar number;
};

namespace {

const qqbar_struct* number_of(const Algebraic& a) { return a.rep().number.get(); }

// Takes the value out of `number`.
Real to_real(qqbar_struct* number) {
  if (qqbar_is_rational(number) != 0) {
    Fmpq value;
    qqbar_get_fmpq(value.get(), number);
    mpq_class result;
    fmpq_get_mpq(result.get_mpq_t(), value.get());
    return result;
  }
  ELENCHUS_CHECK(arb_is_zero(acb_imagref(QQBAR_ENCLOSURE(number))) != 0, "the number is not real");
  auto rep = std::make_shared<Algebraic::Rep>();
  qqbar_swap(rep->number.get(), number);
  settle_enclosure(rep->number.get());
  return Algebraic(std::move(rep));
}

// An interval around a real number, which can be made as narrow as one likes.
class Enclosure {
 public:
  explicit Enclosure(const Algebraic& a) : number_(number_of(a)) {
    acb_set(ball_.get(), QQBAR_ENCLOSURE(number_));
  }

  const arb_struct* interval() const { return acb_realref(ball_.get()); }
  slong precision() const { return precision_; }

  void narrow() {
    precision_ *= 2;
    _qqbar_enclosure_raw(ball_.get(), QQBAR_POLY(number_), ball_.get(), precision_);
  }

 private:
  const qqbar_struct* number_;
  Acb ball_;
  slong precision_ = QQBAR_DEFAULT_PREC;
};

bool are_apart(const arb_struct* a, const arb_struct* b) { return arb_overlaps(a, b) == 0; }

// The order of intervals that are apart.
std::strong_ordering order(const arb_struct* a, const arb_struct* b) {
  return arf_cmp(arb_midref(a), arb_midref(b)) <=> 0;
}

// The floor of a * scale, for a positive scale.
mpz_class scaled_floor(const Algebraic& a, const mpz_class& scale) {
  Fmpz factor;
  fmpz_set_mpz(factor.get(), scale.get_mpz_t());
  Arb ball;
  Fmpz result;
  // Ends: an irrational number keeps a distance from every integer.
  for (Enclosure enclosure(a);; enclosure.narrow()) {
    arb_mul_fmpz(ball.get(), enclosure.interval(), factor.get(), enclosure.precision());
    arb_floor(ball.get(), ball.get(), enclosure.precision());
    if (arb_get_unique_fmpz(result.get(), ball.get()) != 0) return to_mpz(result.get());
  }
}

uint64_t height_bits(const Algebraic& a) {
  return static_cast<uint64_t>(qqbar_height_bits(number_of(a)));
}

// May we compute a polynomial of this degree, with about that many bits in each coefficient?
bool allows(const RealLimits& limits, uint64_t degree, uint64_t bits) {
  return degree <= limits.max_composed_degree && bits <= limits.max_bits / (degree + 1);
}

bool allows(const RealLimits& limits, const Real& a) {
  if (const mpq_class* rational = a.rational()) return bit_length(*rational) <= limits.max_bits;
  return a.degree() <= limits.max_degree;
}

// Calcium reduces x^exponent modulo the minimal polynomial, which takes time quadratic in the
// exponent, and then finds the minimal polynomial of a matrix, with coefficients `degree` times as
// long as those of the result.
bool allows_power(const RealLimits& limits, const Algebraic& a, uint64_t exponent) {
  // What these two cost by the bit, compared with a sum or product of two numbers. Measured.
  constexpr uint64_t kReduction = 64;
  constexpr uint64_t kMatrix = 8;
  if (exponent > limits.max_bits) return false;
  const uint64_t degree = a.degree();
  const uint64_t bits = degree * exponent * (height_bits(a) + 1);
  return bits <= kMatrix * limits.max_bits / (degree + 1) &&
         bits <= kReduction * limits.max_bits / exponent;
}

std::optional<Real> within(const RealLimits& limits, Real result) {
  if (!allows(limits, result)) return std::nullopt;
  return result;
}

// a + b or a * b for a rational b: the degree stays, each coefficient takes up to `degree` times b.
template <auto operation>
std::optional<Real> with_rational(const Algebraic& a, const mpq_class& b,
                                  const RealLimits& limits) {
  const uint64_t degree = a.degree();
  if (!allows(limits, degree, height_bits(a) + degree * (bit_length(b) + 1))) return std::nullopt;
  Fmpq rational;
  fmpq_set_mpq(rational.get(), b.get_mpq_t());
  Qqbar result;
  operation(result.get(), number_of(a), rational.get());
  return within(limits, to_real(result.get()));
}

// a + b or a * b: a polynomial that has as its roots all sums (products) of roots is factored.
template <auto operation>
std::optional<Real> with_irrational(const Algebraic& a, const Algebraic& b,
                                    const RealLimits& limits) {
  const uint64_t a_degree = a.degree();
  const uint64_t b_degree = b.degree();
  const uint64_t degree = a_degree * b_degree;
  const uint64_t bits = b_degree * height_bits(a) + a_degree * height_bits(b) + degree;
  if (!allows(limits, degree, bits)) return std::nullopt;
  Qqbar result;
  operation(result.get(), number_of(a), number_of(b));
  return within(limits, to_real(result.get()));
}

struct Sum {
  static mpq_class of(const mpq_class& a, const mpq_class& b) { return a + b; }
  static std::optional<Real> of(const Algebraic& a, const mpq_class& b, const RealLimits& limits) {
    return with_rational<qqbar_add_fmpq>(a, b, limits);
  }
  static std::optional<Real> of(const Algebraic& a, const Algebraic& b, const RealLimits& limits) {
    if (a == b) return with_rational<qqbar_mul_fmpq>(a, 2, limits);
    if (neg(a) == b) return Real();
    return with_irrational<qqbar_add>(a, b, limits);
  }
};

struct Product {
  static mpq_class of(const mpq_class& a, const mpq_class& b) { return a * b; }
  static std::optional<Real> of(const Algebraic& a, const mpq_class& b, const RealLimits& limits) {
    return with_rational<qqbar_mul_fmpq>(a, b, limits);
  }
  static std::optional<Real> of(const Algebraic& a, const Algebraic& b, const RealLimits& limits) {
    if (a == b) return pow(a, 2, limits);
    return with_irrational<qqbar_mul>(a, b, limits);
  }
};

template <typename Operation>
std::optional<Real> combine(const Real& a, const Real& b, const RealLimits& limits) {
  if (!allows(limits, a) || !allows(limits, b)) return std::nullopt;
  const mpq_class* a_rational = a.rational();
  const mpq_class* b_rational = b.rational();
  if (a_rational && b_rational) return within(limits, Operation::of(*a_rational, *b_rational));
  if (a_rational) return Operation::of(*b.irrational(), *a_rational, limits);
  if (b_rational) return Operation::of(*a.irrational(), *b_rational, limits);
  return Operation::of(*a.irrational(), *b.irrational(), limits);
}

// The exact root, if the integer has one. For a negative one, k is odd.
std::optional<mpz_class> integer_root(const mpz_class& a, uint32_t k) {
  // Also keeps GMP from taking roots of a degree beyond the number's size.
  if (bit_length(a) <= 1) return a;
  if (k >= bit_length(a)) return std::nullopt;
  mpz_class root;
  if (mpz_root(root.get_mpz_t(), a.get_mpz_t(), k) == 0) return std::nullopt;
  return root;
}

std::optional<mpq_class> rational_root(const mpq_class& a, uint32_t k) {
  const auto numerator = integer_root(a.get_num(), k);
  const auto denominator = integer_root(a.get_den(), k);
  if (!numerator || !denominator) return std::nullopt;
  return mpq_class(*numerator, *denominator);
}

// The k-th root of a positive rational that is not a k-th power.
std::optional<Real> irrational_root(const mpq_class& a, uint32_t k, const RealLimits& limits) {
  if (k > limits.max_degree || !allows(limits, k, bit_length(a))) return std::nullopt;
  Fmpq rational;
  fmpq_set_mpq(rational.get(), a.get_mpq_t());
  Qqbar result;
  qqbar_fmpq_root_ui(result.get(), rational.get(), k);
  return within(limits, to_real(result.get()));
}

std::optional<Real> irrational_root(const Algebraic& a, uint32_t k, const RealLimits& limits) {
  if (!allows(limits, uint64_t{a.degree()} * k, height_bits(a))) return std::nullopt;
  Qqbar result;
  qqbar_root_ui(result.get(), number_of(a), k);
  return within(limits, to_real(result.get()));
}

std::optional<Real> positive_root(const Real& a, uint32_t k, const RealLimits& limits) {
  if (const Algebraic* irrational = a.irrational()) return irrational_root(*irrational, k, limits);
  if (auto root = rational_root(*a.rational(), k)) return Real(std::move(*root));
  return irrational_root(*a.rational(), k, limits);
}

// How much work isolating the roots of one polynomial may be.
uint64_t isolation_budget(const RealLimits& limits) { return 512 * limits.max_bits; }

Real linear_root(const fmpz_poly_struct* polynomial) {
  mpq_class root(-to_mpz(polynomial->coeffs), to_mpz(polynomial->coeffs + 1));
  root.canonicalize();
  return root;
}

Real root_between(const fmpz_poly_struct* polynomial, const RootInterval& interval) {
  Qqbar root;
  set_to_root(root.get(), polynomial, interval);
  return to_real(root.get());
}

// The real roots in their order, or nothing beyond the limits.
std::optional<std::vector<Real>> real_roots_of_irreducible(const fmpz_poly_struct* polynomial,
                                                           const RealLimits& limits) {
  if (fmpz_poly_degree(polynomial) == 1) return std::vector<Real>{linear_root(polynomial)};
  const auto intervals = isolate_real_roots(polynomial, isolation_budget(limits));
  if (!intervals) return std::nullopt;
  std::vector<Real> roots;
  for (const RootInterval& interval : *intervals) {
    roots.push_back(root_between(polynomial, interval));
  }
  return roots;
}

// One of them, without the cost of the others.
std::optional<Real> root_of_irreducible(const fmpz_poly_struct* polynomial, size_t index,
                                        const RealLimits& limits) {
  if (fmpz_poly_degree(polynomial) == 1) {
    return index == 1 ? std::optional(linear_root(polynomial)) : std::nullopt;
  }
  const auto intervals = isolate_real_roots(polynomial, isolation_budget(limits));
  if (!intervals || index == 0 || index > intervals->size()) return std::nullopt;
  return root_between(polynomial, (*intervals)[index - 1]);
}

// False for the zero polynomial and beyond the limits.
bool read_polynomial(std::span<const mpz_class> coefficients, const RealLimits& limits,
                     FmpzPoly& out) {
  size_t length = coefficients.size();
  while (length > 0 && coefficients[length - 1] == 0) --length;
  if (length == 0 || length - 1 > limits.max_degree) return false;
  uint64_t bits = 0;
  for (const mpz_class& c : coefficients.first(length)) bits = std::max(bits, bit_length(c));
  if (!allows(limits, length - 1, bits)) return false;
  for (size_t i = 0; i < length; ++i) {
    fmpz_poly_set_coeff_mpz(out.get(), static_cast<slong>(i), coefficients[i].get_mpz_t());
  }
  return true;
}

// False for the zero polynomial and beyond the limits.
bool read_factors(std::span<const mpz_class> coefficients, const RealLimits& limits,
                  FmpzPolyFactors& out) {
  FmpzPoly polynomial;
  if (!read_polynomial(coefficients, limits, polynomial)) return false;
  fmpz_poly_factor(out.get(), polynomial.get());
  return true;
}

// The distinct real roots, in no order. Nothing beyond the limits.
std::optional<std::vector<Real>> real_roots(const fmpz_poly_factor_struct* factors,
                                            const RealLimits& limits) {
  std::vector<Real> all;
  for (slong i = 0; i < factors->num; ++i) {
    auto roots = real_roots_of_irreducible(factors->p + i, limits);
    if (!roots) return std::nullopt;
    std::move(roots->begin(), roots->end(), std::back_inserter(all));
  }
  return all;
}

bool contains(const Interval& interval, const Real& a) {
  if (interval.closed) return Real(interval.lower) <= a && a <= Real(interval.upper);
  return Real(interval.lower) < a && a < Real(interval.upper);
}

}  // namespace

uint32_t Algebraic::degree() const { return static_cast<uint32_t>(qqbar_degree(number_of(*this))); }

int Algebraic::sign() const { return *this < mpq_class(0) ? -1 : 1; }

mpz_class Algebraic::floor() const { return scaled_floor(*this, 1); }

std::vector<mpz_class> Algebraic::minimal_polynomial() const {
  const fmpz* coefficients = QQBAR_COEFFS(number_of(*this));
  std::vector<mpz_class> result;
  for (uint32_t i = 0; i <= degree(); ++i) result.push_back(to_mpz(coefficients + i));
  return result;
}

std::optional<uint32_t> Algebraic::root_index(const RealLimits& limits) const {
  const auto roots = real_roots_of_irreducible(QQBAR_POLY(number_of(*this)), limits);
  if (!roots) return std::nullopt;
  const auto self = std::find(roots->begin(), roots->end(), Real(*this));
  ELENCHUS_CHECK(self != roots->end(), "a number is a root of its minimal polynomial");
  return static_cast<uint32_t>(self - roots->begin()) + 1;
}

std::string Algebraic::decimal(uint32_t digits) const {
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits);
  const bool negative = sign() < 0;
  const mpz_class units = scaled_floor(*this, scale) + (negative ? 1 : 0);
  return scaled_decimal(units, negative, digits);
}

uint64_t Algebraic::hash() const {
  uint64_t hash = degree();
  for (const mpz_class& c : minimal_polynomial()) hash = base::hash_mix(hash, hash_of(c));
  // Tells most of the roots of one polynomial apart.
  return base::hash_mix(hash, hash_of(floor()));
}

bool operator==(const Algebraic& a, const Algebraic& b) {
  return a.rep_ == b.rep_ || qqbar_equal(number_of(a), number_of(b)) != 0;
}

// Not qqbar_cmp_re(), which may compute a difference, at any cost.
std::strong_ordering operator<=>(const Algebraic& a, const Algebraic& b) {
  if (a == b) return std::strong_ordering::equal;
  Enclosure a_at(a);
  Enclosure b_at(b);
  while (!are_apart(a_at.interval(), b_at.interval())) {
    a_at.narrow();
    b_at.narrow();
  }
  return order(a_at.interval(), b_at.interval());
}

std::strong_ordering operator<=>(const Algebraic& a, const mpq_class& b) {
  Fmpq rational;
  fmpq_set_mpq(rational.get(), b.get_mpq_t());
  Arb b_at;
  for (Enclosure a_at(a);; a_at.narrow()) {
    arb_set_fmpq(b_at.get(), rational.get(), a_at.precision());
    if (are_apart(a_at.interval(), b_at.get())) return order(a_at.interval(), b_at.get());
  }
}

bool Real::is_integer() const { return is_rational() && num::is_integer(*rational()); }

int Real::sign() const { return is_rational() ? sgn(*rational()) : irrational()->sign(); }

mpz_class Real::floor() const {
  return is_rational() ? num::floor(*rational()) : irrational()->floor();
}

uint32_t Real::degree() const { return is_rational() ? 1 : irrational()->degree(); }

std::string Real::decimal(uint32_t digits) const {
  return is_rational() ? truncated_decimal(*rational(), digits) : irrational()->decimal(digits);
}

uint64_t Real::hash() const { return is_rational() ? hash_of(*rational()) : irrational()->hash(); }

bool operator==(const Real& a, const Real& b) {
  if (a.is_rational() != b.is_rational()) return false;
  return a.is_rational() ? *a.rational() == *b.rational() : *a.irrational() == *b.irrational();
}

std::strong_ordering operator<=>(const Real& a, const Real& b) {
  if (a.is_rational() && b.is_rational()) return cmp(*a.rational(), *b.rational()) <=> 0;
  if (a.is_rational()) {
    return *b.irrational() < *a.rational() ? std::strong_ordering::greater
                                           : std::strong_ordering::less;
  }
  if (b.is_rational()) return *a.irrational() <=> *b.rational();
  return *a.irrational() <=> *b.irrational();
}

Real neg(const Real& a) {
  if (const mpq_class* rational = a.rational()) return Real(-*rational);
  Qqbar result;
  qqbar_neg(result.get(), number_of(*a.irrational()));
  return to_real(result.get());
}

Real inverse(const Real& a) {
  ELENCHUS_CHECK(a.sign() != 0, "zero has no inverse");
  if (const mpq_class* rational = a.rational()) return Real(1 / *rational);
  Qqbar result;
  qqbar_inv(result.get(), number_of(*a.irrational()));
  return to_real(result.get());
}

std::optional<Real> add(const Real& a, const Real& b, const RealLimits& limits) {
  return combine<Sum>(a, b, limits);
}

std::optional<Real> sub(const Real& a, const Real& b, const RealLimits& limits) {
  return combine<Sum>(a, neg(b), limits);
}

std::optional<Real> mul(const Real& a, const Real& b, const RealLimits& limits) {
  return combine<Product>(a, b, limits);
}

std::optional<Real> div(const Real& a, const Real& b, const RealLimits& limits) {
  ELENCHUS_CHECK(b.sign() != 0, "division by zero");
  if (a == b) return Real(1);
  return combine<Product>(a, inverse(b), limits);
}

std::optional<Real> pow(const Real& a, uint32_t exponent, const RealLimits& limits) {
  if (exponent == 0) return Real(1);
  if (const mpq_class* rational = a.rational()) {
    auto result = pow(*rational, mpz_class(exponent), limits.max_bits);
    return result ? std::optional<Real>(std::move(*result)) : std::nullopt;
  }
  const Algebraic& base = *a.irrational();
  if (!allows_power(limits, base, exponent)) return std::nullopt;
  Qqbar result;
  qqbar_pow_ui(result.get(), number_of(base), exponent);
  return within(limits, to_real(result.get()));
}

std::optional<Real> nth_root(const Real& a, uint32_t k, const RealLimits& limits) {
  ELENCHUS_CHECK(k >= 1, "there is no zeroth root");
  const bool negative = a.sign() < 0;
  ELENCHUS_CHECK(!negative || k % 2 == 1, "an even root of a negative number is not real");
  auto root = positive_root(negative ? neg(a) : a, k, limits);
  if (root && negative) root = neg(*root);
  return root;
}

std::optional<Real> root_of(std::span<const mpz_class> coefficients, size_t index,
                            const RealLimits& limits) {
  FmpzPolyFactors factors;
  if (!read_factors(coefficients, limits, factors)) return std::nullopt;
  if (factors.get()->num == 1) return root_of_irreducible(factors.get()->p, index, limits);
  auto roots = real_roots(factors.get(), limits);
  if (!roots || index == 0 || index > roots->size()) return std::nullopt;
  std::sort(roots->begin(), roots->end());
  return std::move((*roots)[index - 1]);
}

std::optional<Real> root_in(std::span<const mpz_class> coefficients, const Interval& interval,
                            const RealLimits& limits) {
  FmpzPolyFactors factors;
  if (!read_factors(coefficients, limits, factors)) return std::nullopt;
  auto roots = real_roots(factors.get(), limits);
  if (!roots) return std::nullopt;
  std::optional<Real> found;
  for (Real& root : *roots) {
    if (!contains(interval, root)) continue;
    if (found) return std::nullopt;
    found = std::move(root);
  }
  return found;
}

}  // namespace elenchus::num
