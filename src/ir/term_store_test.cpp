#include "ir/term_store.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/term_cache.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class TermStoreTest : public testing::Test, protected TestTerms {
 protected:
  std::vector<TermId> args(TermId term) const {
    const auto view = store.args(term);
    return {view.begin(), view.end()};
  }

  // `count` arguments drawn from the given ones.
  static std::vector<TermId> draw(base::Rng& rng, std::span<const TermId> from, size_t count) {
    std::vector<TermId> result(count);
    for (TermId& term : result) term = rng.pick(from);
    return result;
  }
};

TEST_F(TermStoreTest, EveryPartDistinguishesTerms) {
  const TermId p = constant("p");
  const TermId q = constant("q");
  const TermId pq[] = {p, q};
  const TermId qp[] = {q, p};
  const TermId ppq[] = {p, p, q};
  const std::vector<TermId> all = {store.make(Op::kAnd, kBoolSort, 0, pq),
                                   store.make(Op::kOr, kBoolSort, 0, pq),
                                   store.make(Op::kAnd, kUnknownSort, 0, pq),
                                   store.make(Op::kAnd, kBoolSort, 1, pq),
                                   store.make(Op::kAnd, kBoolSort, 0, qp),
                                   store.make(Op::kAnd, kBoolSort, 0, ppq),
                                   store.make(Op::kAnd, kBoolSort, 0, {}),
                                   p,
                                   q};
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << ' ' << j;
  }
  EXPECT_EQ(store.make(Op::kAnd, kBoolSort, 0, pq), all[0]);
  EXPECT_EQ(args(all[5]), (std::vector{p, p, q}));
}

constexpr size_t kCounts[] = {0, 1, 2, 3, 4, 253, 254, 255, 256, 1'000, 32'767, 32'768, 70'000};

TEST_F(TermStoreTest, ArgumentListsOfAnyLength) {
  base::Rng rng(1);
  const TermId leaves[] = {constant("p"), constant("q"), constant("r")};
  std::vector<std::pair<TermId, std::vector<TermId>>> made;
  for (int round = 0; round < 2; ++round) {
    for (const size_t count : kCounts) {
      auto list = draw(rng, leaves, count);
      made.emplace_back(store.make(Op::kOr, kBoolSort, 0, list), std::move(list));
    }
  }
  for (const auto& [term, list] : made) {
    ASSERT_EQ(args(term), list);
    ASSERT_EQ(store.make(Op::kOr, kBoolSort, 0, list), term);
    ASSERT_EQ(store.make(Op::kOr, kBoolSort, 0, store.args(term)), term);
    // The same list from the store's own memory, for another term.
    const TermId other = store.make(Op::kAnd, kBoolSort, 0, store.args(term));
    ASSERT_EQ(args(other), list);
  }
}

TEST_F(TermStoreTest, LongArgumentListsAfterARollback) {
  base::Rng rng(2);
  const TermId leaves[] = {constant("p"), constant("q"), constant("r")};
  const auto kept_args = draw(rng, leaves, 300);
  const TermId kept = store.make(Op::kAnd, kBoolSort, 0, kept_args);
  const auto mark = store.mark();
  for (int round = 0; round < 8; ++round) {
    std::vector<size_t> counts(std::begin(kCounts), std::end(kCounts));
    rng.shuffle(std::span<size_t>(counts));
    std::vector<std::pair<TermId, std::vector<TermId>>> made;
    for (const size_t count : counts) {
      auto list = draw(rng, leaves, count);
      made.emplace_back(store.make(Op::kOr, kBoolSort, 0, list), std::move(list));
    }
    for (const auto& [term, list] : made) ASSERT_EQ(args(term), list);
    ASSERT_EQ(args(kept), kept_args);
    store.rollback(mark);
  }
}

// Against a map from parts to ids, with marks and rollbacks at random.
TEST_F(TermStoreTest, AgreesWithAMapUnderRandomUse) {
  using Parts = std::vector<uint32_t>;
  base::Rng rng(3);
  std::vector<TermId> leaves = {constant("p"), constant("q"), constant("r")};
  const uint32_t base_count = store.term_count();
  std::vector<Parts> by_id;  // from base_count on
  std::map<Parts, uint32_t> ids;
  std::vector<TermStore::Mark> marks = {store.mark()};
  for (int step = 0; step < 60'000; ++step) {
    if (rng.one_in(1'000)) {
      marks.push_back(store.mark());
    } else if (rng.one_in(700)) {
      store.rollback(marks.back());
      while (by_id.size() + base_count > store.term_count()) {
        ids.erase(by_id.back());
        by_id.pop_back();
      }
      if (marks.size() > 1 && rng.one_in(2)) marks.pop_back();
    }
    std::vector<TermId> list(rng.below(4));
    for (TermId& arg : list) {
      // Recent terms often, so that there are towers as well as wide sharing.
      const uint32_t newest = store.term_count() - 1;
      const uint64_t back = rng.one_in(2) ? rng.below(4) : rng.below(newest);
      arg = TermId{static_cast<uint32_t>(newest - std::min<uint64_t>(back, newest - 1))};
    }
    const auto payload = static_cast<uint32_t>(rng.below(3));
    Parts parts = {payload};
    for (const TermId arg : list) parts.push_back(arg.value);
    const auto [entry, is_new] = ids.emplace(parts, store.term_count());
    if (is_new) by_id.push_back(parts);
    ASSERT_EQ(store.make(Op::kUnknownCall, kBoolSort, payload, list).value, entry->second);
  }
}

// Something of everything that a store holds, and every id of it.
std::vector<uint32_t> build_much(TestTerms& terms, uint64_t seed) {
  base::Rng rng(seed);
  TermStore& store = terms.store;
  std::vector<uint32_t> ids;
  std::vector<TermId> pool = {store.int_literal("1"), store.int_literal("77777777")};
  for (uint32_t i = 0; i < 200; ++i) {
    const std::string name = "x" + std::to_string(rng.below(300));
    const SortId bits = store.sorts().bit_vec(static_cast<uint32_t>(rng.below(50)) + 1);
    const SortId sort = terms.sort_of(SortKind::kArray, {kIntSort, bits});
    const FunId fun = terms.declare(name, {sort, kIntSort}, bits);
    const TermId formals[] = {terms.variable("a", sort, i), terms.variable("b", kIntSort, i)};
    store.define(fun, formals, terms.constant(name, bits));
    const DatatypeId datatype = store.new_datatype(terms.symbol(name));
    const uint32_t indices[] = {i, static_cast<uint32_t>(rng.below(9))};
    const TermId literal = store.int_literal(std::to_string(rng.below(1'000)));
    const TermId pair[] = {rng.pick(std::span<const TermId>(pool)), literal};
    pool.push_back(store.make(Op::kAdd, kIntSort, 0, pair));
    for (const uint32_t id :
         {sort.value, fun.value, formals[0].value, formals[1].value, store.fun(fun).body.value,
          datatype.value, store.index_list(indices).value, literal.value, pool.back().value}) {
      ids.push_back(id);
    }
  }
  return ids;
}

TEST_F(TermStoreTest, RebuildingAfterARollbackGivesTheSameIds) {
  build_much(*this, 1);
  const auto mark = store.mark();
  const auto first = build_much(*this, 2);
  for (uint64_t round = 0; round < 5; ++round) {
    store.rollback(mark);
    EXPECT_NE(build_much(*this, 3 + round), first);
    store.rollback(mark);
    EXPECT_EQ(build_much(*this, 2), first);
  }
}

size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_F(TermStoreTest, MemoryStaysFlatOverManyRollbacks) {
  build_much(*this, 1);
  const auto mark = store.mark();
  TermCache<uint64_t> cache(store);
  const std::vector<TermId> long_list(40'000, constant("p"));
  size_t after_warming = 0;
  for (uint64_t cycle = 0; cycle < 10'000; ++cycle) {
    // Mostly small tests, sometimes a large one.
    TermId last = store.int_literal(std::to_string(cycle % 900));
    for (int i = 0; i < 20; ++i) {
      const TermId pair[] = {last, store.int_literal(std::to_string(cycle % 97))};
      last = store.make(Op::kAdd, kIntSort, 0, pair);
      variable("v" + std::to_string(cycle % 1'000), kIntSort, static_cast<uint32_t>(i));
    }
    sort_of(SortKind::kTuple, std::vector<SortId>(30 + cycle % 7, kIntSort));
    if (cycle % 100 == 0) {
      build_much(*this, cycle % 700);
      store.make(Op::kAnd, kBoolSort, 0, long_list);
    }
    cache.at(last, [](TermId term) { return uint64_t{term.value}; });
    store.rollback(mark);
    if (cycle == 1'000) after_warming = bytes_in_use();
  }
  EXPECT_LE(bytes_in_use(), after_warming + 4'096);
}

TEST_F(TermStoreTest, StableTermsIsTheLowestPointSince) {
  base::Rng rng(5);
  std::vector<TermStore::Mark> marks = {store.mark()};
  std::vector<uint32_t> floors = {0};  // by generation: the terms after that rollback
  for (int step = 0; step < 400; ++step) {
    for (uint64_t i = rng.below(5); i > 0; --i) constant("c");
    if (rng.one_in(2)) {
      marks.push_back(store.mark());
      continue;
    }
    marks.resize(1 + rng.below(marks.size()));
    store.rollback(marks.back());
    floors.push_back(store.term_count());
    ASSERT_EQ(store.generation(), floors.size() - 1);
    for (size_t since = 0; since < floors.size(); ++since) {
      uint32_t lowest = store.term_count();
      for (size_t i = since + 1; i < floors.size(); ++i) lowest = std::min(lowest, floors[i]);
      ASSERT_EQ(store.stable_terms(since), lowest);
    }
  }
}

TEST_F(TermStoreTest, NamesAreForgottenWithTheirOwners) {
  const SymbolId x = symbol("x");
  const auto clean = store.mark();
  variable("x");
  const auto one = store.mark();
  variable("x", kIntSort);
  declare("x", {}, kIntSort);
  declare("x", {kIntSort}, kIntSort);
  EXPECT_TRUE(store.is_variable_name(x));
  EXPECT_TRUE(store.is_function_name(x));
  store.rollback(one);
  variable("x");  // there already: no second owner
  EXPECT_TRUE(store.is_variable_name(x));
  EXPECT_FALSE(store.is_function_name(x));
  store.rollback(clean);
  EXPECT_FALSE(store.is_variable_name(x));
  EXPECT_FALSE(store.is_function_name(symbol("fresh")));
}

TEST_F(TermStoreTest, FreshVariablesAreLikeTheirModel) {
  const TermId x = variable("x", kIntSort, 4);
  const TermId taken = variable("x", kIntSort, 5);
  variable("x", kBoolSort, 6);
  const TermId fresh = store.fresh_variable(x);
  EXPECT_NE(fresh, taken);
  EXPECT_EQ(store.sort(fresh), kIntSort);
  EXPECT_EQ(store.variable_name(fresh), store.variable_name(x));
  EXPECT_NE(store.fresh_variable(x), fresh);
}

TEST_F(TermStoreTest, FlagsComeUpFromBelow) {
  const TermId p = constant("p");
  const TermId x = variable("x");
  const TermId closed = forall({x}, both(x, p));
  const TermId plain = both(p, p);
  const TermId odd = store.make(Op::kUnknownCall, kUnknownSort, symbol("f").value, {});
  const TermId named = annotate(p, ":named");
  const TermId patterned = annotate(p, ":pattern", {p});
  const auto flags = [&](TermId term) {
    std::string text;
    for (const TermFlag flag : {kHasVariables, kHasBinders, kHasUnknown, kHasNamed}) {
      text += store.has(negate(term), flag) ? '1' : '0';
    }
    return text;
  };
  EXPECT_EQ(flags(plain), "0000");
  EXPECT_EQ(flags(x), "1000");
  EXPECT_EQ(flags(closed), "1100");
  EXPECT_EQ(flags(make(Op::kEq, {odd, p})), "0010");
  EXPECT_EQ(flags(named), "0001");
  EXPECT_EQ(flags(patterned), "0000");
  const SortId sequence = sort_of(SortKind::kSeq, {kUnknownSort});
  EXPECT_TRUE(store.has(constant("s", sequence), kHasUnknown));
}

TEST_F(TermStoreTest, BindersKnowHowManyVariablesTheyBind) {
  const TermId x = variable("x", kIntSort);
  const TermId y = variable("y", kIntSort);
  const TermId p = constant("p");
  EXPECT_EQ(store.bound_count(forall({x, y}, p)), 2U);
  const TermId parts[] = {x, y, p, x};
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  EXPECT_EQ(store.bound_count(store.make(Op::kComprehension, set, 0, parts)), 2U);
  const TermId bare[] = {p};
  EXPECT_EQ(store.bound_count(store.make(Op::kMatchCase, kBoolSort, 0, bare)), 0U);
}

TEST_F(TermStoreTest, LiteralsAreKnownByTheirText) {
  EXPECT_EQ(store.int_literal("5"), store.int_literal("5"));
  EXPECT_NE(store.int_literal("5"), store.real_literal("5.0"));
  EXPECT_EQ(store.sort(store.bits_literal("#b101")), store.sorts().bit_vec(3));
  EXPECT_EQ(store.sort(store.bits_literal("#x0f")), store.sorts().bit_vec(8));
  EXPECT_NE(store.string_literal("5"), store.int_literal("5"));
  const auto mark = store.mark();
  for (const char* digits :
       {"0", "9", "1048575", "1048576", "4294967296", "99999999999999999999"}) {
    const TermId literal = store.int_literal(digits);
    EXPECT_EQ(store.literal_text(literal), digits);
    store.rollback(mark);
    const TermId other = store.int_literal("123456");
    EXPECT_EQ(store.literal_text(other), "123456");
    EXPECT_EQ(store.literal_text(store.int_literal(digits)), digits);
  }
}

TEST_F(TermStoreTest, FunctionsAndTheirConstants) {
  const SortId parameter = store.sorts().make(SortKind::kParameter, symbol("A").value, 0, {});
  const FunId c = declare("c", {}, kIntSort);
  EXPECT_EQ(store.callee(store.fun(c).constant), c);
  EXPECT_NE(store.fun(declare("c", {}, kIntSort)).constant, store.fun(c).constant);
  EXPECT_FALSE(store.fun(declare("f", {kIntSort}, kIntSort)).constant.valid());
  const FunId open = declare("o", {}, sort_of(SortKind::kSeq, {parameter}));
  EXPECT_TRUE(store.fun(open).polymorphic);
  EXPECT_FALSE(store.fun(open).constant.valid());
  const FunId identity = declare("id", {kIntSort}, kIntSort);
  EXPECT_TRUE(store.formals(identity).empty());
  const TermId formals[] = {variable("x", kIntSort)};
  store.define(identity, formals, formals[0]);
  ASSERT_EQ(store.formals(identity).size(), 1U);
  EXPECT_EQ(store.formals(identity)[0], formals[0]);
}

}  // namespace
}  // namespace elenchus::ir
