#include "ir/type_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class TypeRulesTest : public testing::Test, protected TestTerms {
 protected:
  // What the rule says, as text; "-" when it refuses.
  std::string type(Rule rule, std::vector<SortId> args, std::vector<uint32_t> indices = {}) {
    const SortId sort = apply_rule(store, rule, {{}, indices, {}}, args);
    return sort.valid() ? text(sort) : "-";
  }
  SortId array(std::vector<SortId> sorts) { return sort_of(SortKind::kArray, std::move(sorts)); }
  SortId tuple(std::vector<SortId> sorts) { return sort_of(SortKind::kTuple, std::move(sorts)); }
  SortId relation(std::vector<SortId> sorts) {
    return sort_of(SortKind::kSet, {tuple(std::move(sorts))});
  }
  SortId bits(uint32_t width) { return store.sorts().bit_vec(width); }
  uint32_t name(std::string_view text) { return symbol(text).value | kSymbolIndex; }

  static constexpr SortId kB = kBoolSort;
  static constexpr SortId kI = kIntSort;
  static constexpr SortId kR = kRealSort;
  static constexpr SortId kUnknown = kUnknownSort;
};

TEST_F(TypeRulesTest, Select) {
  const SortId a = array({kI, kR});
  EXPECT_EQ(type(Rule::kSelect, {a, kI}), "Real");
  EXPECT_EQ(type(Rule::kSelect, {array({kI, kB, kR}), kI, kB}), "Real");
  EXPECT_EQ(type(Rule::kSelect, {sort_of(SortKind::kSet, {kI}), kI}), "Bool");
  EXPECT_EQ(type(Rule::kSelect, {a, kUnknown}), "Real");
  EXPECT_EQ(type(Rule::kSelect, {kUnknown, kI, kI}), "?");
  for (const auto& bad : std::vector<std::vector<SortId>>{{},
                                                          {a},
                                                          {a, kR},
                                                          {a, kI, kI},
                                                          {kI, kI},
                                                          {array({kI, kB, kR}), kI},
                                                          {array({kI, kB, kR}), kB, kI}}) {
    EXPECT_EQ(type(Rule::kSelect, bad), "-");
  }
}

TEST_F(TypeRulesTest, Store) {
  const SortId a = array({kI, kR});
  EXPECT_EQ(type(Rule::kStore, {a, kI, kR}), "(Array Int Real)");
  EXPECT_EQ(type(Rule::kStore, {array({kI, kB, kR}), kI, kB, kR}), "(Array Int Bool Real)");
  EXPECT_EQ(type(Rule::kStore, {sort_of(SortKind::kSet, {kI}), kI, kB}), "(Set Int)");
  EXPECT_EQ(type(Rule::kStore, {a, kI, kUnknown}), "(Array Int Real)");
  EXPECT_EQ(type(Rule::kStore, {kUnknown, kI, kR}), "?");
  for (const auto& bad : std::vector<std::vector<SortId>>{{},
                                                          {a, kI},
                                                          {a, kI, kI},
                                                          {a, kR, kR},
                                                          {a, kI, kR, kR},
                                                          {kI, kI, kI},
                                                          {array({kI, kB, kR}), kI, kR}}) {
    EXPECT_EQ(type(Rule::kStore, bad), "-");
  }
}

TEST_F(TypeRulesTest, Concat) {
  EXPECT_EQ(type(Rule::kConcat, {bits(3), bits(4)}), "(_ BitVec 7)");
  EXPECT_EQ(type(Rule::kConcat, {bits(1), bits(2), bits(3), bits(4)}), "(_ BitVec 10)");
  EXPECT_EQ(type(Rule::kConcat, {bits(1), kUnknown}), "?");
  EXPECT_EQ(type(Rule::kConcat, {bits(1)}), "-");
  EXPECT_EQ(type(Rule::kConcat, {bits(1), kI}), "-");
  EXPECT_EQ(type(Rule::kConcat, {bits(INT32_MAX - 1), bits(1)}), "(_ BitVec 2147483647)");
  EXPECT_EQ(type(Rule::kConcat, {bits(INT32_MAX), bits(1)}), "-");
  EXPECT_EQ(type(Rule::kConcat, std::vector<SortId>(5, bits(INT32_MAX))), "-");
}

TEST_F(TypeRulesTest, Tuples) {
  const SortId t = tuple({kI, kR, kB});
  EXPECT_EQ(type(Rule::kTuple, {kI, kR}), "(Tuple Int Real)");
  EXPECT_EQ(type(Rule::kTuple, {}), "UnitTuple");
  EXPECT_EQ(type(Rule::kTupleSelect, {t}, {1}), "Real");
  EXPECT_EQ(type(Rule::kTupleSelect, {kUnknown}, {9}), "?");
  EXPECT_EQ(type(Rule::kTupleSelect, {t}, {3}), "-");
  EXPECT_EQ(type(Rule::kTupleSelect, {t}, {}), "-");
  EXPECT_EQ(type(Rule::kTupleSelect, {t}, {0, 1}), "-");
  EXPECT_EQ(type(Rule::kTupleSelect, {t}, {name("x")}), "-");
  EXPECT_EQ(type(Rule::kTupleSelect, {t, t}, {0}), "-");
  EXPECT_EQ(type(Rule::kTupleSelect, {array({kI, kR})}, {0}), "-");
  EXPECT_EQ(type(Rule::kTupleUpdate, {t, kB}, {2}), "(Tuple Int Real Bool)");
  EXPECT_EQ(type(Rule::kTupleUpdate, {t, kUnknown}, {2}), "(Tuple Int Real Bool)");
  EXPECT_EQ(type(Rule::kTupleUpdate, {t, kI}, {2}), "-");
  EXPECT_EQ(type(Rule::kTupleUpdate, {t, kB}, {3}), "-");
  EXPECT_EQ(type(Rule::kTupleUpdate, {t}, {2}), "-");
  EXPECT_EQ(type(Rule::kTupleProject, {t}, {2, 0, 2}), "(Tuple Bool Int Bool)");
  EXPECT_EQ(type(Rule::kTupleProject, {t}, {}), "UnitTuple");
  EXPECT_EQ(type(Rule::kTupleProject, {t}, {0, 3}), "-");
  EXPECT_EQ(type(Rule::kTupleProject, {kI}, {0}), "-");
}

TEST_F(TypeRulesTest, ArrayMap) {
  const SortId ints = array({kI, kI});
  const SortId reals = array({kI, kR});
  const uint32_t f = declare("f", {kI, kR}, kB).value;
  EXPECT_EQ(type(Rule::kArrayMap, {ints, reals}, {f}), "(Array Int Bool)");
  EXPECT_EQ(type(Rule::kArrayMap, {reals, ints}, {f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints}, {f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, array({kR, kR})}, {f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, kR}, {f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {}, {f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, reals}, {f, f}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, kUnknown}, {f}), "?");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, ints}, {name("+")}), "(Array Int Int)");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, ints}, {name("<")}), "(Array Int Bool)");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, ints}, {name("and")}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, ints}, {name("nonesuch")}), "-");
  EXPECT_EQ(type(Rule::kArrayMap, {ints, ints}, {name("(+ (Int Int) Int)")}), "(Array Int Int)");
  EXPECT_EQ(type(Rule::kArrayMap, {ints}, {name("(odd (Int) Int)")}), "?");
  const SortId set = sort_of(SortKind::kSet, {kI});
  EXPECT_EQ(type(Rule::kArrayMap, {set, set}, {name("or")}), "(Set Int)");
}

TEST_F(TypeRulesTest, AsArray) {
  EXPECT_EQ(type(Rule::kAsArray, {}, {declare("f", {kI, kB}, kR).value}), "(Array Int Bool Real)");
  EXPECT_EQ(type(Rule::kAsArray, {}, {declare("c", {}, kR).value}), "-");
  EXPECT_EQ(type(Rule::kAsArray, {kI}, {declare("g", {kI}, kR).value}), "-");
  EXPECT_EQ(type(Rule::kAsArray, {}, {name("+")}), "-");
  EXPECT_EQ(type(Rule::kAsArray, {}), "-");
}

TEST_F(TypeRulesTest, TestersAndUpdatesOfParametricDatatypes) {
  // (declare-datatype Pair (par (A B) ((pair (first A) (second (Seq B))))))
  const DatatypeId id = store.new_datatype(symbol("Pair"));
  const SortId a = store.sorts().make(SortKind::kParameter, symbol("A").value, 0, {});
  const SortId b = store.sorts().make(SortKind::kParameter, symbol("B").value, 0, {});
  store.datatype(id).parameters = {a, b};
  const auto pair = [&](SortId one, SortId two) {
    const SortId both[] = {one, two};
    return store.sorts().make(SortKind::kDatatype, id.value, symbol("Pair").value, both);
  };
  const SortId seq = sort_of(SortKind::kSeq, {b});
  const FunId constructor = declare("pair", {a, seq}, pair(a, b), FunKind::kConstructor);
  const FunId second = declare("second", {pair(a, b)}, seq, FunKind::kSelector);
  const FunId plain = declare("f", {kI}, kI);
  store.fun(constructor).datatype = id;
  store.fun(second).datatype = id;

  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR)}, {constructor.value}), "Bool");
  EXPECT_EQ(type(Rule::kIs, {kUnknown}, {constructor.value}), "Bool");
  EXPECT_EQ(type(Rule::kIs, {kI}, {constructor.value}), "-");
  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR)}, {second.value}), "-");
  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR)}, {plain.value}), "-");
  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR)}, {name("pair")}), "-");
  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR), kI}, {constructor.value}), "-");
  EXPECT_EQ(type(Rule::kIs, {pair(kI, kR)}), "-");

  const SortId reals = sort_of(SortKind::kSeq, {kR});
  EXPECT_EQ(type(Rule::kUpdate, {pair(kI, kR), reals}, {second.value}), "(Pair Int Real)");
  EXPECT_EQ(type(Rule::kUpdate, {pair(kI, kR), kUnknown}, {second.value}), "(Pair Int Real)");
  EXPECT_EQ(type(Rule::kUpdate, {kUnknown, kI}, {second.value}), "?");
  EXPECT_EQ(type(Rule::kUpdate, {pair(kR, kI), reals}, {second.value}), "-");
  EXPECT_EQ(type(Rule::kUpdate, {pair(kI, kR), reals}, {constructor.value}), "-");
  EXPECT_EQ(type(Rule::kUpdate, {pair(kI, kR)}, {second.value}), "-");
  EXPECT_EQ(type(Rule::kUpdate, {kI, reals}, {second.value}), "-");
}

TEST_F(TypeRulesTest, HigherOrderApplication) {
  const SortId f = sort_of(SortKind::kFunction, {kI, kR, kB});
  EXPECT_EQ(type(Rule::kHoApply, {f, kI}), "(-> Real Bool)");
  EXPECT_EQ(type(Rule::kHoApply, {f, kI, kR}), "Bool");
  EXPECT_EQ(type(Rule::kHoApply, {f, kI, kR, kB}), "-");
  EXPECT_EQ(type(Rule::kHoApply, {f, kR}), "-");
  EXPECT_EQ(type(Rule::kHoApply, {f}), "-");
  EXPECT_EQ(type(Rule::kHoApply, {kI, kI}), "-");
  EXPECT_EQ(type(Rule::kHoApply, {kUnknown, kI}), "?");
}

TEST_F(TypeRulesTest, Relations) {
  const SortId ir = relation({kI, kR});
  const SortId rb = relation({kR, kB});
  EXPECT_EQ(type(Rule::kRelTranspose, {relation({kI, kR, kB})}), "(Set (Tuple Bool Real Int))");
  EXPECT_EQ(type(Rule::kRelTranspose, {ir, ir}), "-");
  EXPECT_EQ(type(Rule::kRelProduct, {ir, rb}), "(Set (Tuple Int Real Real Bool))");
  EXPECT_EQ(type(Rule::kRelProduct, {ir, rb, ir}), "(Set (Tuple Int Real Real Bool Int Real))");
  EXPECT_EQ(type(Rule::kRelProduct, {ir}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {ir, rb}), "(Set (Tuple Int Bool))");
  EXPECT_EQ(type(Rule::kRelJoin, {ir, rb, relation({kB, kI})}), "(Set (Tuple Int Int))");
  EXPECT_EQ(type(Rule::kRelJoin, {rb, ir}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {relation({}), ir}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {ir, relation({})}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {ir, sort_of(SortKind::kSet, {kI})}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {kI, ir}), "-");
  EXPECT_EQ(type(Rule::kRelJoin, {ir, kUnknown}), "?");
  EXPECT_EQ(type(Rule::kRelJoin, {}), "-");
}

TEST_F(TypeRulesTest, RulesThatTakeNearlyAnything) {
  EXPECT_EQ(type(Rule::kAny, {kI, kB}, {1}), "?");
  EXPECT_EQ(type(Rule::kAnyBool, {kB, kB, kUnknown}, {3, 1, 1}), "Bool");
  EXPECT_EQ(type(Rule::kAnyBool, {kB, kI}), "-");
  EXPECT_EQ(type(Rule::kAnyBoolArgsAny, {kI, kB}, {name("r")}), "Bool");
  EXPECT_EQ(type(Rule::kNone, {kI}), "-");
}

}  // namespace
}  // namespace elenchus::ir
