#include "ir/term_batch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class TermBatchTest : public testing::Test, protected TestTerms {
 protected:
  TermBatch batch_{store};
  const TermId p_ = constant("p");
};

TEST_F(TermBatchTest, ResolvesToWhatWouldHaveBeenMade) {
  EXPECT_TRUE(batch_.empty());
  const TermId five = batch_.add_numeral(5);
  EXPECT_TRUE(TermBatch::is_pending(five));
  EXPECT_EQ(batch_.sort(five), kIntSort);
  const TermId pair[] = {five, five};
  const TermId less = batch_.add(Op::kLt, kBoolSort, 0, pair);
  EXPECT_EQ(batch_.sort(less), kBoolSort);
  const TermId parts[] = {p_, less};
  const TermId root = batch_.add(Op::kAnd, kBoolSort, 0, parts);
  EXPECT_FALSE(TermBatch::is_pending(p_));
  EXPECT_FALSE(batch_.empty());
  batch_.resolve();
  const TermId literal = store.int_literal("5");
  EXPECT_EQ(batch_.resolved(root), both(p_, make(Op::kLt, {literal, literal})));
  EXPECT_EQ(batch_.resolved(five), literal);
  EXPECT_EQ(batch_.resolved(p_), p_);
  batch_.clear();
  EXPECT_TRUE(batch_.empty());
}

TEST_F(TermBatchTest, EqualTermsOfABatchBecomeOne) {
  const TermId args[] = {p_};
  const TermId first = batch_.add(Op::kNot, kBoolSort, 0, args);
  const TermId second = batch_.add(Op::kNot, kBoolSort, 0, args);
  const TermId ones[] = {first, second};
  const TermId others[] = {second, first};
  const TermId a = batch_.add(Op::kAnd, kBoolSort, 0, ones);
  const TermId b = batch_.add(Op::kAnd, kBoolSort, 0, others);
  batch_.resolve();
  EXPECT_EQ(batch_.resolved(a), batch_.resolved(b));
}

TEST_F(TermBatchTest, DeepBatches) {
  TermId term = p_;
  for (int i = 0; i < 200'000; ++i) {
    const TermId args[] = {term};
    term = batch_.add(Op::kNot, kBoolSort, 0, args);
  }
  batch_.resolve();
  EXPECT_EQ(batch_.resolved(term), tower(p_, 200'000));
}

// The same script of random terms through batches of many sizes and one by one.
TEST_F(TermBatchTest, AgreesWithMakingThemOneByOne) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    base::Rng rng(seed);
    std::vector<TermId> plain = {p_, store.int_literal("3")};
    std::vector<TermId> pending = plain;
    for (int i = 0; i < 300; ++i) {
      std::vector<TermId> args;
      std::vector<TermId> pending_args;
      for (uint64_t count = rng.below(4); count > 0; --count) {
        const size_t which = rng.below(plain.size());
        args.push_back(plain[which]);
        pending_args.push_back(pending[which]);
      }
      const auto payload = static_cast<uint32_t>(rng.below(5));
      if (rng.one_in(4)) {
        plain.push_back(store.int_literal(std::to_string(payload * 1'000)));
        pending.push_back(batch_.add_numeral(payload * 1'000));
      } else {
        plain.push_back(store.make(Op::kUnknownCall, kUnknownSort, payload, args));
        pending.push_back(batch_.add(Op::kUnknownCall, kUnknownSort, payload, pending_args));
      }
      if (rng.one_in(1 + seed * 10)) {
        batch_.resolve();
        for (TermId& term : pending) term = batch_.resolved(term);
        batch_.clear();
        ASSERT_EQ(pending, plain);
      }
    }
    batch_.resolve();
    for (TermId& term : pending) term = batch_.resolved(term);
    batch_.clear();
    ASSERT_EQ(pending, plain);
  }
}

}  // namespace
}  // namespace elenchus::ir
