#include "reduce/size.h"

#include <gtest/gtest.h>

#include "ir/test_terms.h"

namespace elenchus::reduce {
namespace {

using ir::TermId;

class SizeTest : public testing::Test {
 protected:
  ir::TestTerms terms_;
  ir::TermStore& store_ = terms_.store;
  Sizes sizes_{store_};

  static ir::Script with_assertion(TermId term) {
    ir::Script script;
    ir::Command command;
    command.kind = ir::CommandKind::kAssert;
    command.term = term;
    script.commands.push_back(command);
    return script;
  }

  Size of(TermId term) { return sizes_.of(with_assertion(term)); }
};

TEST_F(SizeTest, CountsNodes) {
  const TermId p = terms_.constant("p");
  EXPECT_EQ(of(p).written, 1U);
  EXPECT_EQ(of(terms_.negate(p)).written, 2U);
  EXPECT_EQ(of(terms_.both(p, p)).written, 3U);
  EXPECT_LT(of(p), of(terms_.negate(p)));
}

TEST_F(SizeTest, LargeSharedTermsCountOnce) {
  const TermId p = terms_.constant("p");
  const TermId tower = terms_.tower(p, 20);
  EXPECT_EQ(of(tower).written, 21U);
  EXPECT_EQ(of(terms_.both(tower, tower)).written, 21U + 3U);
  EXPECT_EQ(of(terms_.both(tower, tower)).tree, 43U);
  const Size huge = of(terms_.doubled(tower, 200));
  EXPECT_EQ(huge.tree, UINT64_MAX);
  EXPECT_EQ(huge.written, 21U + 600U);
  EXPECT_LT(of(terms_.doubled(tower, 199)), huge);
}

TEST_F(SizeTest, LiteralsCountByMagnitude) {
  const auto weight = [&](TermId term) { return sizes_.literal_weight(term); };
  EXPECT_EQ(weight(store_.small_int(0)), 0U);
  EXPECT_LT(weight(store_.small_int(6)), weight(store_.small_int(7)));
  EXPECT_LT(weight(store_.small_int(99999)),
            weight(store_.int_literal("123456789012345678901234567890")));
  EXPECT_LT(weight(store_.real_literal("2.0")), weight(store_.real_literal("2.5")));
  EXPECT_LT(weight(store_.bits_literal("#x10")), weight(store_.bits_literal("#x03")));
  EXPECT_LT(weight(store_.string_literal("ab")), weight(store_.string_literal("abc")));
}

TEST_F(SizeTest, ForgetsAfterARollback) {
  const TermId p = terms_.constant("p");
  const auto mark = store_.mark();
  const TermId small = terms_.negate(p);
  EXPECT_EQ(of(small).written, 2U);
  store_.rollback(mark);
  const TermId other = terms_.both(p, p);
  ASSERT_EQ(other, small);
  EXPECT_EQ(of(other).written, 3U);
}

}  // namespace
}  // namespace elenchus::reduce
