#include "num/ball.h"

#include <gtest/gtest.h>

#include <vector>

namespace elenchus::num {
namespace {

BallStep number(const char* text) { return {BallOp::kRational, mpq_class(text), 0, 0}; }
BallStep step(BallOp op, uint32_t a, uint32_t b = 0) { return {op, 0, a, b}; }

using Steps = std::vector<BallStep>;

TEST(Ball, SignsOfWhatIsNotZero) {
  EXPECT_EQ(sign_of(Steps{number("-1/3")}), -1);
  EXPECT_EQ(sign_of(Steps{number("1"), step(BallOp::kSin, 0)}), 1);
  // sin 1 is 0.8414709848...
  EXPECT_EQ(sign_of(Steps{number("1"), step(BallOp::kSin, 0), number("8414709848/10000000000"),
                          step(BallOp::kSub, 1, 2)}),
            1);
  // exp(1) * exp(-1) is 1, which no ball shows.
  EXPECT_EQ(sign_of(Steps{number("1"), step(BallOp::kExp, 0), number("-1"), step(BallOp::kExp, 2),
                          step(BallOp::kMul, 1, 3), step(BallOp::kSub, 4, 0)}),
            std::nullopt);
  EXPECT_EQ(sign_of(Steps{number("0")}), std::nullopt);
}

TEST(Ball, CloseNumbersTakeMoreBits) {
  // exp(2^-1000) - 1 is about 2^-1000.
  mpq_class tiny(1);
  tiny.get_den() <<= 1000;
  EXPECT_EQ(sign_of(Steps{{BallOp::kRational, tiny, 0, 0},
                          step(BallOp::kExp, 0),
                          number("1"),
                          step(BallOp::kSub, 1, 2)}),
            1);
}

TEST(Ball, NothingIsKnownOutsideADomain) {
  EXPECT_EQ(sign_of(Steps{number("2"), step(BallOp::kArcsin, 0)}), std::nullopt);
  EXPECT_EQ(sign_of(Steps{number("-2"), step(BallOp::kLog, 0)}), std::nullopt);
  EXPECT_EQ(sign_of(Steps{number("0"), step(BallOp::kCot, 0)}), std::nullopt);
  // Twice the tangent of half pi, which has none.
  EXPECT_EQ(sign_of(Steps{step(BallOp::kPi, 0), number("2"), step(BallOp::kDiv, 0, 1),
                          step(BallOp::kTan, 2)}),
            std::nullopt);
}

TEST(Ball, Floors) {
  EXPECT_EQ(floor_of(Steps{step(BallOp::kPi, 0)}), mpz_class(3));
  EXPECT_EQ(floor_of(Steps{number("-1/2")}), mpz_class(-1));
  EXPECT_EQ(floor_of(Steps{number("7")}), std::nullopt);
  EXPECT_EQ(floor_of(Steps{number("20"), step(BallOp::kExp, 0)}), mpz_class(485165195));
}

}  // namespace
}  // namespace elenchus::num
