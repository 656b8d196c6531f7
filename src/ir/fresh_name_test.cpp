#include "ir/fresh_name.h"

#include <gtest/gtest.h>

#include <string_view>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class FreshNameTest : public testing::Test, protected TestTerms {
 protected:
  std::string_view fresh(std::string_view prefix) {
    return store.symbols().text(fresh_name(store, prefix, next_));
  }
  std::string_view untaken(std::string_view name) {
    return store.symbols().text(untaken_name(store, name));
  }

  uint32_t next_ = 0;
};

TEST_F(FreshNameTest, NumbersThatAreTakenAreLeftOut) {
  constant("v!0");
  variable("v!2");
  EXPECT_EQ(fresh("v!"), "v!1");
  EXPECT_EQ(fresh("v!"), "v!3");
  EXPECT_EQ(fresh("w!"), "w!4");
}

TEST_F(FreshNameTest, NamesOfOperatorsAreTaken) {
  ASSERT_FALSE(store.ops().named(symbol("bv2nat")).empty());
  EXPECT_TRUE(is_taken(store, symbol("bv2nat")));
  EXPECT_FALSE(is_taken(store, symbol("bv3nat")));
  EXPECT_EQ(untaken("bv2nat"), "bv2nat_");
}

TEST_F(FreshNameTest, ConstantsTakeTheirNames) {
  const FunId first = fresh_constant(store, "c", next_, kIntSort);
  next_ = 0;
  const FunId second = fresh_constant(store, "c", next_, kBoolSort);
  EXPECT_EQ(store.symbols().text(store.fun(first).name), "c0");
  EXPECT_EQ(store.symbols().text(store.fun(second).name), "c1");
  EXPECT_EQ(store.fun(first).result, kIntSort);
  EXPECT_TRUE(store.fun(second).constant.valid());
}

TEST_F(FreshNameTest, AsManyUnderscoresAsItTakes) {
  EXPECT_EQ(untaken("p"), "p");
  constant("p");
  EXPECT_EQ(untaken("p"), "p_");
  variable("p_");
  EXPECT_EQ(untaken("p"), "p__");
}

}  // namespace
}  // namespace elenchus::ir
