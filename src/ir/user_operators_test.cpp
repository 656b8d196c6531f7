#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ir/apply.h"
#include "ir/op_table.h"

namespace elenchus::ir {
namespace {

TEST(UserOperatorsTest, OperatorsFromAText) {
  const auto ops = std::make_shared<OpTable>();
  ASSERT_TRUE(ops->add_user_operators("; mine\n"
                                      "(twice Int Int)\n(twice Real Real)\n"
                                      "((_ pad i) (_ BitVec m) (_ BitVec (+ m i)) :where (< 0 i))\n"
                                      "(par (A) (nothing (Seq A)))\n"
                                      "(and Int Int Int)\n(and Bool Bool Bool :left-assoc)\n")
                  .has_value());
  TermStore store(ops);
  const auto named = [&](const char* name) { return ops->named(store.symbols().find(name)); };
  // Overloads of one user operator are one operator; a known signature adds nothing.
  ASSERT_EQ(named("twice").size(), 1U);
  ASSERT_EQ(named("and").size(), 2U);
  const Op twice = named("twice")[0];
  EXPECT_GE(twice, Op::kCount);
  EXPECT_EQ(ops->info(twice).theory, Theory::kUser);
  EXPECT_EQ(ops->meaning(twice), twice);
  EXPECT_EQ(ops->all().size(), OpTable::standard()->all().size() + 4);

  const auto type = [&](const char* name, std::vector<SortId> args,
                        std::vector<uint32_t> indices = {}, SortId as = {}) {
    return result_sort(store, {named(name), indices, as}, args, nullptr);
  };
  EXPECT_EQ(type("twice", {kRealSort}), kRealSort);
  EXPECT_FALSE(type("twice", {kBoolSort}).valid());
  EXPECT_EQ(type("pad", {store.sorts().bit_vec(3)}, {4}), store.sorts().bit_vec(7));
  EXPECT_FALSE(type("pad", {store.sorts().bit_vec(3)}, {0}).valid());
  const SortId ints[] = {kIntSort};
  const SortId sequence = store.sorts().make(SortKind::kSeq, ints);
  EXPECT_EQ(type("nothing", {}, {}, sequence), sequence);
  EXPECT_FALSE(type("nothing", {}).valid());
  EXPECT_EQ(type("and", {kIntSort, kIntSort}), kIntSort);
  EXPECT_EQ(type("and", {kBoolSort, kBoolSort, kBoolSort}), kBoolSort);
}

TEST(UserOperatorsTest, AnErrorAddsNothing) {
  OpTable ops;
  const size_t before = ops.all().size();
  const auto result = ops.add_user_operators("(good Int Int)\n(bad Int\n  Integer)\n");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().where.line, 3U);
  EXPECT_EQ(result.error().where.column, 3U);
  EXPECT_EQ(result.error().message, "unknown sort 'Integer'");
  EXPECT_EQ(ops.all().size(), before);
  EXPECT_FALSE(ops.symbols().find("good").valid());
}

TEST(UserOperatorsTest, AnOverloadMayNeedAs) {
  OpTable ops;
  ASSERT_TRUE(ops.add_user_operators("(f Int Int)").has_value());
  const Op f = ops.named(ops.symbols().find("f"))[0];
  EXPECT_FALSE(ops.info(f).needs_as);
  ASSERT_TRUE(ops.add_user_operators("(par (A) (f (Set A)))").has_value());
  EXPECT_TRUE(ops.info(f).needs_as);
  EXPECT_EQ(ops.info(f).signatures.size(), 2U);
}

TEST(UserOperatorsTest, TooManyAreRefused) {
  std::string text;
  for (int i = 0; i < 66'000; ++i) text += "(f" + std::to_string(i) + " Int)";
  OpTable ops;
  const auto result = ops.add_user_operators(text);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, base::ErrorKind::kLimit);
}

}  // namespace
}  // namespace elenchus::ir
