#include "ir/op_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/apply.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

// One way to use an operator.
struct Sample {
  std::vector<uint32_t> indices;
  SortId as;
  std::vector<SortId> args;
  SortId result;
};

class OpTableTest : public testing::Test, protected TestTerms {
 protected:
  // Sort variables stand for these; all are different.
  SortId sort_for(uint32_t variable) {
    constexpr SortId kSorts[] = {kIntSort, kBoolSort, kRealSort, kStringSort};
    return kSorts[variable];
  }

  // Numbers for the index variables under which the conditions hold and all sorts exist. Different
  // ones where possible, so that a mix-up shows.
  std::optional<Bindings> bindings_for(const Signature& signature) {
    constexpr int64_t kNumbers[] = {8, 5, 3, 4, 2, 1, 0};
    const size_t variables = signature.index_names.size();
    Bindings bindings;
    for (uint32_t i = 0; i < signature.sort_variables; ++i) bindings.sorts[i] = sort_for(i);
    std::vector<size_t> choice(variables, 0);
    for (;;) {
      for (size_t i = 0; i < variables; ++i) {
        bindings.indices[i] = kNumbers[choice[i]];
        bindings.index_bound[i] = true;
      }
      const std::set<size_t> distinct(choice.begin(), choice.end());
      const bool spread = distinct.size() == variables || signature.name == "to_fp";
      if (spread && conditions_hold(signature, bindings) && all_exist(signature, bindings)) {
        return bindings;
      }
      size_t i = 0;
      while (i < variables && ++choice[i] == std::size(kNumbers)) choice[i++] = 0;
      if (i == variables) return std::nullopt;
    }
  }

  bool all_exist(const Signature& signature, const Bindings& bindings) {
    if (!instantiate(store.sorts(), signature, signature.result, bindings).valid()) return false;
    return std::all_of(signature.params.begin(), signature.params.end(), [&](uint32_t param) {
      return instantiate(store.sorts(), signature, param, bindings).valid();
    });
  }

  // With this many arguments more than the signature lists.
  std::optional<Sample> sample(const Signature& signature, size_t more) {
    const auto bindings = bindings_for(signature);
    if (!bindings) return std::nullopt;
    Sample result;
    const size_t count = signature.params.size() + more;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t place = parameter_of(signature, i, count);
      result.args.push_back(instantiate(store.sorts(), signature, place, *bindings));
    }
    result.result = instantiate(store.sorts(), signature, signature.result, *bindings);
    for (uint32_t i = 0; i < signature.own_indices; ++i) {
      result.indices.push_back(static_cast<uint32_t>(bindings->indices[i]));
    }
    if (signature.needs_as) result.as = result.result;
    return result;
  }

  // A use that the rule accepts.
  Sample rule_sample(Rule rule) {
    const SortId array = sort_of(SortKind::kArray, {kIntSort, kBoolSort});
    const SortId function = sort_of(SortKind::kFunction, {kIntSort, kBoolSort});
    const SortId pair = tuple({kIntSort, kBoolSort});
    const SortId swapped = tuple({kBoolSort, kIntSort});
    const SortId r = set(pair);
    const SortId s = set(swapped);
    const SortId product = set(tuple({kIntSort, kBoolSort, kBoolSort, kIntSort}));
    const uint32_t name = symbol("not").value | kSymbolIndex;
    switch (rule) {
      case Rule::kNone: break;
      case Rule::kIs: return {{box().constructor.value}, {}, {box().sort}, kBoolSort};
      case Rule::kUpdate: return {{box().selector.value}, {}, {box().sort, kIntSort}, box().sort};
      case Rule::kTuple: return {{}, {}, {kIntSort, kBoolSort}, pair};
      case Rule::kTupleSelect: return {{1}, {}, {pair}, kBoolSort};
      case Rule::kTupleUpdate: return {{0}, {}, {pair, kIntSort}, pair};
      case Rule::kTupleProject: return {{1, 0}, {}, {pair}, swapped};
      case Rule::kArrayMap: return {{name}, {}, {array}, array};
      case Rule::kAsArray: return {{declare("f", {kIntSort}, kBoolSort).value}, {}, {}, array};
      case Rule::kSelect: return {{}, {}, {array, kIntSort}, kBoolSort};
      case Rule::kStore: return {{}, {}, {array, kIntSort, kBoolSort}, array};
      case Rule::kConcat: return {{}, {}, {bits(3), bits(5)}, bits(8)};
      case Rule::kMakeBits: return {{}, {}, {kBoolSort, kBoolSort}, bits(2)};
      case Rule::kHoApply: return {{}, {}, {function, kIntSort}, kBoolSort};
      case Rule::kRelJoin: return {{}, {}, {r, s}, set(tuple({kIntSort, kIntSort}))};
      case Rule::kRelProduct: return {{}, {}, {r, s}, product};
      case Rule::kRelTranspose: return {{}, {}, {r}, s};
      case Rule::kAny: return {{1}, {}, {kIntSort, r}, kUnknownSort};
      case Rule::kAnyBool: return {{2, 1, 1}, {}, {kBoolSort, kBoolSort}, kBoolSort};
      case Rule::kAnyBoolArgsAny: return {{name}, {}, {kIntSort, kIntSort}, kBoolSort};
    }
    ADD_FAILURE() << "no sample for a rule";
    return {};
  }

  SortId set(SortId element) { return sort_of(SortKind::kSet, {element}); }
  SortId tuple(std::vector<SortId> fields) { return sort_of(SortKind::kTuple, std::move(fields)); }
  SortId bits(uint32_t width) { return store.sorts().bit_vec(width); }

  struct Box {
    SortId sort;
    FunId constructor;
    FunId selector;
  };
  // (declare-datatype Box ((box (content Int))))
  const Box& box() {
    if (box_.sort.valid()) return box_;
    const DatatypeId id = store.new_datatype(symbol("Box"));
    box_.sort = store.sorts().make(SortKind::kDatatype, id.value, symbol("Box").value, {});
    box_.constructor = declare("box", {kIntSort}, box_.sort, FunKind::kConstructor);
    box_.selector = declare("content", {box_.sort}, kIntSort, FunKind::kSelector);
    store.fun(box_.constructor).datatype = id;
    store.fun(box_.selector).datatype = id;
    store.datatype(id).constructors = {{box_.constructor, {box_.selector}}};
    return box_;
  }

  // Builds the operator as the sample says, by the operator and by its name.
  void expect_builds(Op op, const Sample& use) {
    std::vector<TermId> args;
    for (size_t i = 0; i < use.args.size(); ++i) {
      args.push_back(constant("c" + std::to_string(i), use.args[i]));
    }
    const std::vector<TermId> given = args;
    const Op ops[] = {op};
    const TermId term = apply(store, {ops, use.indices, use.as}, args);
    ASSERT_TRUE(term.valid()) << describe_sorts(store, given);
    EXPECT_EQ(text(store.sort(term)), text(use.result));
    EXPECT_EQ(store.op(term), op);
    EXPECT_EQ(args, given) << "arguments were converted";
    EXPECT_TRUE(std::ranges::equal(store.args(term), given));
    if (!use.indices.empty()) {
      EXPECT_TRUE(std::ranges::equal(store.indices(term), use.indices));
    }
    const auto named = store.ops().named(store.symbols().find(store.ops().name(op)));
    // An element does not tell which sets are meant, those of cvc5 or those of z3.
    const SortId as = op == Op::kFiniteSetSingleton ? use.result : use.as;
    EXPECT_EQ(apply(store, {named, use.indices, as}, args), term) << "by name";
  }

 private:
  Box box_;
};

TEST_F(OpTableTest, EveryOperatorCanBeBuilt) {
  for (const Op op : store.ops().all()) {
    for (const Signature& signature : store.ops().info(op).signatures) {
      SCOPED_TRACE(std::string(store.ops().name(op)) + " " + signature.text);
      if (signature.rule != Rule::kNone) {
        expect_builds(op, rule_sample(signature.rule));
        continue;
      }
      const size_t most = signature.arity == Arity::kFixed ? 0 : 3;
      for (size_t more = 0; more <= most; ++more) {
        const auto use = sample(signature, more);
        ASSERT_TRUE(use.has_value()) << "no indices satisfy the conditions";
        expect_builds(op, *use);
      }
    }
  }
}

TEST_F(OpTableTest, EveryOperatorRefusesSuperfluousArguments) {
  for (const Op op : store.ops().all()) {
    for (const Signature& signature : store.ops().info(op).signatures) {
      if (signature.rule != Rule::kNone || signature.arity != Arity::kFixed) continue;
      auto use = sample(signature, 0);
      ASSERT_TRUE(use.has_value());
      use->args.push_back(sort_of(SortKind::kBag, {kRegLanSort}));
      const Op ops[] = {op};
      const Head head{ops, use->indices, use->as};
      EXPECT_FALSE(result_sort(store, head, use->args, nullptr).valid()) << signature.text;
    }
  }
}

TEST_F(OpTableTest, EveryRowIsThere) {
  using namespace marks;
  struct Row {
    Op op;
    Theory theory;
    Marks marks;
  };
  constexpr Row kRows[] = {
#define ELENCHUS_OP(enumerator, family, readers, signatures) \
  {Op::k##enumerator, Theory::k##family, readers},
#include "ir/ops.def"
  };
  EXPECT_EQ(std::size(kRows), kOpCount - static_cast<uint32_t>(Op::kUnknownText) - 1);
  const auto all = store.ops().all();
  for (const Row& row : kRows) {
    const OpInfo& info = store.ops().info(row.op);
    EXPECT_EQ(std::count(all.begin(), all.end(), row.op), 1) << store.ops().name(row.op);
    EXPECT_EQ(info.meaning, row.op);
    EXPECT_EQ(info.theory, row.theory);
    EXPECT_EQ(info.who, built_in_readers(row.marks));
    for (const Signature& signature : info.signatures) {
      EXPECT_EQ(signature.name, store.ops().name(row.op));
    }
  }
  EXPECT_FALSE(store.ops().info(Op::kForall).name.valid());
}

TEST_F(OpTableTest, NamesHaveTheSameIdInEveryStore) {
  TestTerms other;
  for (const Op op : store.ops().all()) {
    const SymbolId name = store.ops().info(op).name;
    EXPECT_EQ(store.symbols().find(store.ops().name(op)), name);
    EXPECT_EQ(other.store.symbols().find(store.ops().name(op)), name);
    const auto named = store.ops().named(name);
    EXPECT_EQ(std::count(named.begin(), named.end(), op), 1);
  }
  EXPECT_TRUE(store.ops().named(symbol("no such operator")).empty());
}

TEST_F(OpTableTest, EveryAliasMeansItsRow) {
  const auto expect_means = [&](const char* name, Op row) {
    const auto named = store.ops().named(store.symbols().find(name));
    EXPECT_EQ(std::count_if(named.begin(), named.end(),
                            [&](Op op) { return store.ops().meaning(op) == row; }),
              1)
        << name;
  };
#define ELENCHUS_ALIAS(name, enumerator, who) expect_means(name, Op::k##enumerator);
#include "ir/ops.def"
}

// A spelling is remembered only where some solver reads it and not the row's own name.
TEST_F(OpTableTest, SpellingsThatMatterAreOperatorsOfTheirOwn) {
  const auto only = [&](const char* name) {
    const auto named = store.ops().named(store.symbols().find(name));
    EXPECT_EQ(named.size(), 1U) << name;
    return named.empty() ? Op::kNone : named[0];
  };
  EXPECT_EQ(only("implies"), Op::kImplies);
  const Op card = only("card");
  EXPECT_NE(card, Op::kSetCard);
  EXPECT_EQ(store.ops().meaning(card), Op::kSetCard);
  EXPECT_EQ(store.ops().name(card), "card");
  EXPECT_EQ(store.ops().info(card).who, kCvc4Reader);
  const TermId s = constant("s", set(kIntSort));
  const TermId spelled = make(card, {s});
  EXPECT_NE(spelled, make(Op::kSetCard, {s}));
  EXPECT_EQ(store.meaning(spelled), Op::kSetCard);
}

}  // namespace
}  // namespace elenchus::ir
