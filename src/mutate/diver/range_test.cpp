// The shapes of ranges by themselves. What operators make of them is in tests/range_test.cpp.
#include "mutate/diver/range.h"

#include <gtest/gtest.h>

#include "ir/model.h"
#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

class RangeShapes : public ::testing::Test {
 protected:
  static Interval from_to(int low, int high) { return {Interval::End{low}, Interval::End{high}}; }
  Value integer(int64_t value) { return ValueStore::integer(value); }
  double score(const Range& range) { return Ranges::score(range); }

  ir::TermStore store;
  ir::Model model;
  Evaluator evaluator{store, model};
  Ranges ranges{evaluator};
  ValueStore& values = evaluator.values();
};

// Section III-B of the paper.
TEST_F(RangeShapes, Scores) {
  EXPECT_EQ(score(Ranges::any()), 1.0);
  EXPECT_EQ(score(nothing()), 0.001);
  EXPECT_EQ(score(Ranges::only(boolean(true))), 0.5);
  EXPECT_EQ(score(Ranges::only(integer(3))), 0.001);
  EXPECT_EQ(score(one_of({integer(3), integer(4)})), 0.002);
  EXPECT_EQ(score(all_but({integer(3)})), 1.0);
  EXPECT_EQ(score(interval({Interval::End{3}, std::nullopt})), 1.0);
  EXPECT_EQ(score(interval(from_to(0, 1000))), 1.0);
  EXPECT_EQ(score(interval(from_to(0, 499))), 0.5);
  EXPECT_EQ(score(interval(from_to(7, 7))), 0.001);
  EXPECT_EQ(score({MadeBy{}}), 0.5);
  BitRange bits = *full_bits(16).as<BitRange>();
  EXPECT_EQ(score({bits}), 1.0);
  bits.mask = 0xfff0;
  EXPECT_EQ(score({bits}), 0.016);
  bits.high = 3;
  EXPECT_EQ(score({bits}), 0.004);
}

TEST_F(RangeShapes, BooleansHaveTwoValues) {
  EXPECT_TRUE(all_but({boolean(true), boolean(false)}).as<NoValue>() != nullptr);
  EXPECT_TRUE(one_of({boolean(true), boolean(false)}).is_any());
  EXPECT_TRUE(ranges.contains(all_but({boolean(true)}), boolean(false)));
}

TEST_F(RangeShapes, UnknownValuesAreNowhere) {
  const Value unknown = values.unknown("for a test");
  EXPECT_FALSE(ranges.contains(Ranges::any(), unknown));
  EXPECT_FALSE(ranges.contains(all_but({integer(1)}), unknown));
  EXPECT_TRUE(Ranges::only(unknown).as<NoValue>() != nullptr);
}

TEST_F(RangeShapes, EndsAreOpenOrClosed) {
  const Range half_open{Interval{Interval::End{mpq_class(1, 2), true}, Interval::End{2}}};
  EXPECT_FALSE(ranges.contains(half_open, values.real(mpq_class(1, 2))));
  EXPECT_TRUE(ranges.contains(half_open, values.real(mpq_class(2, 3))));
  EXPECT_TRUE(ranges.contains(half_open, values.real(mpq_class(2))));
  const Interval integers = whole(*half_open.as<Interval>());
  EXPECT_EQ(integers.low->at, 1);
  EXPECT_EQ(integers.high->at, 2);
}

TEST_F(RangeShapes, FloatsInTheirOrder) {
  const num::FloatFormat format{3, 4};
  const mpz_class infinity = infinity_place(format);
  for (mpz_class place = -1 - infinity; place < infinity; ++place) {
    const num::Float number = float_at(format, place);
    EXPECT_EQ(float_place(number), place);
    EXPECT_EQ(num::lt(number, float_at(format, place + 1)), place != -1);
  }
  EXPECT_TRUE(float_at(format, infinity).is_infinite());
}

TEST_F(RangeShapes, LanguagesOfOneStringAreValues) {
  EXPECT_TRUE(language(values, values.regexes().literal(U"ab")).as<Listed>() != nullptr);
  EXPECT_TRUE(language(values, num::RegexStore::all()).is_any());
  EXPECT_TRUE(language(values, num::RegexStore::none()).as<NoValue>() != nullptr);
  EXPECT_EQ(score(language(values, num::RegexStore::any_char())), 0.001);
}

TEST_F(RangeShapes, Intersections) {
  const Range low{Interval{Interval::End{1}, std::nullopt}};
  const Range high{Interval{std::nullopt, Interval::End{4, true}}};
  const auto both = ranges.intersection(low, high);
  ASSERT_TRUE(both.has_value());
  EXPECT_TRUE(ranges.contains(*both, integer(3)));
  EXPECT_FALSE(ranges.contains(*both, integer(4)));
  EXPECT_FALSE(ranges.contains(*both, integer(0)));
  const auto listed = ranges.intersection(low, one_of({integer(0), integer(2)}));
  ASSERT_TRUE(listed.has_value());
  EXPECT_EQ(score(*listed), 0.001);
}

}  // namespace
}  // namespace elenchus::mutate::diver
