#include "ir/functions.h"

#include <gtest/gtest.h>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class FunctionsTest : public testing::Test, protected TestTerms {
 protected:
  // (_ map f) of an array.
  TermId mapped(FunId fun, TermId array) {
    const Op ops[] = {Op::kArrayMap};
    const uint32_t indices[] = {fun.value};
    std::vector<TermId> args = {array};
    return apply(store, Head{ops, indices}, args);
  }
  TermId as_array(FunId fun) {
    const Op ops[] = {Op::kAsArray};
    const uint32_t indices[] = {fun.value};
    return apply(store, Head{ops, indices}, {});
  }
};

TEST_F(FunctionsTest, CallsValuesAndIndices) {
  const FunId f = declare("f", {kIntSort}, kIntSort);
  const FunId g = declare("g", {kIntSort}, kIntSort);
  const FunId unused = declare("h", {kIntSort}, kIntSort);
  const TermId array = as_array(g);
  const TermId term = mapped(f, array);
  ASSERT_TRUE(term.valid());
  EXPECT_EQ(functions_in(store, term), (std::vector{f, g}));
  EXPECT_EQ(functions_in(store, function_value(store, unused)), (std::vector{unused}));
  const TermId p = constant("p");
  EXPECT_EQ(functions_in(store, negate(p)), (std::vector{store.callee(p)}));
  EXPECT_TRUE(functions_in(store, make(Op::kTrue, {})).empty());
}

TEST_F(FunctionsTest, ATermNamesOnlyItsOwn) {
  const FunId f = declare("f", {kIntSort}, kIntSort);
  const FunId g = declare("g", {kIntSort}, kIntSort);
  const TermId term = mapped(f, as_array(g));
  EXPECT_TRUE(names_function(store, term, [&](FunId fun) { return fun == f; }));
  EXPECT_FALSE(names_function(store, term, [&](FunId fun) { return fun == g; }));
  Walker walker(store);
  EXPECT_TRUE(any_function_in(store, walker, term, [&](FunId fun) { return fun == g; }));
}

TEST_F(FunctionsTest, NumbersAndNamesOfOperatorsAreNoFunctions) {
  const TermId bits = constant("b", store.sorts().bit_vec(8));
  const Op extract[] = {Op::kBvExtract};
  const uint32_t numbers[] = {store.callee(bits).value, 0};
  std::vector<TermId> args = {bits};
  const TermId low = apply(store, Head{extract, numbers}, args);
  ASSERT_TRUE(low.valid());
  EXPECT_FALSE(names_function(store, low, [](FunId) { return true; }));
  const SortId ints = sort_of(SortKind::kArray, {kIntSort, kIntSort});
  const Op map[] = {Op::kArrayMap};
  const uint32_t plus[] = {symbol("+").value | kSymbolIndex};
  std::vector<TermId> arrays = {constant("a", ints), constant("c", ints)};
  const TermId sum = apply(store, Head{map, plus}, arrays);
  ASSERT_TRUE(sum.valid());
  EXPECT_FALSE(names_function(store, sum, [](FunId) { return true; }));
}

TEST_F(FunctionsTest, ACaseForTheRestHasNoConstructor) {
  const SortId sort = sort_of(SortKind::kUninterpreted, {});
  const TermId x = variable("x", sort);
  const TermId rest[] = {x, constant("p")};
  const TermId one = store.make(Op::kMatchCase, kBoolSort, 0, rest);
  EXPECT_FALSE(names_function(store, one, [](FunId) { return true; }));
}

}  // namespace
}  // namespace elenchus::ir
