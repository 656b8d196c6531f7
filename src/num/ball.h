#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <span>

// Real numbers that are known by an expression only, with functions that have no exact values. Arb
// encloses them in balls: what balls show is proved, and what they leave open stays open.
namespace elenchus::num {

enum class BallOp : uint8_t {
  kRational,
  kPi,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kAbs,
  kExp,
  kLog,
  kSin,
  kCos,
  kTan,
  kCot,
  kSec,
  kCsc,
  kArcsin,
  kArccos,
  kArctan,
  kSinh,
  kCosh,
  kTanh,
  kArsinh,
  kArcosh,
  kArtanh,
};

// One step of an expression; the operands are earlier steps.
struct BallStep {
  BallOp op = BallOp::kRational;
  mpq_class rational = 0;
  uint32_t a = 0;
  uint32_t b = 0;
};

// Where an operation has no value, as the tangent at a pole, nothing is known of what depends on
// it.

// The sign of the last step's value, unless it is zero or too close to it.
std::optional<int> sign_of(std::span<const BallStep> steps);

// The greatest integer that is no greater, unless the value is an integer or too close to one.
std::optional<mpz_class> floor_of(std::span<const BallStep> steps);

}  // namespace elenchus::num
