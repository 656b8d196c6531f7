#include "gen/application.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "gen/constants.h"
#include "ir/apply.h"

namespace elenchus::gen {
namespace {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

// Constants declared for every sort that is asked for.
class Declared final : public Arguments {
 public:
  Declared(ir::TermStore& store, base::Rng& rng, std::vector<SortId> sorts)
      : store_(store), rng_(rng), sorts_(std::move(sorts)) {}

  TermId pick(SortId sort) override {
    for (const SortId each : sorts_) {
      if (each != sort) continue;
      const auto name = store_.symbols().intern("c" + std::to_string(sort.value));
      const ir::FunId fun = store_.declare(name, ir::FunKind::kDeclared, {}, sort);
      return store_.fun(fun).constant;
    }
    return {};
  }
  SortId pick_sort(SortKind kind) override {
    std::vector<SortId> fitting;
    for (const SortId sort : sorts_) {
      if (kind == SortKind::kNone || store_.sorts().kind(sort) == kind) fitting.push_back(sort);
    }
    return fitting.empty() ? SortId{} : fitting[rng_.below(fitting.size())];
  }
  ir::FunId pick_function(SortId) override { return {}; }

 private:
  ir::TermStore& store_;
  base::Rng& rng_;
  std::vector<SortId> sorts_;
};

class ApplicationTest : public testing::Test {
 protected:
  const Choice* choice(Op op, SortKind result, size_t which = 0) {
    for (const Choice& each : vocabulary_.for_result(result)) {
      if (each.op == op && which-- == 0) return &each;
    }
    return nullptr;
  }

  // Applications of the operator that give the sort, from arguments of the sorts.
  std::set<std::string> heads(Op op, SortId result, const std::vector<SortId>& sorts) {
    std::set<std::string> seen;
    Declared arguments(store_, rng_, sorts);
    const Choice* found = choice(op, store_.sorts().kind(result));
    EXPECT_NE(found, nullptr);
    for (int i = 0; found != nullptr && i < 500; ++i) {
      const TermId term = Applier(store_, rng_).apply(*found, result, arguments);
      if (!term.valid()) continue;
      EXPECT_EQ(store_.sort(term), result);
      std::string text;
      if (store_.payload(term) != 0) {
        for (const uint32_t index : store_.indices(term)) text += std::to_string(index) + " ";
      }
      text += "of";
      for (const TermId arg : store_.args(term))
        text += " " + ir::describe_sort(store_, store_.sort(arg));
      seen.insert(text);
    }
    return seen;
  }

  SortId bits(uint32_t width) { return store_.sorts().bit_vec(width); }

  ir::TermStore store_;
  base::Rng rng_{1};
  VocabularySettings settings_{.internal_operators = true};
  Vocabulary vocabulary_{store_.ops(), ir::parse_logic("ALL"), settings_};
};

TEST_F(ApplicationTest, ExtractionsAreSolvedFor) {
  const auto seen = heads(Op::kBvExtract, bits(2), {bits(1), bits(4), bits(2)});
  EXPECT_EQ(seen, (std::set<std::string>{"1 0 of (_ BitVec 4)", "2 1 of (_ BitVec 4)",
                                         "3 2 of (_ BitVec 4)", "1 0 of (_ BitVec 2)"}));
}

TEST_F(ApplicationTest, ExtensionsAndRepetitionsAreSolvedFor) {
  EXPECT_EQ(heads(Op::kBvZeroExtend, bits(8), {bits(3), bits(8), bits(9)}),
            (std::set<std::string>{"5 of (_ BitVec 3)", "0 of (_ BitVec 8)"}));
  EXPECT_EQ(heads(Op::kBvRepeat, bits(8), {bits(3), bits(4), bits(2)}),
            (std::set<std::string>{"2 of (_ BitVec 4)", "4 of (_ BitVec 2)"}));
}

TEST_F(ApplicationTest, ConcatenationsHaveFittingParts) {
  const auto seen = heads(Op::kBvConcat, bits(8), {bits(3), bits(5), bits(8)});
  EXPECT_EQ(seen, (std::set<std::string>{"of (_ BitVec 3) (_ BitVec 5)",
                                         "of (_ BitVec 5) (_ BitVec 3)"}));
}

TEST_F(ApplicationTest, FloatFormats) {
  const SortId format = store_.sorts().floating_point(3, 5);
  EXPECT_EQ(heads(Op::kFpFromIeeeBv, format, {bits(8), bits(7)}),
            (std::set<std::string>{"3 5 of (_ BitVec 8)"}));
  EXPECT_EQ(heads(Op::kFp, format, {bits(1), bits(3), bits(4)}),
            (std::set<std::string>{"of (_ BitVec 1) (_ BitVec 3) (_ BitVec 4)"}));
  EXPECT_EQ(heads(Op::kFpToIeeeBv, bits(8), {format, store_.sorts().floating_point(4, 5)}),
            (std::set<std::string>{"of (_ FloatingPoint 3 5)"}));
}

TEST_F(ApplicationTest, ArraysAndTheirParts) {
  const SortId parts[] = {ir::kIntSort, bits(4)};
  const SortId array = store_.sorts().make(SortKind::kArray, parts);
  EXPECT_EQ(heads(Op::kSelect, bits(4), {array, ir::kIntSort}),
            (std::set<std::string>{"of (Array Int (_ BitVec 4)) Int"}));
  EXPECT_TRUE(heads(Op::kSelect, bits(5), {array, ir::kIntSort}).empty());
}

TEST_F(ApplicationTest, OthersTakeTheSameArguments) {
  const TermId x = store_.bits_literal("#b0101");
  const TermId args[] = {x, x};
  std::set<Op> seen;
  for (const Choice& each : vocabulary_.for_result(SortKind::kBitVec)) {
    const TermId term = Applier(store_, rng_).apply_to(each, bits(4), args);
    if (term.valid()) seen.insert(store_.op(term));
  }
  EXPECT_TRUE(seen.contains(Op::kBvAdd));
  EXPECT_TRUE(seen.contains(Op::kBvSmod));
  EXPECT_FALSE(seen.contains(Op::kBvConcat));
  EXPECT_FALSE(seen.contains(Op::kBvComp));
}

TEST(ConstantsTest, HaveTheirSorts) {
  ir::TermStore store;
  base::Rng rng(1);
  const SortId wide = store.sorts().bit_vec(130);
  const SortId parts[] = {ir::kIntSort, store.sorts().make(SortKind::kSeq, std::vector{wide})};
  const std::vector<SortId> sorts = {
      ir::kBoolSort,
      ir::kIntSort,
      ir::kRealSort,
      ir::kStringSort,
      ir::kRegLanSort,
      ir::kRoundingModeSort,
      ir::kCharSort,
      store.sorts().bit_vec(1),
      wide,
      store.sorts().floating_point(2, 2),
      store.sorts().floating_point(11, 53),
      store.sorts().make(SortKind::kArray, parts),
      store.sorts().make(SortKind::kTuple, parts),
      store.sorts().make(SortKind::kSet, std::vector{ir::kStringSort}),
      store.sorts().make(SortKind::kFiniteSet, std::vector{ir::kStringSort}),
      store.sorts().make(SortKind::kBag, std::vector{ir::kStringSort})};
  for (const SortId sort : sorts) {
    std::set<TermId> seen;
    for (int i = 0; i < 200; ++i) {
      const TermId term = interesting_constant(store, rng, sort);
      ASSERT_TRUE(term.valid()) << ir::describe_sort(store, sort);
      EXPECT_EQ(store.sort(term), sort);
      seen.insert(term);
      const TermId near = neighbour(store, rng, term);
      if (near.valid()) {
        EXPECT_EQ(store.sort(near), sort);
      }
    }
    EXPECT_GT(seen.size(), 1U) << ir::describe_sort(store, sort);
  }
}

}  // namespace
}  // namespace elenchus::gen
