#include "ir/term_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class TermCacheTest : public testing::Test, protected TestTerms {
 protected:
  // The term as text, from the texts of its arguments.
  std::string text_of(TermId term) {
    return cache_.at(term, [this](TermId t) {
      ++computed_[t.value];
      std::string text = "not ";
      if (store.op(t) == Op::kCall) text = store.symbols().text(store.fun(store.callee(t)).name);
      for (const TermId arg : store.args(t)) text += cache_.get(arg);
      return text;
    });
  }

  TermCache<std::string> cache_{store};
  std::map<uint32_t, int> computed_;
};

TEST_F(TermCacheTest, EveryTermIsComputedOnce) {
  const TermId p = constant("p");
  const TermId root = tower(p, 3);
  EXPECT_EQ(text_of(root), "not not not p");
  EXPECT_EQ(text_of(p), "p");
  EXPECT_EQ(text_of(root), "not not not p");
  for (const auto& [id, times] : computed_) EXPECT_EQ(times, 1) << id;
}

TEST_F(TermCacheTest, ValuesOfDroppedTermsAreForgotten) {
  const TermId p = constant("p");
  EXPECT_EQ(text_of(p), "p");
  const auto outer = store.mark();
  const TermId q = constant("q");
  const auto inner = store.mark();
  const TermId not_q = negate(q);
  EXPECT_EQ(text_of(not_q), "not q");
  store.rollback(inner);
  EXPECT_EQ(negate(p), not_q);  // the same id, another term
  EXPECT_EQ(text_of(not_q), "not p");
  EXPECT_EQ(computed_[q.value], 1);
  // Rollbacks that the cache does not see one by one.
  store.rollback(outer);
  constant("r");
  store.rollback(store.mark());
  EXPECT_EQ(text_of(q), "r");
  EXPECT_EQ(text_of(negate(q)), "not r");
  EXPECT_EQ(computed_[p.value], 1);
}

TEST_F(TermCacheTest, ACacheMadeAfterRollbacks) {
  const auto mark = store.mark();
  constant("p");
  store.rollback(mark);
  TermCache<uint32_t> late(store);
  const TermId q = constant("q");
  EXPECT_EQ(late.at(q, [](TermId t) { return t.value * 2; }), q.value * 2);
  late.clear();
  EXPECT_EQ(late.at(q, [](TermId t) { return t.value * 3; }), q.value * 3);
}

}  // namespace
}  // namespace elenchus::ir
