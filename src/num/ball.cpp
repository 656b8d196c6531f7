#include "num/ball.h"

#include <vector>

#include "num/flint.h"

namespace elenchus::num {
namespace {

// The precision is doubled until a question is decided; beyond this it stays open.
constexpr slong kFirstPrecision = 64;
constexpr slong kLastPrecision = 4096;

void set_rational(Arb& result, const mpq_class& value, slong precision) {
  Fmpq exact;
  fmpq_set_mpq(exact.get(), value.get_mpq_t());
  arb_set_fmpq(result.get(), exact.get(), precision);
}

// Arb gives a ball that is not finite where an operand may lie outside the domain.
void enclose(const BallStep& step, std::vector<Arb>& balls, size_t at, slong p) {
  arb_struct* y = balls[at].get();
  const arb_struct* a = balls[step.a].get();
  const arb_struct* b = balls[step.b].get();
  switch (step.op) {
    case BallOp::kRational: return set_rational(balls[at], step.rational, p);
    case BallOp::kPi: return arb_const_pi(y, p);
    case BallOp::kAdd: return arb_add(y, a, b, p);
    case BallOp::kSub: return arb_sub(y, a, b, p);
    case BallOp::kMul: return arb_mul(y, a, b, p);
    case BallOp::kDiv: return arb_div(y, a, b, p);
    case BallOp::kAbs: return arb_abs(y, a);
    case BallOp::kExp: return arb_exp(y, a, p);
    case BallOp::kLog: return arb_log(y, a, p);
    case BallOp::kSin: return arb_sin(y, a, p);
    case BallOp::kCos: return arb_cos(y, a, p);
    case BallOp::kTan: return arb_tan(y, a, p);
    case BallOp::kCot: return arb_cot(y, a, p);
    case BallOp::kSec: return arb_sec(y, a, p);
    case BallOp::kCsc: return arb_csc(y, a, p);
    case BallOp::kArcsin: return arb_asin(y, a, p);
    case BallOp::kArccos: return arb_acos(y, a, p);
    case BallOp::kArctan: return arb_atan(y, a, p);
    case BallOp::kSinh: return arb_sinh(y, a, p);
    case BallOp::kCosh: return arb_cosh(y, a, p);
    case BallOp::kTanh: return arb_tanh(y, a, p);
    case BallOp::kArsinh: return arb_asinh(y, a, p);
    case BallOp::kArcosh: return arb_acosh(y, a, p);
    case BallOp::kArtanh: return arb_atanh(y, a, p);
  }
}

// Asks of the last step's ball, with more and more bits, until there is an answer.
template <typename Ask>
auto ask_of(std::span<const BallStep> steps, Ask ask) -> decltype(ask(nullptr, slong{})) {
  std::vector<Arb> balls(steps.size());
  for (slong precision = kFirstPrecision; precision <= kLastPrecision; precision *= 2) {
    for (size_t i = 0; i < steps.size(); ++i) enclose(steps[i], balls, i, precision);
    const arb_struct* last = balls.back().get();
    if (arb_is_finite(last) == 0) continue;
    if (const auto answer = ask(last, precision)) return answer;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> sign_of(std::span<const BallStep> steps) {
  return ask_of(steps, [](const arb_struct* ball, slong) -> std::optional<int> {
    if (arb_is_positive(ball) != 0) return 1;
    if (arb_is_negative(ball) != 0) return -1;
    return std::nullopt;
  });
}

std::optional<mpz_class> floor_of(std::span<const BallStep> steps) {
  return ask_of(steps, [](const arb_struct* ball, slong precision) -> std::optional<mpz_class> {
    // A ball around a huge number would need as many bits.
    constexpr slong kMaxExponent = 4096;
    if (arb_contains_int(ball) != 0 || arb_rel_error_bits(ball) > 0) return std::nullopt;
    if (arf_cmpabs_2exp_si(arb_midref(ball), kMaxExponent) > 0) return std::nullopt;
    Arb floor;
    Fmpz whole;
    arb_floor(floor.get(), ball, precision);
    if (arb_get_unique_fmpz(whole.get(), floor.get()) == 0) return std::nullopt;
    mpz_class result;
    fmpz_get_mpz(result.get_mpz_t(), whole.get());
    return result;
  });
}

}  // namespace elenchus::num
