#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "num/algebraic.h"

// Algebraic numbers as solvers write them:
//   z3      (root-obj (+ (^ x 2) (- 2)) 1)
//   cvc5    (_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)
//   others  (root-of-with-interval (coeffs (- 2) 0 1) 1 2), the constant coefficient first
namespace elenchus::num {

// Nothing if the text is not of these forms, if it does not name one number, or beyond the limits.
std::optional<Real> algebraic_of_text(std::string_view text, const RealLimits& limits = {});

// The first form. Nothing where finding the number's place among the roots takes too long.
std::optional<std::string> text_of(const Algebraic& number);

}  // namespace elenchus::num
