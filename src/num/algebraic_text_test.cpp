#include "num/algebraic_text.h"

#include <gtest/gtest.h>

namespace elenchus::num {
namespace {

std::string shown(std::string_view text) {
  const auto value = algebraic_of_text(text);
  return value ? value->decimal(6) : "nothing";
}

TEST(AlgebraicText, RootObj) {
  EXPECT_EQ(shown("(root-obj (+ (^ x 2) (- 2)) 1)"), "-1.414213");
  EXPECT_EQ(shown("(root-obj (+ (^ x 2) (- 2)) 2)"), "1.414213");
  EXPECT_EQ(shown("(root-obj (+ (* 2 (^ x 3)) (* (- 3) x) (- 7)) 1)"), "1.843514");
  EXPECT_EQ(shown("(root-obj\n  (- (* x x) 4) 2)"), "2.000000");
  EXPECT_EQ(shown("(root-obj (+ (^ x 2) (- 2)) 3)"), "nothing");
  EXPECT_EQ(shown("(root-obj (+ (^ x 2) 2) 1)"), "nothing");
}

TEST(AlgebraicText, OfCvc5) {
  EXPECT_EQ(shown("(_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)"), "1.414213");
  EXPECT_EQ(shown("(_ real_algebraic_number <x^2 + (-1)*x + (-1), (-1, -1/2)>)"), "-0.618033");
  EXPECT_EQ(shown("(_ real_algebraic_number <1*x^2 + (-2), (2, 3)>)"), "nothing");
}

TEST(AlgebraicText, WithInterval) {
  EXPECT_EQ(shown("(root-of-with-interval (coeffs (- 2) 0 1) 1 2)"), "1.414213");
  EXPECT_EQ(shown("(root-of-with-interval (coeffs -2 0 1) (- 2) (/ (- 1) 2))"), "-1.414213");
}

TEST(AlgebraicText, NonsenseIsNothing) {
  for (const char* text :
       {"", "(", "(root-obj", "(root-obj x)", "(root-obj (+ x 1) 0)",
        "(root-obj (^ x 99999999999) 1)", "(root-obj (^ x x) 1)", "(root-obj (/ x 2) 1)",
        "(_ real_algebraic_number <>)", "(_ real_algebraic_number <x^^2, (1, 2)>)",
        "(root-of-with-interval (coeffs) 1 2)", "(root-obj () 1)"}) {
    EXPECT_EQ(shown(text), "nothing") << text;
  }
  EXPECT_EQ(shown("(root-obj " + std::string(100'000, '(') + "x 1)"), "nothing");
}

TEST(AlgebraicText, WrittenAndReadAgain) {
  for (const char* text : {"(root-obj (+ (^ x 2) (- 2)) 1)", "(root-obj (+ (^ x 2) (- 2)) 2)",
                           "(root-obj (+ (* 2 (^ x 3)) (* (- 3) x) (- 7)) 1)"}) {
    const auto value = algebraic_of_text(text);
    ASSERT_TRUE(value && value->irrational() != nullptr);
    EXPECT_EQ(text_of(*value->irrational()).value_or("nothing"), text);
  }
}

}  // namespace
}  // namespace elenchus::num
