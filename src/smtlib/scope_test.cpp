#include "smtlib/scope.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace elenchus::smtlib {
namespace {

using ir::FunId;
using ir::SortId;
using ir::SymbolId;
using ir::TermId;

class ScopeTest : public testing::Test {
 protected:
  SymbolId symbol(std::string_view name) { return store.symbols().intern(name); }

  FunId add(std::string_view name, std::vector<SortId> params, SortId result) {
    const FunId fun = store.declare(symbol(name), ir::FunKind::kDeclared, params, result);
    scope.add_function(fun);
    return fun;
  }

  void add_sort(std::string_view name, uint32_t arity) {
    scope.add_sort(symbol(name), {SortName::Kind::kUninterpreted, arity, {}, {}, {}});
  }

  // The arity of what the name means, or -1.
  int arity(std::string_view name) {
    const SortName* meaning = scope.sort_name(symbol(name));
    return meaning == nullptr ? -1 : static_cast<int>(meaning->arity);
  }

  ir::TermStore store;
  Scope scope{store};
};

TEST_F(ScopeTest, LocalsShadowAndComeBack) {
  const TermId one = store.int_literal("1");
  const TermId two = store.int_literal("2");
  const SymbolId x = symbol("x");
  EXPECT_FALSE(scope.local(x).valid());
  scope.bind_local(x, one, false);
  const uint32_t outer = scope.local_count();
  scope.bind_local(x, two, false);
  scope.bind_local(symbol("y"), one, false);
  EXPECT_EQ(scope.local(x), two);
  EXPECT_EQ(scope.local(symbol("y")), one);
  scope.unbind_locals(outer);
  EXPECT_EQ(scope.local(x), one);
  EXPECT_FALSE(scope.local(symbol("y")).valid());
  scope.unbind_locals(0);
  EXPECT_FALSE(scope.local(x).valid());
}

TEST_F(ScopeTest, OnlyBindersCountForTheDepth) {
  const TermId one = store.int_literal("1");
  const SymbolId x = symbol("x");
  EXPECT_EQ(scope.binder_depth(x), 0U);
  scope.bind_local(x, one, true);
  scope.bind_local(x, one, false);
  EXPECT_EQ(scope.binder_depth(x), 1U);
  scope.bind_local(x, one, true);
  EXPECT_EQ(scope.binder_depth(x), 2U);
  EXPECT_EQ(scope.binder_depth(symbol("y")), 0U);
  scope.unbind_locals(1);
  EXPECT_EQ(scope.binder_depth(x), 1U);
  scope.unbind_locals(0);
  EXPECT_EQ(scope.binder_depth(x), 0U);
}

TEST_F(ScopeTest, TellsLetsFromBinders) {
  const TermId one = store.int_literal("1");
  scope.bind_local(symbol("x"), one, true);
  scope.bind_local(symbol("y"), one, false);
  EXPECT_FALSE(scope.any_let({}));
  EXPECT_FALSE(scope.any_let({symbol("x").value, symbol("z").value}));
  EXPECT_TRUE(scope.any_let({symbol("x").value, symbol("y").value}));
  scope.unbind_locals(1);
  EXPECT_FALSE(scope.any_let({symbol("y").value}));
}

TEST_F(ScopeTest, OverloadsAreFoundNewestFirst) {
  EXPECT_FALSE(scope.function(symbol("f")).valid());
  const FunId on_int = add("f", {ir::kIntSort}, ir::kBoolSort);
  const FunId on_real = add("f", {ir::kRealSort}, ir::kBoolSort);
  add("g", {}, ir::kIntSort);
  EXPECT_EQ(scope.function(symbol("f")), on_real);
  EXPECT_EQ(scope.overload(on_real), on_int);
  EXPECT_FALSE(scope.overload(on_int).valid());
}

TEST_F(ScopeTest, ASignatureIsNameAndParameters) {
  const SortId pair[] = {ir::kIntSort, ir::kIntSort};
  const FunId unary = add("f", {ir::kIntSort}, ir::kBoolSort);
  const FunId constant = add("f", {}, ir::kIntSort);
  EXPECT_EQ(scope.same_signature(symbol("f"), std::span(pair, 1)), unary);
  EXPECT_EQ(scope.same_signature(symbol("f"), {}), constant);
  EXPECT_FALSE(scope.same_signature(symbol("f"), pair).valid());
  EXPECT_FALSE(scope.same_signature(symbol("g"), {}).valid());
}

TEST_F(ScopeTest, PopTakesDeclarationsBack) {
  const FunId outer = add("f", {}, ir::kIntSort);
  add_sort("S", 0);
  scope.push();
  EXPECT_EQ(scope.level(), 1U);
  add("f", {ir::kIntSort}, ir::kIntSort);
  add("g", {}, ir::kIntSort);
  add_sort("S", 2);
  add_sort("T", 1);
  EXPECT_EQ(arity("S"), 2);
  EXPECT_EQ(arity("T"), 1);
  scope.pop();
  EXPECT_EQ(scope.level(), 0U);
  EXPECT_EQ(scope.function(symbol("f")), outer);
  EXPECT_FALSE(scope.function(symbol("g")).valid());
  EXPECT_FALSE(scope.same_signature(symbol("g"), {}).valid());
  EXPECT_EQ(arity("S"), 0);
  EXPECT_EQ(arity("T"), -1);
}

TEST_F(ScopeTest, GlobalDeclarationsSurviveAPop) {
  scope.keep_declarations = true;
  scope.push();
  const FunId fun = add("f", {}, ir::kIntSort);
  add_sort("S", 0);
  scope.pop();
  EXPECT_EQ(scope.function(symbol("f")), fun);
  EXPECT_EQ(arity("S"), 0);
}

TEST_F(ScopeTest, AnOuterPopTakesWhatAnInnerOneKept) {
  scope.push();
  scope.push();
  scope.keep_declarations = true;
  add("f", {}, ir::kIntSort);
  scope.pop();
  EXPECT_TRUE(scope.function(symbol("f")).valid());
  scope.keep_declarations = false;
  scope.pop();
  EXPECT_FALSE(scope.function(symbol("f")).valid());
}

TEST_F(ScopeTest, ASortParameterEndsBeforeWhatWasDeclaredSince) {
  add_sort("A", 0);
  add_sort("X", 3);
  scope.add_sort(symbol("X"), {SortName::Kind::kParameter, 0, {}, ir::kIntSort, {}});
  add_sort("B", 1);
  EXPECT_EQ(arity("X"), 0);
  scope.remove_sort(symbol("X"));
  EXPECT_EQ(arity("X"), 3);
  EXPECT_EQ(arity("A"), 0);
  EXPECT_EQ(arity("B"), 1);
  scope.remove_sort(symbol("nobody"));
}

TEST_F(ScopeTest, ResetForgetsEverything) {
  scope.keep_declarations = true;
  scope.push();
  add("f", {}, ir::kIntSort);
  add_sort("S", 0);
  scope.reset();
  EXPECT_EQ(scope.level(), 0U);
  EXPECT_FALSE(scope.keep_declarations);
  EXPECT_FALSE(scope.function(symbol("f")).valid());
  EXPECT_FALSE(scope.same_signature(symbol("f"), {}).valid());
  EXPECT_EQ(arity("S"), -1);
}

TEST_F(ScopeTest, AfterResetAssertionsNamesMayBeDeclaredOnceMore) {
  const FunId first = add("f", {}, ir::kIntSort);
  scope.push();
  scope.allow_redeclaration();
  EXPECT_EQ(scope.level(), 0U);
  EXPECT_EQ(scope.function(symbol("f")), first);
  EXPECT_FALSE(scope.same_signature(symbol("f"), {}).valid());
  const FunId second = add("f", {}, ir::kIntSort);
  EXPECT_EQ(scope.function(symbol("f")), second);
  EXPECT_EQ(scope.same_signature(symbol("f"), {}), second);
}

}  // namespace
}  // namespace elenchus::smtlib
