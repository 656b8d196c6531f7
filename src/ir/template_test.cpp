#include "ir/template.h"

#include <gtest/gtest.h>

#include <vector>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class TemplateTest : public testing::Test, protected TestTerms {
 protected:
  // With these terms for p and q.
  TermId filled(const Template& pattern, TermId for_p, TermId for_q) {
    const TermId terms[] = {for_p, for_q};
    return pattern.fill(store, scratch_, [&](size_t hole) { return terms[hole]; });
  }
  Template over_p_and_q(TermId term) {
    const TermId constants[] = {p_, q_};
    return Template(store, walker_, term, constants);
  }

  Walker walker_{store};
  Template::Scratch scratch_;
  const TermId p_ = constant("p");
  const TermId q_ = constant("q");
  const TermId r_ = constant("r");
  const TermId x_ = variable("x");
};

TEST_F(TemplateTest, FilledOverAndOver) {
  const TermId term = both(negate(p_), forall({x_}, make(Op::kOr, {x_, q_, r_})));
  const Template pattern = over_p_and_q(term);
  EXPECT_TRUE(pattern.has_holes());
  EXPECT_EQ(pattern.term(), term);
  EXPECT_EQ(filled(pattern, q_, p_), both(negate(q_), forall({x_}, make(Op::kOr, {x_, p_, r_}))));
  EXPECT_EQ(filled(pattern, negate(p_), r_),
            both(negate(negate(p_)), forall({x_}, make(Op::kOr, {x_, r_, r_}))));
}

TEST_F(TemplateTest, FilledWithItsOwnConstantsItIsTheTerm) {
  const TermId term = both(negate(p_), q_);
  const Template pattern = over_p_and_q(term);
  const uint32_t before = store.term_count();
  EXPECT_EQ(filled(pattern, p_, q_), term);
  EXPECT_EQ(store.term_count(), before);
}

TEST_F(TemplateTest, ATermThatIsAHole) {
  const Template pattern = over_p_and_q(q_);
  EXPECT_TRUE(pattern.has_holes());
  EXPECT_EQ(filled(pattern, r_, negate(r_)), negate(r_));
}

TEST_F(TemplateTest, WithoutHoles) {
  const Template pattern = over_p_and_q(negate(r_));
  EXPECT_FALSE(pattern.has_holes());
  EXPECT_EQ(filled(pattern, q_, p_), negate(r_));
}

TEST_F(TemplateTest, PatternsAreLeftAlone) {
  const TermId hinted = annotate(x_, ":pattern", {p_});
  const Template none = over_p_and_q(forall({x_}, hinted));
  EXPECT_FALSE(none.has_holes());
  EXPECT_EQ(filled(none, q_, r_), forall({x_}, hinted));
  const Template body = over_p_and_q(forall({x_}, annotate(both(x_, p_), ":pattern", {p_})));
  EXPECT_EQ(filled(body, q_, r_), forall({x_}, annotate(both(x_, q_), ":pattern", {p_})));
}

TEST_F(TemplateTest, AHoleIsAPlaceBelowADistinctTerm) {
  const Template pattern = over_p_and_q(doubled(both(p_, p_), 100));
  uint32_t asked = 0;
  const TermId result = pattern.fill(store, scratch_, [&](size_t hole) {
    EXPECT_EQ(hole, 0U);
    return ++asked == 1 ? q_ : r_;
  });
  EXPECT_EQ(asked, 2U);
  EXPECT_EQ(result, doubled(both(q_, r_), 100));
}

TEST_F(TemplateTest, AMillionNestedTerms) {
  const Template pattern = over_p_and_q(tower(p_, 1'000'000));
  EXPECT_EQ(filled(pattern, q_, r_), tower(q_, 1'000'000));
}

}  // namespace
}  // namespace elenchus::ir
