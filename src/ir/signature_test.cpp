#include "ir/signature.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/sort.h"

namespace elenchus::ir {
namespace {

Signature read(std::string_view text) {
  auto result = parse_signatures(text);
  if (!result.has_value() || result->size() != 1) {
    ADD_FAILURE() << text << ": " << (result.has_value() ? "not one" : result.error().message);
    return {};
  }
  return std::move(result->front());
}

struct BadText {
  const char* text;
  const char* message;  // a part of it
  uint32_t line;
  uint32_t column;
};

TEST(SignatureTest, ErrorsNameTheirPlace) {
  const std::string deep = std::string(100, '(') + std::string(100, ')');
  const BadText cases[] = {
      {"(f Int", "')' missing", 1, 1},
      {"(f Int Int)\n  )", "unexpected ')'", 2, 3},
      {"; nothing\n f", "a signature is", 2, 2},
      {"(f)", "a signature is", 1, 1},
      {"()", "a signature is", 1, 1},
      {"(f :left-assoc)", "result sort is missing", 1, 1},
      {"(f Int\n   Foo Int)", "unknown sort 'Foo'", 2, 4},
      {"(f A A)", "unknown sort 'A'", 1, 4},
      {"(f BitVec)", "unknown sort 'BitVec'", 1, 4},
      {"(f (BitVec 8) Int)", "unknown sort '(BitVec 8)'", 1, 4},
      {"(f (_ Int 8) Int)", "unknown sort", 1, 4},
      {"(f (_ BitVec) Int)", "wrong number of indices", 1, 4},
      {"(f (_ BitVec 1 2) Int)", "wrong number of indices", 1, 4},
      {"(f (_ FloatingPoint 8) Int)", "wrong number of indices", 1, 4},
      {"(f (_ BitVec (/ m 2)) Int)", "an index is", 1, 14},
      {"(f (_ BitVec (+ m)) Int)", "an index is", 1, 14},
      {"(f () Int)", "unknown sort", 1, 4},
      {"(f (_) Int)", "unknown sort", 1, 4},
      {"(f Array Int)", "unknown sort 'Array'", 1, 4},
      {"(f (Array) Int)", "wrong number of sorts", 1, 4},
      {"(f (Array Int) Int)", "wrong number of sorts", 1, 4},
      {"(f Int (Set))", "wrong number of sorts", 1, 8},
      {"(f Int (Seq Int Int))", "wrong number of sorts", 1, 8},
      {"(f (-> Int) Int)", "wrong number of sorts", 1, 4},
      {"((f) Int Int)", "an indexed operator is written", 1, 2},
      {"((_ f) Int Int)", "an indexed operator is written", 1, 2},
      {"((_ (f) i) Int Int)", "an indexed operator is written", 1, 2},
      {"((_ f (i)) Int Int)", "an indexed operator is written", 1, 2},
      {"((_ f i i) Int Int)", "twice", 1, 9},
      {"((_ f a b c d e g h i j) Int Int)", "more than eight index variables", 1, 23},
      {"(f (_ BitVec (+ a (+ b (+ c (+ d (+ e (+ g (+ h (+ i j))))))))) Int)",
       "more than eight index variables", 1, 54},
      {"(par () (f Int))", "`par` needs", 1, 1},
      {"(par A (f Int))", "`par` needs", 1, 1},
      {"(par (A B C D E F G H I) (f A))", "`par` needs", 1, 1},
      {"(f Int Int :foo)", "unknown attribute ':foo'", 1, 12},
      {"(f Int Int :chainable x)", "unknown attribute 'x'", 1, 23},
      {"(f Int Int :rule)", "unknown attribute", 1, 12},
      {"(f Int Int :rule none-such)", "unknown rule 'none-such'", 1, 18},
      {"(f Int Int :left-assoc)", "two argument sorts", 1, 1},
      {"(f Int Int Int Int :chainable)", "two argument sorts", 1, 1},
      {"(f Int :variadic)", "needs an argument sort", 1, 1},
      {"(f Int Int :where (!= 1 2))", "a condition is", 1, 19},
      {"(f Int Int :where x)", "a condition is", 1, 19},
      {"(f Int Int :where (< 1))", "a condition is", 1, 19},
      {deep.c_str(), "nested too deep", 1, 66},
  };
  for (const BadText& bad : cases) {
    const auto result = parse_signatures(bad.text);
    ASSERT_FALSE(result.has_value()) << bad.text;
    EXPECT_NE(result.error().message.find(bad.message), std::string::npos)
        << bad.text << ": " << result.error().message;
    EXPECT_EQ(result.error().where.line, bad.line) << bad.text;
    EXPECT_EQ(result.error().where.column, bad.column) << bad.text;
  }
}

TEST(SignatureTest, ReadsSeveralWithComments) {
  const auto result = parse_signatures("; two\n(f Int Int) ; one\n\t(g Bool)\r\n(h Real Real);end");
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(result->size(), 3U);
  EXPECT_EQ((*result)[1].name, "g");
  EXPECT_TRUE((*result)[1].params.empty());
  EXPECT_EQ((*result)[2].text, "(h Real Real)");
  EXPECT_TRUE(parse_signatures("  ; nothing").value().empty());
}

TEST(SignatureTest, WhatIsPlainAndWhatNeedsAs) {
  EXPECT_TRUE(read("(f Int Bool)").plain);
  EXPECT_TRUE(read("(f Bool)").plain);
  EXPECT_FALSE(read("(par (A) (f A Bool))").plain);
  EXPECT_FALSE(read("(f (_ BitVec 8) Bool)").plain);
  EXPECT_FALSE(read("((_ f i) Int Bool)").plain);
  EXPECT_FALSE(read("(par (A) (f A A))").needs_as);
  EXPECT_TRUE(read("(par (A) (f (Seq A)))").needs_as);
  EXPECT_TRUE(read("(par (A B) (f B (Array A B)))").needs_as);
  EXPECT_FALSE(read("(par (A B) (f (Array A B) (Set (Seq B))))").needs_as);
  EXPECT_FALSE(read("(par (A) (f Int (Seq A) :rule any))").needs_as);
}

TEST(SignatureTest, NumbersOfArguments) {
  const auto counts = [](std::string_view text) {
    const Signature signature = read(text);
    std::string result;
    for (size_t count = 0; count < 5; ++count) result += takes(signature, count) ? '1' : '0';
    return result;
  };
  EXPECT_EQ(counts("(f Bool)"), "10000");
  EXPECT_EQ(counts("(f Int Int Bool)"), "00100");
  for (const std::string attribute : {":left-assoc", ":right-assoc", ":chainable", ":pairwise"}) {
    EXPECT_EQ(counts("(f Int Int Bool " + attribute + ")"), "00111");
  }
  EXPECT_EQ(counts("(f Int Bool :variadic)"), "01111");
  EXPECT_EQ(counts("(f Int Real Bool :variadic)"), "00111");
  EXPECT_EQ(counts("(f Int Real Bool :variadic-first)"), "00111");
}

TEST(SignatureTest, PlacesOfArguments) {
  const auto places = [](std::string_view text, size_t count) {
    const Signature signature = read(text);
    std::string result;
    for (size_t i = 0; i < count; ++i) {
      const auto kind = signature.patterns[parameter_of(signature, i, count)].kind;
      result += kind == SortKind::kInt ? 'I' : 'R';
    }
    return result;
  };
  EXPECT_EQ(places("(f Int Real Int :left-assoc)", 4), "IRRR");
  EXPECT_EQ(places("(f Int Real Real :right-assoc)", 4), "IIIR");
  EXPECT_EQ(places("(f Int Real Bool :variadic)", 4), "IRRR");
  EXPECT_EQ(places("(f Int Real Bool :variadic)", 2), "IR");
  EXPECT_EQ(places("(f Int Real Bool :variadic-first)", 4), "IIIR");
  EXPECT_EQ(places("(f Int Real Bool :variadic-first)", 2), "IR");
}

class SignatureMatchTest : public testing::Test {
 protected:
  // The result for these argument sorts; the own indices are given.
  SortId type(std::string_view text, std::vector<SortId> args, std::vector<int64_t> indices = {}) {
    const Signature signature = read(text);
    Bindings bindings;
    EXPECT_EQ(indices.size(), signature.own_indices);
    for (size_t i = 0; i < indices.size(); ++i) {
      bindings.indices[i] = indices[i];
      bindings.index_bound[i] = true;
    }
    for (size_t i = 0; i < args.size(); ++i) {
      const uint32_t place = parameter_of(signature, i, args.size());
      if (!match(sorts_, signature, place, args[i], bindings)) return {};
    }
    if (!conditions_hold(signature, bindings)) return {};
    return instantiate(sorts_, signature, signature.result, bindings);
  }
  SortId bv(uint32_t width) { return sorts_.bit_vec(width); }
  SortId make(SortKind kind, std::vector<SortId> children) { return sorts_.make(kind, children); }

  SortTable sorts_;
};

TEST_F(SignatureMatchTest, SortVariablesBindOnce) {
  const char* text = "(par (A B) (f (Array A B) A B (Set (Seq B))))";
  const SortId array = make(SortKind::kArray, {kIntSort, kRealSort});
  const SortId expected = make(SortKind::kSet, {make(SortKind::kSeq, {kRealSort})});
  EXPECT_EQ(type(text, {array, kIntSort, kRealSort}), expected);
  EXPECT_FALSE(type(text, {array, kRealSort, kRealSort}).valid());
  EXPECT_FALSE(type(text, {kIntSort, kIntSort, kRealSort}).valid());
  const SortId wide = make(SortKind::kArray, {kIntSort, kIntSort, kRealSort});
  EXPECT_FALSE(type(text, {wide, kIntSort, kRealSort}).valid());
}

TEST_F(SignatureMatchTest, IndexArithmetic) {
  EXPECT_EQ(type("(f (_ BitVec m) (_ BitVec n) (_ BitVec (+ m n)))", {bv(3), bv(5)}), bv(8));
  const char* extract = "((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)))";
  EXPECT_EQ(type(extract, {bv(8)}, {7, 3}), bv(5));
  EXPECT_FALSE(type(extract, {bv(8)}, {3, 7}).valid());  // no width below one
  EXPECT_FALSE(type(extract, {bv(8)}, {3, 4}).valid());
  EXPECT_EQ(type("((_ f i) (_ BitVec m) (_ BitVec (* i m)))", {bv(3)}, {4}), bv(12));
  EXPECT_FALSE(type("((_ f i) (_ BitVec m) (_ BitVec (* i m)))", {bv(3)}, {1 << 30}).valid());
}

TEST_F(SignatureMatchTest, IndexArithmeticDoesNotOverflow) {
  const char* power = "(f (_ BitVec m) (_ BitVec (* (* m m) (* m m))))";
  EXPECT_EQ(type(power, {bv(3)}), bv(81));
  EXPECT_FALSE(type(power, {bv(2'000'000'000)}).valid());
  const char* bound = "(f (_ BitVec m) Bool :where (< (* (* m m) (* m m)) 100))";
  EXPECT_EQ(type(bound, {bv(3)}), kBoolSort);
  EXPECT_FALSE(type(bound, {bv(2'000'000'000)}).valid());
}

TEST_F(SignatureMatchTest, IndicesInsideArgumentsAreChecked) {
  const char* text = "(f (_ BitVec m) (_ BitVec (+ m 1)) (_ FloatingPoint m 5) Bool)";
  const SortId fp = sorts_.floating_point(4, 5);
  EXPECT_EQ(type(text, {bv(4), bv(5), fp}), kBoolSort);
  EXPECT_FALSE(type(text, {bv(4), bv(6), fp}).valid());
  EXPECT_FALSE(type(text, {bv(4), bv(5), sorts_.floating_point(4, 6)}).valid());
  EXPECT_FALSE(type(text, {bv(4), bv(5), sorts_.floating_point(3, 5)}).valid());
}

TEST_F(SignatureMatchTest, Conditions) {
  const auto holds = [&](const std::string& condition, int64_t i, int64_t j) {
    return type("((_ f i j) Int Bool :where " + condition + ")", {kIntSort}, {i, j}).valid();
  };
  EXPECT_TRUE(holds("(< i j)", 1, 2));
  EXPECT_FALSE(holds("(< i j)", 2, 2));
  EXPECT_TRUE(holds("(<= i j)", 2, 2));
  EXPECT_FALSE(holds("(<= i j)", 3, 2));
  EXPECT_TRUE(holds("(> i j)", 3, 2));
  EXPECT_FALSE(holds("(> i j)", 2, 2));
  EXPECT_TRUE(holds("(>= i j)", 2, 2));
  EXPECT_FALSE(holds("(>= i j)", 1, 2));
  EXPECT_TRUE(holds("(= i (- j 1))", 1, 2));
  EXPECT_FALSE(holds("(= i j)", 1, 2));
  EXPECT_FALSE(holds("(< 0 i) (< i j)", 0, 5));
  EXPECT_FALSE(holds("(< 0 i) (< i j)", 5, 5));
  EXPECT_TRUE(holds("(< 0 i) (< i j)", 1, 5));
}

TEST_F(SignatureMatchTest, UnknownSortsFitAndSpread) {
  const SortId unknown = kUnknownSort;
  EXPECT_EQ(type("(par (A) (f A A Bool))", {unknown, kIntSort}), kBoolSort);
  EXPECT_EQ(type("(par (A) (f A A A))", {unknown, kIntSort}), kIntSort);
  EXPECT_EQ(type("(par (A) (f A (Set A)))", {unknown}), unknown);
  EXPECT_EQ(type("(f (_ BitVec m) (_ BitVec (+ m 1)))", {unknown}), unknown);
  EXPECT_EQ(type("(f (_ BitVec m) (_ BitVec m) (_ BitVec m))", {unknown, bv(7)}), bv(7));
  EXPECT_FALSE(type("(par (A) (f A A Bool))", {kBoolSort, kIntSort}).valid());
}

}  // namespace
}  // namespace elenchus::ir
