#include "num/real_roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

namespace elenchus::num {
namespace {

// p(x) becomes p(2^exponent * (x + index)), up to a positive factor: the interval becomes (0, 1).
void map_to_unit(fmpz_poly_struct* p, const RootInterval& interval) {
  _fmpz_poly_scale_2exp(p->coeffs, p->length, interval.exponent);
  Fmpz index;
  fmpz_set_mpz(index.get(), interval.index.get_mpz_t());
  fmpz_poly_taylor_shift(p, p, index.get());
}

int sign_changes(const fmpz_poly_struct* p) {
  int changes = 0;
  int last = 0;
  for (slong i = 0; i < p->length; ++i) {
    const int sign = fmpz_sgn(p->coeffs + i);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++changes;
    last = sign;
  }
  return changes;
}

// Descartes' rule for the interval (0, 1): no less than the number of roots there, and exact if it
// is 0 or 1. Destroys the polynomial.
int descartes_bound(fmpz_poly_struct* p) {
  fmpz_poly_reverse(p, p, p->length);
  Fmpz one;
  fmpz_one(one.get());
  fmpz_poly_taylor_shift(p, p, one.get());
  return sign_changes(p);
}

uint64_t size_in_bits(const fmpz_poly_struct* p) {
  return static_cast<uint64_t>(p->length) *
         static_cast<uint64_t>(std::abs(fmpz_poly_max_bits(p)) + 1);
}

// Isolates positive roots: halves an interval as long as it may hold several.
class Isolator {
 public:
  Isolator(const fmpz_poly_struct* polynomial, uint64_t budget)
      : polynomial_(polynomial), budget_(budget) {}

  // False when the budget is used up.
  bool run(std::vector<RootInterval>& out) {
    Fmpz bound;
    fmpz_poly_bound_roots(bound.get(), polynomial_);
    std::vector<RootInterval> open{{0, static_cast<slong>(fmpz_bits(bound.get()))}};
    while (!open.empty()) {
      const RootInterval interval = std::move(open.back());
      open.pop_back();
      const auto roots = roots_in(interval);
      if (!roots) return false;
      if (*roots == 1) out.push_back(interval);
      if (*roots <= 1) continue;
      open.push_back({2 * interval.index + 1, interval.exponent - 1});
      open.push_back({2 * interval.index, interval.exponent - 1});
    }
    return true;
  }

  uint64_t budget() const { return budget_; }

 private:
  std::optional<int> roots_in(const RootInterval& interval) {
    FmpzPoly mapped;
    fmpz_poly_set(mapped.get(), polynomial_);
    map_to_unit(mapped.get(), interval);
    const uint64_t cost = size_in_bits(mapped.get());
    if (cost > budget_) return std::nullopt;
    budget_ -= cost;
    return descartes_bound(mapped.get());
  }

  const fmpz_poly_struct* polynomial_;
  uint64_t budget_;
};

// The sign of the polynomial at a number that is no root.
int sign_at(const fmpz_poly_struct* polynomial, const arf_struct* x) {
  Arb at;
  arb_set_arf(at.get(), x);
  Arb value;
  for (slong precision = 128;; precision *= 2) {
    arb_fmpz_poly_evaluate_arb(value.get(), polynomial, at.get(), precision);
    if (arb_contains_zero(value.get()) == 0) return arf_sgn(arb_midref(value.get()));
  }
}

// Some B with 2^-B below the absolute value of every root.
slong root_exponent_bound(const fmpz_poly_struct* polynomial) {
  // The roots of the reversed polynomial are the inverses.
  FmpzPoly reversed;
  fmpz_poly_reverse(reversed.get(), polynomial, polynomial->length);
  Fmpz bound;
  fmpz_poly_bound_roots(bound.get(), reversed.get());
  return static_cast<slong>(fmpz_bits(bound.get()));
}

slong exponent_of(const arf_struct* x) { return arf_abs_bound_lt_2exp_si(x); }

// An interval with one root, which is not zero, and with different signs of the polynomial at its
// ends.
class Bracket {
 public:
  Bracket(const fmpz_poly_struct* polynomial, const arb_struct* interval)
      : polynomial_(polynomial) {
    Arf radius;
    arf_set_mag(radius.get(), arb_radref(interval));
    arf_sub(lower_.get(), arb_midref(interval), radius.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_add(upper_.get(), arb_midref(interval), radius.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
    lower_sign_ = sign_at(polynomial_, lower_.get());
    exclude_zero();
  }

  // Halves the interval, or the range of exponents if that is what is unknown.
  void halve() {
    Arf middle;
    const slong lower_exponent = exponent_of(lower_.get());
    const slong upper_exponent = exponent_of(upper_.get());
    if (std::abs(lower_exponent - upper_exponent) < 2) {
      arf_add(middle.get(), lower_.get(), upper_.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
      arf_mul_2exp_si(middle.get(), middle.get(), -1);
    } else {
      // An end with exponent e is from 2^(e-1) to below 2^e.
      const slong smaller = std::min(lower_exponent, upper_exponent);
      const slong larger = std::max(lower_exponent, upper_exponent);
      arf_set_si(middle.get(), arf_sgn(upper_.get()));
      arf_mul_2exp_si(middle.get(), middle.get(), smaller + (larger - smaller - 1) / 2);
    }
    split_at(middle.get());
  }

  void get(arb_struct* out) const {
    arb_set_interval_arf(out, lower_.get(), upper_.get(), ARF_PREC_EXACT);
  }

 private:
  void split_at(arf_struct* middle) {
    const bool root_is_above = sign_at(polynomial_, middle) == lower_sign_;
    arf_swap(root_is_above ? lower_.get() : upper_.get(), middle);
  }

  // Makes both ends of one sign, for exponents to mean something.
  void exclude_zero() {
    const int signs = arf_sgn(lower_.get()) * arf_sgn(upper_.get());
    if (signs > 0) return;
    Arf zero;
    if (signs < 0) split_at(zero.get());
    const bool positive = arf_sgn(upper_.get()) > 0;
    arf_struct* end = positive ? lower_.get() : upper_.get();
    arf_set_si(end, positive ? 1 : -1);
    arf_mul_2exp_si(end, end, -root_exponent_bound(polynomial_));
  }

  const fmpz_poly_struct* polynomial_;
  Arf lower_;
  Arf upper_;
  int lower_sign_ = 0;
};

slong accuracy(const arb_struct* interval) { return arb_rel_accuracy_bits(interval); }

// Newton's method for intervals: sets `next` to an interval that contains every root that is in
// `interval`.
void newton_step(const fmpz_poly_struct* polynomial, const arb_struct* interval, slong precision,
                 arb_struct* next) {
  FmpzPoly derivative;
  fmpz_poly_derivative(derivative.get(), polynomial);
  Arb middle;
  arb_get_mid_arb(middle.get(), interval);
  Arb value;
  arb_fmpz_poly_evaluate_arb(value.get(), polynomial, middle.get(), precision);
  Arb slope;
  arb_fmpz_poly_evaluate_arb(slope.get(), derivative.get(), interval, precision);
  arb_div(next, value.get(), slope.get(), precision);
  arb_sub(next, middle.get(), next, precision);
}

// Does a step with the precision that Calcium would use bring nearly twice as many digits? Then so
// will every further one, the more the better.
bool newton_is_fast(const fmpz_poly_struct* polynomial, const arb_struct* interval) {
  const slong digits = accuracy(interval);
  if (digits < QQBAR_DEFAULT_PREC / 2) return false;
  Arb next;
  newton_step(polynomial, interval, 2 * (digits + 10), next.get());
  return arb_contains(interval, next.get()) != 0 && 5 * accuracy(next.get()) > 8 * digits;
}

// Takes a step, with precision to spare, if it makes the interval much narrower.
bool improve_by_newton(const fmpz_poly_struct* polynomial, arb_struct* interval) {
  const slong digits = accuracy(interval);
  const slong precision =
      2 * std::max<slong>(digits, 0) + std::abs(fmpz_poly_max_bits(polynomial)) + 64;
  Arb next;
  newton_step(polynomial, interval, precision, next.get());
  if (arb_contains(interval, next.get()) == 0 || accuracy(next.get()) < digits + 8) return false;
  arb_swap(interval, next.get());
  return true;
}

double value_at(std::span<const double> coefficients, double x) {
  double value = 0;
  for (auto it = coefficients.rbegin(); it != coefficients.rend(); ++it) value = value * x + *it;
  return value;
}

// A number near the root between `lower` and `upper`, mostly: machine numbers promise nothing.
double guess_root(std::span<const double> coefficients, double lower, double upper) {
  const bool rises = value_at(coefficients, lower) < 0;
  constexpr int kSteps = 80;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = lower + (upper - lower) / 2;
    ((value_at(coefficients, middle) < 0) == rises ? lower : upper) = middle;
  }
  return lower;
}

// Replaces the interval by a much narrower one, with machine numbers, if these will do.
void narrow_by_guess(const fmpz_poly_struct* polynomial, arb_struct* interval) {
  constexpr slong kMaxLength = 32;
  if (polynomial->length > kMaxLength) return;
  std::array<double, kMaxLength> coefficients;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (slong i = 0; i < polynomial->length; ++i) {
    coefficients[i] = fmpz_get_d(polynomial->coeffs + i);
  }
  const double middle = arf_get_d(arb_midref(interval), ARF_RND_NEAR);
  const double radius = mag_get_d(arb_radref(interval));
  const std::span known(coefficients.data(), static_cast<size_t>(polynomial->length));
  const double guess = guess_root(known, middle - radius, middle + radius);
  if (!std::isfinite(guess)) return;
  Arb candidate;
  arb_set_d(candidate.get(), guess);
  mag_set_d(arb_radref(candidate.get()), std::ldexp(std::abs(guess), -40));
  // An interval that Newton's step maps into itself has a root, and here there is only one.
  if (arb_contains(interval, candidate.get()) == 0) return;
  Arb next;
  newton_step(polynomial, candidate.get(), QQBAR_DEFAULT_PREC, next.get());
  if (arb_contains(candidate.get(), next.get()) != 0) arb_swap(interval, next.get());
}

bool settle_by_newton(const fmpz_poly_struct* polynomial, arb_struct* interval) {
  while (!newton_is_fast(polynomial, interval)) {
    if (!improve_by_newton(polynomial, interval)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<RootInterval>> isolate_real_roots(const fmpz_poly_struct* polynomial,
                                                            uint64_t budget) {
  // Negative roots are the positive ones of p(-x).
  FmpzPoly mirrored;
  fmpz_poly_set(mirrored.get(), polynomial);
  for (slong i = 1; i < mirrored.get()->length; i += 2) {
    fmpz_neg(mirrored.get()->coeffs + i, mirrored.get()->coeffs + i);
  }
  std::vector<RootInterval> roots;
  Isolator negative(mirrored.get(), budget);
  if (!negative.run(roots)) return std::nullopt;
  std::reverse(roots.begin(), roots.end());
  for (RootInterval& interval : roots) interval.index = -interval.index - 1;
  Isolator positive(polynomial, negative.budget());
  if (!positive.run(roots)) return std::nullopt;
  return roots;
}

void set_to_root(qqbar_struct* number, const fmpz_poly_struct* polynomial,
                 const RootInterval& interval) {
  fmpz_poly_set(QQBAR_POLY(number), polynomial);
  if (fmpz_sgn(fmpz_poly_lead(polynomial)) < 0) {
    fmpz_poly_neg(QQBAR_POLY(number), QQBAR_POLY(number));
  }
  // From 2i to 2i + 2 in half steps of the interval: the middle is 2i + 1.
  const mpz_class middle = 2 * interval.index + 1;
  Fmpz index;
  fmpz_set_mpz(index.get(), middle.get_mpz_t());
  acb_struct* enclosure = QQBAR_ENCLOSURE(number);
  acb_zero(enclosure);
  arf_set_fmpz(arb_midref(acb_realref(enclosure)), index.get());
  mag_one(arb_radref(acb_realref(enclosure)));
  acb_mul_2exp_si(enclosure, enclosure, interval.exponent - 1);
  narrow_by_guess(polynomial, acb_realref(enclosure));
}

void settle_enclosure(qqbar_struct* number) {
  const fmpz_poly_struct* polynomial = QQBAR_POLY(number);
  arb_struct* interval = acb_realref(QQBAR_ENCLOSURE(number));
  if (settle_by_newton(polynomial, interval)) return;
  // The bracket stays exact. The interval that it gives may be a little wider and reach another
  // root, but then Newton's method fails.
  Bracket bracket(polynomial, interval);
  do {
    for (int i = 0; i < 16; ++i) bracket.halve();
    bracket.get(interval);
  } while (!settle_by_newton(polynomial, interval));
}

}  // namespace elenchus::num
