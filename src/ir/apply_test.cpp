#include "ir/apply.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class ApplyTest : public testing::Test, protected TestTerms {
 protected:
  // By name, as a script would say it. `args` receives the arguments used.
  TermId by_name(std::string_view name, std::vector<TermId>& args,
                 std::vector<uint32_t> indices = {}, SortId as = {}) {
    return apply(store, {store.ops().named(store.symbols().find(name)), indices, as}, args);
  }
  TermId use(std::string_view name, std::vector<TermId> args, std::vector<uint32_t> indices = {},
             SortId as = {}) {
    return by_name(name, args, std::move(indices), as);
  }
  TermId invoke(FunId fun, std::vector<TermId> args, SortId as = {}) {
    return call(store, fun, args, as);
  }
  SortId parameter(std::string_view name) {
    return store.sorts().make(SortKind::kParameter, symbol(name).value, 0, {});
  }
  SortId array(SortId index, SortId element) { return sort_of(SortKind::kArray, {index, element}); }
  TermId real(TermId term) { return make(Op::kToReal, {term}); }

  const TermId p_ = constant("p");
  const TermId i_ = constant("i", kIntSort);
  const TermId r_ = constant("r", kRealSort);
  const TermId s_ = constant("s", kStringSort);
  const TermId one_ = store.int_literal("1");
};

TEST_F(ApplyTest, NumbersOfArguments) {
  EXPECT_TRUE(use("+", {i_, i_, i_}).valid());
  EXPECT_FALSE(use("mod", {i_, i_, i_}).valid());
  EXPECT_FALSE(use("mod", {i_}).valid());
  EXPECT_FALSE(use("not", {p_, p_}).valid());
  EXPECT_FALSE(use("not", {}).valid());
  EXPECT_FALSE(use("ite", {p_, i_}).valid());
  EXPECT_FALSE(use("true", {p_}).valid());
  EXPECT_EQ(store.op(use("-", {i_})), Op::kNeg);
  EXPECT_EQ(store.op(use("-", {i_, i_})), Op::kSub);
  EXPECT_TRUE(
      use("set.insert", {i_, i_, constant("s", sort_of(SortKind::kSet, {kIntSort}))}).valid());
}

TEST_F(ApplyTest, NumbersOfIndices) {
  const TermId b = constant("b", store.sorts().bit_vec(8));
  EXPECT_EQ(text(store.sort(use("extract", {b}, {6, 2}))), "(_ BitVec 5)");
  EXPECT_FALSE(use("extract", {b}, {6}).valid());
  EXPECT_FALSE(use("extract", {b}, {6, 2, 1}).valid());
  EXPECT_FALSE(use("extract", {b}).valid());
  EXPECT_FALSE(use("extract", {b}, {8, 2}).valid());
  EXPECT_FALSE(use("extract", {b}, {2, 6}).valid());
  EXPECT_FALSE(use("extract", {b}, {6, symbol("x").value | kSymbolIndex}).valid());
  EXPECT_FALSE(use("bvnot", {b}, {1}).valid());
  EXPECT_FALSE(use("not", {p_}, {1}).valid());
  EXPECT_FALSE(use("repeat", {b}, {0x4000'0000}).valid());
}

TEST_F(ApplyTest, OverloadsAreChosenByTheArguments) {
  const SortId seq = sort_of(SortKind::kSeq, {kIntSort});
  const TermId q = constant("q", seq);
  EXPECT_EQ(store.meaning(use("seq.len", {q})), Op::kSeqLen);
  EXPECT_EQ(store.meaning(use("seq.len", {s_})), Op::kStrLen);
  EXPECT_EQ(store.meaning(use("str.len", {q})), Op::kSeqLen);
  const TermId mode = use("RNE", {});
  const TermId b = constant("b", store.sorts().bit_vec(16));
  EXPECT_EQ(store.op(use("to_fp", {b}, {5, 11})), Op::kFpFromIeeeBv);
  EXPECT_FALSE(use("to_fp", {b}, {5, 12}).valid());
  EXPECT_EQ(store.op(use("to_fp", {mode, b}, {5, 12})), Op::kFpFromSbv);
  EXPECT_EQ(store.op(use("to_fp", {mode, r_}, {5, 11})), Op::kFpFromReal);
  EXPECT_EQ(store.op(use("to_fp", {mode, r_, i_}, {5, 11})), Op::kFpFromRealExp);
  EXPECT_EQ(store.op(use("to_fp", {mode, i_, r_}, {5, 11})), Op::kFpFromExpReal);
}

TEST_F(ApplyTest, IntsBesideRealsBecomeReal) {
  std::vector<TermId> args = {r_, one_};
  const TermId sum = by_name("+", args);
  EXPECT_EQ(sum, make(Op::kAdd, {r_, store.real_literal("1.0")}));
  EXPECT_EQ(args[1], store.real_literal("1.0"));
  EXPECT_EQ(use("<", {i_, r_, one_}), make(Op::kLt, {real(i_), r_, store.real_literal("1.0")}));
  EXPECT_EQ(use("=", {i_, r_}), make(Op::kEq, {real(i_), r_}));
  EXPECT_EQ(use("ite", {p_, i_, r_}), make(Op::kIte, {p_, real(i_), r_}));
  const TermId minus_one = use("-", {one_});
  EXPECT_EQ(use("*", {minus_one, r_}),
            make(Op::kMul, {make(Op::kNeg, {store.real_literal("1.0")}), r_}));
}

TEST_F(ApplyTest, WellSortedTermsAreLeftAlone) {
  std::vector<TermId> args = {i_, one_};
  EXPECT_EQ(by_name("+", args), make(Op::kAdd, {i_, one_}));
  EXPECT_EQ(args, (std::vector{i_, one_}));
  const TermId a = constant("a", array(kIntSort, kRealSort));
  EXPECT_EQ(use("store", {a, i_, r_}), make(Op::kStore, {a, i_, r_}));
}

TEST_F(ApplyTest, ArgumentsBecomeWhatTheirPlaceWants) {
  EXPECT_EQ(use("/", {one_, store.int_literal("3")}),
            make(Op::kRealDiv, {store.real_literal("1.0"), store.real_literal("3.0")}));
  const TermId whole = make(Op::kToInt, {r_});
  EXPECT_EQ(use("mod", {r_, one_}), make(Op::kMod, {whole, one_}));
  EXPECT_EQ(use("str.at", {s_, r_}), make(Op::kStrAt, {s_, whole}));
  EXPECT_EQ(use("is_int", {i_}), make(Op::kIsInt, {real(i_)}));
  const TermId mode = use("RNE", {});
  EXPECT_EQ(store.op(use("to_fp", {mode, i_}, {5, 11})), Op::kFpFromReal);
}

TEST_F(ApplyTest, ArraysConvertTheirIndicesAndElements) {
  const TermId a = constant("a", array(kRealSort, kIntSort));
  const TermId whole = make(Op::kToInt, {r_});
  EXPECT_EQ(use("select", {a, i_}), make(Op::kSelect, {a, real(i_)}));
  EXPECT_EQ(use("store", {a, i_, r_}), make(Op::kStore, {a, real(i_), whole}));
  EXPECT_FALSE(use("select", {a, p_}).valid());
  EXPECT_FALSE(use("select", {a, i_, i_}).valid());
  EXPECT_FALSE(use("store", {a, i_, i_, i_}).valid());
  EXPECT_FALSE(use("store", {a, i_}).valid());
  EXPECT_FALSE(use("select", {i_, i_}).valid());
}

TEST_F(ApplyTest, LambdasBecomeArrays) {
  const TermId x = variable("x", kIntSort);
  const TermId lambda = bind(Op::kLambda, {x}, x);
  const SortId ints = array(kIntSort, kIntSort);
  const TermId a = constant("a", ints);
  const TermId as_array = coerce(store, lambda, ints);
  ASSERT_TRUE(as_array.valid());
  EXPECT_EQ(store.sort(as_array), ints);
  EXPECT_EQ(store.op(as_array), Op::kLambda);
  EXPECT_EQ(use("=", {a, lambda}), make(Op::kEq, {a, as_array}));
  EXPECT_EQ(use("select", {lambda, one_}), make(Op::kSelect, {as_array, one_}));
  const FunId f = declare("f", {ints}, kIntSort);
  EXPECT_EQ(invoke(f, {lambda}), invoke(f, {as_array}));
  EXPECT_FALSE(coerce(store, lambda, array(kIntSort, kRealSort)).valid());
  EXPECT_FALSE(use("=", {constant("b", array(kRealSort, kIntSort)), lambda}).valid());
  // A function that is no lambda is no array.
  EXPECT_FALSE(coerce(store, constant("g", store.sort(lambda)), ints).valid());
}

TEST_F(ApplyTest, OneArgumentWhereTwoAreWanted) {
  EXPECT_EQ(use("and", {p_}), make(Op::kAnd, {p_}));
  EXPECT_EQ(use("+", {r_}), r_);
  EXPECT_EQ(use("str.++", {s_}), s_);
  EXPECT_EQ(use("<", {i_}), make(Op::kTrue, {}));
  EXPECT_EQ(use("distinct", {s_}), make(Op::kTrue, {}));
  EXPECT_FALSE(use("and", {i_}).valid());
  EXPECT_FALSE(use("+", {p_}).valid());
  EXPECT_FALSE(use("mod", {i_}).valid());
}

TEST_F(ApplyTest, ConnectivesOfNothing) {
  EXPECT_EQ(use("and", {}), make(Op::kAnd, {}));
  EXPECT_EQ(use("or", {}), make(Op::kOr, {}));
  EXPECT_EQ(use("distinct", {}), make(Op::kTrue, {}));
  EXPECT_FALSE(use("+", {}).valid());
  EXPECT_FALSE(use("=>", {}).valid());
}

TEST_F(ApplyTest, TheTypedFormDoesNotConvert) {
  const TermId mixed[] = {i_, r_};
  EXPECT_FALSE(apply(store, Op::kAdd, mixed).valid());
  const TermId one[] = {p_};
  EXPECT_TRUE(apply(store, Op::kAnd, one).valid());
  EXPECT_FALSE(apply(store, Op::kImplies, one).valid());
  EXPECT_FALSE(apply(store, Op::kSeqEmpty, {}).valid());
}

TEST_F(ApplyTest, AsGivesOpenSorts) {
  const SortId ints = sort_of(SortKind::kSeq, {kIntSort});
  EXPECT_FALSE(use("seq.empty", {}).valid());
  EXPECT_EQ(store.sort(use("seq.empty", {}, {}, ints)), ints);
  EXPECT_FALSE(use("seq.empty", {}, {}, kIntSort).valid());
  EXPECT_FALSE(use("seq.empty", {}, {}, sort_of(SortKind::kSet, {kIntSort})).valid());
  const SortId reals = array(kIntSort, kRealSort);
  EXPECT_EQ(use("const", {one_}, {}, reals), use("const", {store.real_literal("1.0")}, {}, reals));
  EXPECT_FALSE(use("const", {p_}, {}, reals).valid());
  EXPECT_FALSE(use("const", {r_}).valid());
  // Where nothing is open, `as` chooses among the overloads.
  EXPECT_EQ(use("+", {i_, i_}, {}, kIntSort), make(Op::kAdd, {i_, i_}));
  EXPECT_EQ(use("+", {i_, i_}, {}, kRealSort), make(Op::kAdd, {real(i_), real(i_)}));
  EXPECT_FALSE(use("+", {i_, i_}, {}, kBoolSort).valid());
}

TEST_F(ApplyTest, UnknownSortsFitEverywhere) {
  const TermId odd = constant("odd", kUnknownSort);
  EXPECT_EQ(store.sort(use("and", {odd, p_})), kBoolSort);
  EXPECT_EQ(store.sort(use("+", {odd, r_})), kRealSort);
  EXPECT_EQ(store.sort(use("ite", {p_, odd, i_})), kIntSort);
  EXPECT_EQ(store.sort(use("select", {odd, i_})), kUnknownSort);
  EXPECT_EQ(coerce(store, odd, kIntSort), odd);
}

TEST_F(ApplyTest, CallsOfDeclaredFunctions) {
  const FunId f = declare("f", {kRealSort, kBoolSort}, kIntSort);
  EXPECT_EQ(store.sort(invoke(f, {r_, p_})), kIntSort);
  EXPECT_EQ(invoke(f, {i_, p_}), invoke(f, {real(i_), p_}));
  EXPECT_FALSE(invoke(f, {r_}).valid());
  EXPECT_FALSE(invoke(f, {r_, p_, p_}).valid());
  EXPECT_FALSE(invoke(f, {r_, i_}).valid());
  EXPECT_EQ(invoke(f, {r_, p_}, kIntSort), invoke(f, {r_, p_}));
  EXPECT_FALSE(invoke(f, {r_, p_}, kRealSort).valid());
  EXPECT_EQ(text(store.sort(function_value(store, f))), "(-> Real Bool Int)");
}

// z3 reads (Set A) as (Array A Bool).
TEST_F(ApplyTest, CallsTakeSetsForArraysOfBooleans) {
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  const TermId a = constant("a", array(kIntSort, kBoolSort));
  const TermId s = constant("t", set);
  EXPECT_TRUE(invoke(declare("f", {set}, kIntSort), {a}).valid());
  EXPECT_TRUE(invoke(declare("g", {array(kIntSort, kBoolSort)}, kIntSort), {s}).valid());
  EXPECT_FALSE(invoke(declare("h", {array(kIntSort, kIntSort)}, kIntSort), {s}).valid());
  EXPECT_FALSE(invoke(declare("k", {array(kRealSort, kBoolSort)}, kIntSort), {s}).valid());
}

TEST_F(ApplyTest, SetsBesideArraysOfBooleans) {
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  const TermId a = constant("a", array(kIntSort, kBoolSort));
  const TermId s = constant("t", set);
  EXPECT_TRUE(use("=", {s, a}).valid());
  EXPECT_EQ(store.sort(use("ite", {p_, s, a})), set);
  EXPECT_FALSE(use("=", {s, constant("b", array(kIntSort, kIntSort))}).valid());
  const TermId keyed = constant("k", array(set, kIntSort));
  EXPECT_TRUE(use("select", {keyed, a}).valid());
  EXPECT_TRUE(use("store", {keyed, a, i_}).valid());
}

TEST_F(ApplyTest, ConstantSetsAndArraysOfSeveralIndices) {
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  EXPECT_EQ(store.sort(use("const", {p_}, {}, set)), set);
  EXPECT_FALSE(use("const", {i_}, {}, set).valid());
  const SortId wide = sort_of(SortKind::kArray, {kIntSort, kBoolSort, kRealSort});
  EXPECT_EQ(store.sort(use("const", {r_}, {}, wide)), wide);
}

class ParametricTest : public ApplyTest {
 protected:
  // (declare-datatype List (par (A) ((nil) (cons (head A) (tail (List A))))))
  ParametricTest() {
    id_ = store.new_datatype(symbol("List"));
    const SortId a = parameter("A");
    store.datatype(id_).parameters = {a};
    const SortId open = list(a);
    nil_ = declare("nil", {}, open, FunKind::kConstructor);
    store.fun(nil_).needs_as = true;
    cons_ = declare("cons", {a, open}, open, FunKind::kConstructor);
    head_ = declare("head", {open}, a, FunKind::kSelector);
  }
  SortId list(SortId element) {
    const SortId children[] = {element};
    return store.sorts().make(SortKind::kDatatype, id_.value, symbol("List").value, children);
  }

  DatatypeId id_;
  FunId nil_;
  FunId cons_;
  FunId head_;
};

TEST_F(ParametricTest, ConstructorsAndSelectors) {
  const TermId nil = invoke(nil_, {}, list(kIntSort));
  ASSERT_TRUE(nil.valid());
  EXPECT_EQ(text(store.sort(nil)), "(List Int)");
  EXPECT_FALSE(invoke(nil_, {}).valid());
  EXPECT_FALSE(invoke(nil_, {}, kIntSort).valid());
  const TermId cell = invoke(cons_, {one_, nil});
  EXPECT_EQ(store.sort(cell), list(kIntSort));
  EXPECT_EQ(store.sort(invoke(head_, {cell})), kIntSort);
  EXPECT_FALSE(invoke(head_, {one_}).valid());
  EXPECT_FALSE(invoke(cons_, {p_, nil}).valid());
  EXPECT_FALSE(invoke(cons_, {r_, nil}).valid());
  const TermId deep = invoke(cons_, {nil, invoke(nil_, {}, list(list(kIntSort)))});
  EXPECT_EQ(text(store.sort(deep)), "(List (List Int))");
}

TEST_F(ParametricTest, WhatAsSaysConvertsArguments) {
  const TermId nil = invoke(nil_, {}, list(kRealSort));
  const TermId cell = invoke(cons_, {one_, nil}, list(kRealSort));
  EXPECT_EQ(cell, invoke(cons_, {store.real_literal("1.0"), nil}));
  EXPECT_FALSE(invoke(cons_, {p_, nil}, list(kRealSort)).valid());
}

TEST_F(ParametricTest, MatchingAndSubstitutingSorts) {
  const SortId a = parameter("A");
  const SortId b = parameter("B");
  const SortId pattern = array(a, list(b));
  SortBindings bindings;
  EXPECT_TRUE(match_sort(store.sorts(), pattern, array(kIntSort, list(kBoolSort)), bindings));
  EXPECT_EQ(bindings, (SortBindings{{a, kIntSort}, {b, kBoolSort}}));
  EXPECT_EQ(substitute_sort(store.sorts(), array(b, list(a)), bindings),
            array(kBoolSort, list(kIntSort)));
  EXPECT_EQ(substitute_sort(store.sorts(), parameter("C"), bindings), parameter("C"));
  const auto matches = [&](SortId from, SortId to) {
    SortBindings fresh;
    return match_sort(store.sorts(), from, to, fresh);
  };
  EXPECT_FALSE(matches(array(a, a), array(kIntSort, kBoolSort)));
  EXPECT_FALSE(matches(pattern, array(kIntSort, kBoolSort)));
  EXPECT_FALSE(matches(list(a), sort_of(SortKind::kSeq, {kIntSort})));
  EXPECT_TRUE(matches(list(a), kUnknownSort));
  EXPECT_TRUE(matches(kIntSort, kIntSort));
}

TEST_F(ApplyTest, MessagesShowTheSorts) {
  const std::vector<TermId> few = {i_, constant("a", array(kIntSort, kBoolSort))};
  EXPECT_EQ(describe_sorts(store, few), "(Int (Array Int Bool))");
  EXPECT_EQ(describe_sorts(store, {}), "()");
  const std::vector<TermId> many(9, p_);
  EXPECT_EQ(describe_sorts(store, many), "(Bool Bool Bool Bool Bool Bool Bool Bool ...)");
}

}  // namespace
}  // namespace elenchus::ir
