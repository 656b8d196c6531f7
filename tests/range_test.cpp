// Ranges of arguments: the paper's example, what each theory says, and proposition 1 for every
// operator.
#include "mutate/diver/range.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "ground_terms.h"
#include "ir/term_store.h"
#include "mutate/diver/range_rules.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using eval::Value;
using ir::Op;
using ir::TermId;
using mutate::diver::Range;
using mutate::diver::Ranges;

// A formula that is true under a model, and the ranges of its parts.
class Case {
 public:
  Case(std::string_view declarations, std::string_view formula, std::string_view model = "()") {
    const std::string text = fmt::format("{}(assert {})", declarations, formula);
    auto parsed = smtlib::parse_script(store_, text);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().message) << text;
    if (!parsed) return;
    root_ = parsed->commands.back().term;
    const auto answers = smtlib::split_answers(model);
    auto read =
        smtlib::parse_model(store_, *parsed, parsed->commands.size(), model, answers->front());
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
    if (!read) return;
    model_ = std::move(*read);
    evaluator_ = std::make_unique<eval::Evaluator>(store_, model_);
    ranges_ = std::make_unique<Ranges>(*evaluator_);
    EXPECT_TRUE(evaluator_->evaluate(root_).is_true()) << formula;
  }

  struct Place {
    TermId term;
    Range range;
  };

  // Down the path, from the root being true.
  Place at(std::initializer_list<size_t> path) {
    Place place{root_, Ranges::only(eval::boolean(true))};
    for (const size_t position : path) {
      place.range = ranges_->of_argument(place.term, position, place.range);
      place.term = store_.args(place.term)[position];
    }
    return place;
  }

  // The range as a formula about the term at the place.
  std::string text(std::initializer_list<size_t> path) {
    const Place place = at(path);
    const TermId formula = ranges_->formula(store_, place.range, place.term);
    return formula.valid() ? smtlib::print_term(store_, formula).value() : "no notation";
  }

  double score(std::initializer_list<size_t> path) { return Ranges::score(at(path).range); }

  // Whether the place may have the value of this term.
  bool allows(std::initializer_list<size_t> path, std::string_view term) {
    const Place place = at(path);
    auto parsed = smtlib::parse_script(store_, fmt::format("(get-value ({}))", term));
    EXPECT_TRUE(parsed.has_value()) << term;
    if (!parsed) return false;
    const TermId read{parsed->items(parsed->commands.back())[0]};
    return ranges_->contains(place.range, evaluator_->evaluate(read));
  }

 private:
  ir::TermStore store_;
  ir::Model model_;
  TermId root_;
  std::unique_ptr<eval::Evaluator> evaluator_;
  std::unique_ptr<Ranges> ranges_;
};

// Section II-B.
TEST(Range, ExampleOfThePaper) {
  Case example("(declare-const x Real)(declare-const y Real)", "(and (<= 0.0 y) (= x (+ 2.0 y)))",
               "((define-fun x () Real 3.0) (define-fun y () Real 1.0))");
  EXPECT_EQ(example.text({0, 0}), "(<= 0.0 1.0)");
  EXPECT_EQ(example.text({0, 1}), "(>= y 0.0)");
  EXPECT_EQ(example.text({1, 0}), "(= x 3.0)");
  EXPECT_EQ(example.text({1, 1}), "(= (+ 2.0 y) 3.0)");
  EXPECT_EQ(example.text({1, 1, 0}), "(= 2.0 2.0)");
  EXPECT_EQ(example.text({1, 1, 1}), "(= y 1.0)");
  const double l3 = example.score({0, 0});
  const double l5 = example.score({1, 0});
  double sum = example.score({}) + example.score({0}) + example.score({1});
  sum += l3 + example.score({0, 1});
  sum += l5 + example.score({1, 1}) + example.score({1, 1, 0}) + example.score({1, 1, 1});
  EXPECT_NEAR(l3 / sum, 0.2854, 0.00005);
  EXPECT_NEAR(l5 / sum, 0.0003, 0.00005);
}

TEST(Range, Booleans) {
  Case either("", "(or true false)");
  EXPECT_EQ(either.text({0}), "true");
  EXPECT_EQ(either.text({1}), "true");
  EXPECT_EQ(either.score({0}), 0.5);
  EXPECT_EQ(either.score({1}), 1.0);
  Case premises("", "(=> true false true false)");
  EXPECT_EQ(premises.score({0}), 1.0);
  EXPECT_EQ(premises.text({1}), "(not false)");
  EXPECT_EQ(premises.score({3}), 1.0);
  Case both("", "(not (and true false false))");
  EXPECT_EQ(both.score({0, 0}), 1.0);
  EXPECT_EQ(both.score({0, 1}), 1.0);
  Case chosen("", "(ite (= 1 2) (< 1 0) (< 3 4))");
  EXPECT_EQ(chosen.score({0}), 0.5);
  EXPECT_EQ(chosen.score({1}), 1.0);
  EXPECT_EQ(chosen.text({2, 0}), "(<= 3 3)");
  Case exclusive("", "(xor true false false)");
  EXPECT_EQ(exclusive.score({1}), 0.5);
}

TEST(Range, Equalities) {
  Case same("", "(not (= 1 2))");
  EXPECT_EQ(same.text({0, 0}), "(not (= 1 2))");
  Case three("", "(not (= 1 2 3))");
  EXPECT_EQ(three.text({0, 0}), "true");
  Case different("", "(distinct 1 2 3)");
  EXPECT_FALSE(different.allows({0}, "3"));
  EXPECT_TRUE(different.allows({0}, "4"));
  Case repeated("", "(not (distinct 1 1 2))");
  EXPECT_EQ(repeated.text({0, 2}), "true");
  EXPECT_FALSE(repeated.allows({0, 0}, "3"));
  EXPECT_TRUE(repeated.allows({0, 0}, "2"));
}

TEST(Range, Numbers) {
  const std::string_view model = "((define-fun x () Int 7))";
  const auto text = [&](std::string_view formula, std::initializer_list<size_t> path) {
    return Case("(declare-const x Int)", formula, model).text(path);
  };
  EXPECT_EQ(text("(< 3 x 10)", {1}), "(and (>= x 4) (<= x 9))");
  EXPECT_EQ(text("(< 10 (* 3 x))", {1, 1}), "(>= x 4)");
  EXPECT_EQ(text("(> 10 (* (- 3) x))", {1, 1}), "(>= x (- 3))");
  EXPECT_EQ(text("(< 10 (- 20 x 1))", {1, 1}), "(<= x 8)");
  EXPECT_EQ(text("(>= 2 (div x 3))", {1, 0}), "(<= x 8)");
  EXPECT_EQ(text("(= 2 (div x 3))", {1, 0}), "(and (>= x 6) (<= x 8))");
  EXPECT_EQ(text("(>= 2 (mod x 5))", {1, 0}), "(and (>= x 5) (<= x 7))");
  EXPECT_EQ(text("(>= 9 (abs x))", {1, 0}), "(and (>= x (- 9)) (<= x 9))");
  EXPECT_EQ(text("(<= 2 (abs x))", {1, 0}), "(>= x 2)");
  EXPECT_EQ(text("(= 0 (* 0 x))", {1, 1}), "true");
  EXPECT_EQ(text("(<= 3.5 (to_real x))", {1, 0}), "(>= x 4)");
  EXPECT_EQ(text("(= 7 (to_int (to_real x)))", {1, 0, 0}), "(and (>= x 7) (<= x 7))");
  EXPECT_EQ(text("(not (is_int (/ (to_real x) 2.0)))", {0, 0, 0}),
            "(and (> (to_real x) 6.0) (< (to_real x) 8.0))");
  EXPECT_EQ(text("(distinct (* 2 x) 5 8)", {0, 1}), "(not (= x 4))");
}

TEST(Range, StringOrder) {
  const auto allows = [](std::string_view formula, size_t position, std::string_view value) {
    return Case("", formula).allows({position}, value);
  };
  EXPECT_TRUE(allows("(str.< \"a\" \"ab\")", 0, "\"\""));
  EXPECT_TRUE(allows("(str.< \"a\" \"ab\")", 0, "\"aazz\""));
  EXPECT_TRUE(allows("(str.< \"a\" \"ab\")", 0, "\"Z\""));
  EXPECT_FALSE(allows("(str.< \"a\" \"ab\")", 0, "\"ab\""));
  EXPECT_FALSE(allows("(str.< \"a\" \"ab\")", 0, "\"aba\""));
  EXPECT_TRUE(allows("(str.< \"a\" \"ab\")", 1, "\"aa\""));
  EXPECT_TRUE(allows("(str.< \"a\" \"ab\")", 1, "\"b\""));
  EXPECT_FALSE(allows("(str.< \"a\" \"ab\")", 1, "\"a\""));
  EXPECT_FALSE(allows("(str.< \"a\" \"ab\")", 1, "\"\""));
  EXPECT_TRUE(allows("(str.<= \"\" \"\")", 0, "\"\""));
  EXPECT_FALSE(allows("(str.<= \"\" \"\")", 0, "\"a\""));
  EXPECT_TRUE(allows("(str.<= \"\" \"\")", 1, "\"a\""));
  EXPECT_FALSE(Case("", "(not (str.< \"b\" \"\"))").allows({0, 1}, "\"c\""));
  EXPECT_TRUE(Case("", "(not (str.< \"b\" \"\"))").allows({0, 1}, "\"b\""));
  EXPECT_EQ(Case("", "(not (str.< \"b\" \"\"))").text({0, 0}), "true");
  EXPECT_EQ(Case("", "(str.< \"\" \"b\")").text({1}),
            "(str.in_re \"b\" (re.++ re.allchar (re.* re.allchar)))");
}

TEST(Range, Strings) {
  EXPECT_EQ(Case("", "(str.prefixof \"ab\" \"abc\")").text({1}),
            "(str.in_re \"abc\" (re.++ (str.to_re \"ab\") re.all))");
  EXPECT_EQ(Case("", "(str.suffixof \"bc\" \"abc\")").text({1}),
            "(str.in_re \"abc\" (re.++ re.all (str.to_re \"bc\")))");
  EXPECT_EQ(Case("", "(str.contains \"abc\" \"b\")").score({0}), 1.0);
  EXPECT_EQ(Case("", "(str.contains \"abc\" \"b\")").score({1}), 0.001);
  EXPECT_TRUE(Case("", "(str.contains \"abcd\" \"b\")").allows({1}, "\"bcd\""));
  EXPECT_FALSE(Case("", "(str.contains \"abcd\" \"b\")").allows({1}, "\"bd\""));
  EXPECT_TRUE(Case("", "(str.suffixof \"bc\" \"abc\")").allows({0}, "\"\""));
  EXPECT_FALSE(Case("", "(str.suffixof \"bc\" \"abc\")").allows({0}, "\"ab\""));
  EXPECT_EQ(Case("", "(<= 2 (str.len \"abc\") 4)").text({1, 0}),
            "(str.in_re \"abc\" ((_ re.loop 2 4) re.allchar))");
  Case joined("",
              "(str.in_re (str.++ \"x\" \"aa\" \"y\") "
              "(re.++ (str.to_re \"x\") (re.* (str.to_re \"a\")) (str.to_re \"y\")))");
  EXPECT_TRUE(joined.allows({0, 1}, "\"\""));
  EXPECT_TRUE(joined.allows({0, 1}, "\"aaaa\""));
  EXPECT_FALSE(joined.allows({0, 1}, "\"b\""));
  EXPECT_TRUE(joined.allows({0, 2}, "\"aay\""));
  EXPECT_EQ(Case("", "(not (= (str.++ \"x\" \"a\") \"yb\"))").text({0, 0, 1}), "true");
  EXPECT_TRUE(Case("", "(= 7 (str.to_int \"7\"))").allows({1, 0}, "\"007\""));
  Case cut("", "(= (str.substr \"abcd\" 1 2) \"bc\")");
  EXPECT_TRUE(cut.allows({0, 0}, "\"xbcyz\""));
  EXPECT_FALSE(cut.allows({0, 0}, "\"xb\""));
  Case beyond("", "(= (str.at \"abcd\" 4) \"\")");
  EXPECT_TRUE(beyond.allows({0, 0}, "\"\""));
  EXPECT_FALSE(beyond.allows({0, 0}, "\"abcde\""));
  EXPECT_TRUE(Case("", "(str.is_digit \"7\")").allows({0}, "\"0\""));
}

TEST(Range, BitVectors) {
  EXPECT_EQ(Case("", "(bvult #x3 #x7)").text({0}), "(bvule #x3 #x6)");
  EXPECT_EQ(Case("", "(not (bvslt #x3 #xf))").text({0, 1}), "(bvsle #xf #x3)");
  EXPECT_EQ(Case("", "(= #x2 (bvand #x6 #xa))").text({1, 0}), "(= (bvand #x6 #xa) #x2)");
  EXPECT_EQ(Case("", "(bvult (concat #x3 #x7) #x50)").text({0, 0}), "(bvule #x3 #x4)");
  EXPECT_EQ(Case("", "(bvule ((_ zero_extend 4) #x3) #x07)").text({0, 0}), "(bvule #x3 #x7)");
  EXPECT_EQ(Case("", "(bvsle ((_ sign_extend 4) #x3) #x07)").text({0, 0}), "true");
  EXPECT_EQ(Case("", "(= #b1 ((_ extract 3 3) #x8))").text({1, 0}), "(= (bvand #x8 #x8) #x8)");
  EXPECT_EQ(Case("", "(bvult (bvadd #x1 #x2) #x5)").text({0, 0}), "(bvule #x1 #x2)");
  EXPECT_EQ(Case("", "(= #b0 (bvcomp #x1 #x2))").text({1, 0}), "(not (= #x1 #x2))");
}

TEST(Range, ProductsOfBitVectors) {
  const auto text = [](std::string_view formula, std::initializer_list<size_t> path) {
    return Case("", formula).text(path);
  };
  // 3 * 11 = 1 modulo 16.
  EXPECT_EQ(text("(not (= (bvmul #x3 #x2) #x1))", {0, 0, 1}), "(not (= #x2 #xb))");
  EXPECT_EQ(text("(= (bvmul #x0 #x2) #x0)", {0, 1}), "true");
  EXPECT_EQ(text("(= (bvmul #x4 #x2) #x8)", {0, 1}), "(= (bvand #x2 #x3) #x2)");
  EXPECT_EQ(text("(bvult (bvmul #x03 #x02) #x40)", {0, 1}), "(bvule #x02 #x15)");
  EXPECT_EQ(text("(= (bvudiv #x7 #x3) #x2)", {0, 0}), "(and (bvuge #x7 #x6) (bvule #x7 #x8))");
  EXPECT_EQ(text("(= (bvudiv #x7 #x0) #xf)", {0, 0}), "true");
  EXPECT_EQ(text("(= (bvudiv #xf #x4) #x3)", {0, 1}), "(and (bvuge #x4 #x4) (bvule #x4 #x5))");
  EXPECT_EQ(text("(= (bvurem #x7 #x5) #x2)", {0, 0}), "(and (bvuge #x7 #x7) (bvule #x7 #x7))");
  EXPECT_EQ(text("(bvule (bvurem #x7 #x5) #x4)", {0, 0}), "true");
  EXPECT_EQ(text("(= (bvurem #x7 #x9) #x7)", {0, 1}), "(bvuge #x9 #x8)");
}

TEST(Range, SignedQuotientsOfBitVectors) {
  const auto text = [](std::string_view formula, std::initializer_list<size_t> path) {
    return Case("", formula).text(path);
  };
  // -7 by 2 is -3, as -6 is.
  EXPECT_EQ(text("(= (bvsdiv #x9 #x2) #xd)", {0, 0}), "(and (bvsge #x9 #x9) (bvsle #x9 #xa))");
  EXPECT_EQ(text("(bvsge (bvsdiv #x7 #xe) #xd)", {0, 0}), "(bvsge #x7 #x0)");
  EXPECT_EQ(text("(= (bvsdiv #x7 #x0) #xf)", {0, 0}), "(bvsge #x7 #x0)");
  EXPECT_EQ(text("(= (bvsdiv #x7 #x3) #x2)", {0, 1}), "(and (bvsge #x3 #x3) (bvsle #x3 #x3))");
  EXPECT_EQ(text("(= (bvsdiv #x8 #xf) #x8)", {0, 0}), "(= #x8 #x8)");
  EXPECT_EQ(text("(= (bvsrem #x9 #x5) #xe)", {0, 0}), "(and (bvsge #x9 #x9) (bvsle #x9 #x9))");
  EXPECT_EQ(text("(bvsge (bvsrem #x9 #x5) #xc)", {0, 0}), "true");
  EXPECT_EQ(text("(= (bvsrem #x2 #xd) #x2)", {0, 1}), "(bvsle #xd #xd)");
}

TEST(Range, Sequences) {
  const std::string declarations = "(declare-const s (Seq Int))(declare-const t (Seq Int))";
  const std::string_view model =
      "((define-fun s () (Seq Int) (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3)))"
      " (define-fun t () (Seq Int) (seq.unit 9)))";
  const auto text = [&](std::string_view formula, std::initializer_list<size_t> path) {
    return Case(declarations, formula, model).text(path);
  };
  EXPECT_EQ(text("(< (seq.len s) 5)", {0, 0}), "(<= (seq.len s) 4)");
  EXPECT_EQ(text("(< (seq.len (seq.++ t s)) 6)", {0, 0, 1}), "(<= (seq.len s) 4)");
  EXPECT_EQ(text("(< (seq.nth s 1) 4)", {0, 0}), "(and (> (seq.len s) 1) (<= (seq.nth s 1) 3))");
  EXPECT_EQ(text("(< (seq.nth s 1) 3)", {0, 1}), "(or (= 1 0) (= 1 1))");
  EXPECT_EQ(text("(< (seq.nth (seq.++ t s) 0) 10)", {0, 0, 1}), "true");
  EXPECT_EQ(text("(< (seq.nth (seq.++ t s) 2) 10)", {0, 0, 1}),
            "(and (> (seq.len s) 1) (<= (seq.nth s 1) 9))");
  EXPECT_EQ(text("(> (seq.nth (seq.extract s 1 2) 1) 0)", {0, 0, 0}),
            "(and (> (seq.len s) 2) (>= (seq.nth s 2) 1))");
  EXPECT_EQ(text("(= (seq.len (seq.extract s 1 1)) 1)", {0, 0, 0}), "(>= (seq.len s) 2)");
  EXPECT_EQ(text("(= (seq.len (seq.extract s 7 1)) 0)", {0, 0, 0}), "(<= (seq.len s) 7)");
  EXPECT_EQ(text("(not (= (seq.++ (seq.unit 4) t) s))", {0, 0, 1}), "true");
  Case differs(declarations, "(not (= (seq.++ (seq.unit 1) t) s))", model);
  EXPECT_FALSE(differs.allows({0, 0, 1}, "(seq.++ (seq.unit 2) (seq.unit 3))"));
  EXPECT_TRUE(differs.allows({0, 0, 1}, "(seq.unit 3)"));
  Case within(declarations, "(not (seq.contains s t))", model);
  EXPECT_FALSE(within.allows({0, 1}, "(seq.unit 2)"));
  EXPECT_TRUE(within.allows({0, 1}, "(seq.unit 4)"));
}

TEST(Range, Sets) {
  const std::string declarations = "(declare-const a (Set Int))(declare-const b (Set Int))";
  const std::string_view model =
      "((define-fun a () (Set Int) (set.singleton 1))"
      " (define-fun b () (Set Int) (set.insert 1 2 (as set.empty (Set Int)))))";
  const auto text = [&](std::string_view formula, std::initializer_list<size_t> path) {
    return Case(declarations, formula, model).text(path);
  };
  EXPECT_EQ(text("(set.member 1 a)", {1}), "(set.member 1 a)");
  EXPECT_EQ(text("(not (set.member 7 b))", {0, 0}), "(and (not (= 7 1)) (not (= 7 2)))");
  EXPECT_EQ(text("(set.member 1 (set.union a b))", {1, 0}), "true");
  EXPECT_EQ(text("(set.member 2 (set.union a b))", {1, 1}), "(set.member 2 b)");
  EXPECT_EQ(text("(not (set.member 2 (set.inter a b)))", {0, 1, 1}), "true");
  EXPECT_EQ(text("(not (set.member 2 (set.inter a b)))", {0, 1, 0}), "(not (set.member 2 a))");
  EXPECT_EQ(text("(set.member 2 (set.minus b a))", {1, 1}), "(not (set.member 2 a))");
  EXPECT_EQ(text("(not (set.member 2 (set.minus a b)))", {0, 1, 0}), "true");
  EXPECT_EQ(text("(set.subset a b)", {1}), "(set.member 1 b)");
  EXPECT_EQ(text("(not (set.subset b a))", {0, 0}), "(set.member 2 b)");
  EXPECT_EQ(text("(not (= (set.union a b) a))", {0, 0, 1}), "(set.member 2 b)");
}

TEST(Range, BetweenFloatsAndReals) {
  const auto allows = [](std::string_view formula, std::initializer_list<size_t> path,
                         std::string_view candidate) {
    return Case("", formula).allows(path, candidate);
  };
  const std::string_view small = "(fp.lt ((_ to_fp 5 11) RNE 0.5) ((_ to_fp 5 11) RNE 4.0))";
  EXPECT_TRUE(allows(small, {0, 1}, "3.0"));
  EXPECT_TRUE(allows(small, {0, 1}, "(- 100000000.0)"));
  EXPECT_FALSE(allows(small, {0, 1}, "4.0"));
  const std::string_view negative = "(fp.isNegative ((_ to_fp 5 11) RNE (- 0.5)))";
  EXPECT_TRUE(allows(negative, {0, 1}, "(- 0.000000000000001)"));
  EXPECT_FALSE(allows(negative, {0, 1}, "0.0"));
  const std::string_view other = "(not (= ((_ to_fp 5 11) RNE 0.5) ((_ to_fp 5 11) RNE 1.0)))";
  EXPECT_TRUE(allows(other, {0, 0, 1}, "0.9"));
  EXPECT_FALSE(allows(other, {0, 0, 1}, "1.0"));
  const std::string_view back = "(<= (fp.to_real ((_ to_fp 5 11) RNE 0.5)) 2.0)";
  EXPECT_TRUE(allows(back, {0, 0}, "((_ to_fp 5 11) RNE 2.0)"));
  EXPECT_TRUE(allows(back, {0, 0}, "(_ -zero 5 11)"));
  EXPECT_FALSE(allows(back, {0, 0}, "((_ to_fp 5 11) RNE 2.5)"));
  EXPECT_FALSE(allows(back, {0, 0}, "(_ -oo 5 11)"));
}

TEST(Range, ReplacingAndSearching) {
  EXPECT_EQ(Case("", "(= (str.replace \"abc\" \"x\" \"y\") \"abc\")").text({0, 2}), "true");
  Case missing("", "(= (str.replace \"abc\" \"x\" \"y\") \"abc\")");
  EXPECT_FALSE(missing.allows({0, 1}, "\"b\""));
  EXPECT_TRUE(missing.allows({0, 1}, "\"bb\""));
  EXPECT_FALSE(missing.allows({0, 0}, "\"abx\""));
  Case replaced("", "(str.prefixof \"aZ\" (str.replace \"abc\" \"b\" \"Zq\"))");
  EXPECT_TRUE(replaced.allows({1, 2}, "\"Z\""));
  EXPECT_FALSE(replaced.allows({1, 2}, "\"q\""));
  Case found("", "(= (str.indexof \"abab\" \"b\" 0) 1)");
  EXPECT_TRUE(found.allows({0, 0}, "\"ab\""));
  EXPECT_FALSE(found.allows({0, 0}, "\"bb\""));
  EXPECT_EQ(found.text({0, 2}), "(and (>= 0 0) (<= 0 1))");
  Case second("", "(= (str.indexof \"abab\" \"b\" 3) 3)");
  EXPECT_EQ(second.text({0, 2}), "(and (>= 3 2) (<= 3 3))");
  Case nowhere("", "(= (str.indexof \"abab\" \"c\" 1) (- 1))");
  EXPECT_TRUE(nowhere.allows({0, 0}, "\"cx\""));
  EXPECT_FALSE(nowhere.allows({0, 0}, "\"xc\""));
  EXPECT_FALSE(nowhere.allows({0, 1}, "\"ba\""));
  EXPECT_TRUE(nowhere.allows({0, 1}, "\"bb\""));
  EXPECT_EQ(nowhere.text({0, 2}), "(>= 1 1)");
}

TEST(Range, FunctionsAsTables) {
  const std::string_view model =
      "((define-fun x () Int 1) (define-fun f ((a Int)) Int (ite (= a 1) 5 (ite (= a 2) 7 0))))";
  const std::string declarations = "(declare-const x Int)(declare-fun f (Int) Int)";
  Case other(declarations, "(not (= (f x) 7))", model);
  EXPECT_FALSE(other.allows({0, 0, 0}, "2"));
  EXPECT_TRUE(other.allows({0, 0, 0}, "1"));
}

TEST(Range, Floats) {
  const std::string declarations = "(declare-const x Float16)";
  const auto at = [&](std::string_view formula, std::string_view value,
                      std::initializer_list<size_t> path, std::string_view candidate) {
    return Case(declarations, formula, fmt::format("((define-fun x () Float16 {}))", value))
        .allows(path, candidate);
  };
  const std::string_view one = "(fp #b0 #b01111 #b0000000000)";
  const std::string_view zero = "(_ +zero 5 11)";
  const std::string_view minus_zero = "(_ -zero 5 11)";
  const std::string_view nan = "(_ NaN 5 11)";
  const std::string_view infinity = "(_ +oo 5 11)";
  const std::string less = fmt::format("(fp.lt {} x)", zero);
  EXPECT_TRUE(at(less, one, {1}, infinity));
  EXPECT_FALSE(at(less, one, {1}, minus_zero));
  EXPECT_FALSE(at(less, one, {1}, nan));
  const std::string not_less = fmt::format("(not (fp.lt {} x))", zero);
  EXPECT_TRUE(at(not_less, zero, {0, 1}, minus_zero));
  EXPECT_TRUE(at(not_less, zero, {0, 1}, nan));
  EXPECT_FALSE(at(not_less, zero, {0, 1}, one));
  EXPECT_TRUE(at("(fp.isNegative x)", minus_zero, {0}, "(_ -oo 5 11)"));
  EXPECT_FALSE(at("(fp.isNegative x)", minus_zero, {0}, zero));
  EXPECT_TRUE(at("(not (fp.isNegative x))", zero, {0, 0}, nan));
  const std::string same = fmt::format("(fp.eq {} x)", zero);
  EXPECT_TRUE(at(same, zero, {1}, minus_zero));
  EXPECT_FALSE(at(same, zero, {1}, nan));
}

TEST(Range, FloatArithmetic) {
  const auto allows = [](std::string_view formula, std::initializer_list<size_t> path,
                         std::string_view candidate) {
    return Case("", formula).allows(path, candidate);
  };
  const auto half = [](int exponent) {  // 2 to this power
    return fmt::format("(fp #b0 #b{:05b} #b0000000000)", 15 + exponent);
  };
  const std::string sum = fmt::format("(fp.leq (fp.add RNE {} {}) {})", half(0), half(0), half(2));
  EXPECT_TRUE(allows(sum, {0, 1}, fmt::format("(fp.add RNE {} {})", half(1), half(0))));
  EXPECT_FALSE(allows(sum, {0, 1}, half(2)));
  EXPECT_TRUE(allows(sum, {0, 1}, "(_ -oo 5 11)"));
  EXPECT_FALSE(allows(sum, {0, 1}, "(_ NaN 5 11)"));
  const std::string inverse =
      fmt::format("(fp.leq (fp.div RNE {} {}) {})", half(0), half(1), half(0));
  EXPECT_TRUE(allows(inverse, {0, 2}, half(0)));
  EXPECT_TRUE(allows(inverse, {0, 2}, "(_ +oo 5 11)"));
  EXPECT_FALSE(allows(inverse, {0, 2}, half(-1)));
  const std::string root = fmt::format("(= (fp.roundToIntegral RTZ {}) {})", half(1), half(1));
  EXPECT_TRUE(allows(root, {0, 1}, fmt::format("(fp.add RNE {} {})", half(1), half(-1))));
  EXPECT_FALSE(allows(root, {0, 1}, half(0)));
}

TEST(Range, RoundingModesAreTried) {
  Case rounded("",
               "(= (fp.add RNE (fp #b0 #b01111 #b0000000000) (_ +zero 5 11)) "
               "(fp #b0 #b01111 #b0000000000))");
  EXPECT_EQ(rounded.text({0, 0}), "true");
}

TEST(Range, Datatypes) {
  const std::string list = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))";
  Case tested(list, "((_ is cons) (cons 1 nil))");
  EXPECT_EQ(tested.text({0}), "((_ is cons) (cons 1 nil))");
  EXPECT_EQ(tested.score({0}), 0.5);
  EXPECT_EQ(tested.text({0, 0}), "true");
  Case differs(list, "(not (= (cons 1 nil) (cons 2 nil)))");
  EXPECT_EQ(differs.text({0, 0, 0}), "(not (= 1 2))");
  EXPECT_EQ(differs.text({0, 0, 1}), "true");
  Case field(list, "(< (head (cons 1 nil)) 5)");
  EXPECT_EQ(field.text({0, 0}), "(and ((_ is cons) (cons 1 nil)) (<= (head (cons 1 nil)) 4))");
  EXPECT_EQ(field.text({0, 0, 0}), "(<= 1 4)");
  EXPECT_EQ(field.text({0, 0, 1}), "true");
}

TEST(Range, Arrays) {
  const std::string declarations =
      "(declare-const a (Array Int Int))(declare-const b (Array Int Int))";
  const std::string_view model =
      "((define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 0) 1 5))"
      " (define-fun b () (Array Int Int) ((as const (Array Int Int)) 7)))";
  Case read(declarations, "(< (select a 1) 9)", model);
  EXPECT_EQ(read.text({0, 0}), "(<= (select a 1) 8)");
  EXPECT_EQ(read.text({0, 1}), "true");
  Case one(declarations, "(= (select a 1) 5)", model);
  EXPECT_EQ(one.text({0, 1}), "(= 1 1)");
  Case written(declarations, "(< 3 (select (store a 1 4) 1))", model);
  EXPECT_EQ(written.text({1, 0, 0}), "true");
  EXPECT_EQ(written.text({1, 0, 1}), "true");
  EXPECT_EQ(written.text({1, 0, 2}), "(>= 4 4)");
  Case beside(declarations, "(< 3 (select (store b 2 1) 1))", model);
  EXPECT_EQ(beside.text({1, 0, 0}), "(>= (select b 1) 4)");
  EXPECT_EQ(beside.text({1, 0, 1}), "(not (= 2 1))");
  EXPECT_EQ(beside.text({1, 0, 2}), "true");
}

TEST(Range, NothingOfUnknownValues) {
  Case open("(declare-const u Int)", "(or true (< u 1))");
  EXPECT_EQ(open.text({1}), "true");
  EXPECT_EQ(open.text({1, 0}), "true");
  Case same("(declare-const u Int)", "(= u u)");
  EXPECT_EQ(same.text({0}), "false");
  EXPECT_EQ(same.score({0}), 0.001);
}

// --- Proposition 1. ---

// Random applications, ranges of their values, and values for their arguments.
class Proposition {
 public:
  explicit Proposition(uint64_t rng) : rng_(rng), ground_(store_, rng_) {
    const auto script = smtlib::parse_script(store_, RandomValues::kPrelude);
    EXPECT_TRUE(script.has_value());
  }

  template <typename Make>
  void check(uint32_t applications, Make make) {
    for (uint32_t i = 0; i < applications; ++i) {
      const ir::TermStore::Mark mark = store_.mark();
      const TermId term = make(ground_);
      if (term.valid() && !store_.args(term).empty()) check_term(term);
      store_.rollback(mark);
    }
  }

  uint64_t cases() const { return cases_; }
  uint64_t changes() const { return changes_; }

 private:
  static constexpr int kRanges = 4;
  static constexpr int kCandidates = 4;

  void check_term(TermId term) {
    evaluator_ = std::make_unique<eval::Evaluator>(store_, model_);
    ranges_ = std::make_unique<Ranges>(*evaluator_);
    const Value result = evaluator_->evaluate(term);
    if (!result.known()) return;
    for (int i = 0; i < kRanges; ++i) {
      const Range range = i == 0 ? Ranges::only(result) : range_around(result, store_.sort(term));
      if (!ranges_->contains(range, result)) continue;
      for (size_t position = 0; position < store_.args(term).size(); ++position) {
        if (store_.op(store_.args(term)[position]) != Op::kMatchCase) {
          check_position(term, position, range);
        }
      }
    }
  }

  void check_position(TermId term, size_t position, const Range& range) {
    const TermId argument = store_.args(term)[position];
    const ir::SortId sort = store_.sort(argument);
    const Range found = ranges_->of_argument(term, position, range);
    const Value present = evaluator_->evaluate(argument);
    EXPECT_TRUE(!present.known() || ranges_->contains(found, present))
        << text(term) << " at " << position << ": " << describe(range, term) << " gives "
        << describe(found, argument);
    std::vector<TermId> candidates = members_of(found, sort);
    for (int i = 0; i < kCandidates; ++i) {
      const TermId drawn = ground_.values().value(sort);
      if (drawn.valid()) candidates.push_back(drawn);
    }
    for (const TermId candidate : candidates)
      check_candidate(term, position, range, found, candidate);
  }

  void check_candidate(TermId term, size_t position, const Range& range, const Range& found,
                       TermId candidate) {
    const Value value = evaluator_->evaluate(candidate);
    if (!value.known()) return;
    const bool allowed = ranges_->contains(found, value);
    check_formula(found, candidate, allowed);
    ++cases_;
    if (!allowed) return;
    if (value != evaluator_->evaluate(store_.args(term)[position])) ++changes_;
    const auto view = store_.args(term);
    std::vector<TermId> args(view.begin(), view.end());
    args[position] = candidate;
    const TermId changed =
        store_.make(store_.op(term), store_.sort(term), store_.payload(term), args);
    const Value result = evaluator_->evaluate(changed);
    // What the standard leaves open may be anything.
    if (!result.known() && range.is_any()) return;
    EXPECT_TRUE(ranges_->contains(range, result))
        << text(term) << " may be " << describe(range, term) << ", argument " << position
        << " therefore " << describe(found, store_.args(term)[position]) << ", but "
        << text(changed) << (result.known() ? "" : evaluator_->values().reason(result));
  }

  void check_formula(const Range& range, TermId candidate, bool allowed) {
    const TermId formula = ranges_->formula(store_, range, candidate);
    if (!formula.valid()) return;
    const Value value = evaluator_->evaluate(formula);
    if (!value.known() && !allowed) return;
    EXPECT_EQ(value.is_true(), allowed) << text(formula);
  }

  std::string text(TermId term) { return smtlib::print_term(store_, term).value(); }
  std::string describe(const Range& range, TermId term) {
    const TermId formula = ranges_->formula(store_, range, term);
    return formula.valid() ? text(formula) : "(no notation)";
  }

  // --- Ranges. ---

  Value random_value(ir::SortId sort) {
    const TermId drawn = ground_.values().value(sort);
    return drawn.valid() ? evaluator_->evaluate(drawn) : Value{};
  }

  // Holds the value nearly always.
  Range range_around(const Value& value, ir::SortId sort) {
    std::vector<Value> others;
    for (int i = 0; i < 2; ++i) {
      const Value other = random_value(sort);
      if (other.known()) others.push_back(other);
    }
    switch (rng_.below(6)) {
      case 0: return mutate::diver::all_but(others);
      case 1: others.push_back(value); return mutate::diver::one_of(others);
      case 2: return rng_.one_in(4) ? Ranges::any() : shape_around(value, sort);
      default: return shape_around(value, sort);
    }
  }

  Range shape_around(const Value& value, ir::SortId sort) {
    switch (value.kind) {
      case eval::ValueKind::kInt:
      case eval::ValueKind::kReal: return interval_around(value, sort == ir::kIntSort);
      case eval::ValueKind::kBits: return bits_around(value);
      case eval::ValueKind::kFloat: return floats_around(value);
      case eval::ValueKind::kString: return language_around(value);
      case eval::ValueKind::kData: {
        const ir::FunId constructor = eval::ValueStore::constructor(value);
        if (!constructor.valid()) return Ranges::only(value);
        return data_around(value, constructor);
      }
      case eval::ValueKind::kFunction: return element_around(value, sort);
      case eval::ValueKind::kSet: return membership_around(value, sort);
      case eval::ValueKind::kSeq: return sequence_around(value, sort);
      default: return Ranges::only(value);
    }
  }

  // By its constructor, or by one of its fields.
  Range data_around(const Value& value, ir::FunId constructor) {
    const auto view = evaluator_->values().items(value);
    const std::vector<Value> items(view.begin(), view.end());
    if (items.empty() || rng_.one_in(2)) return {mutate::diver::MadeBy{constructor}};
    const ir::FunDecl& decl = store_.fun(constructor);
    const auto field = static_cast<uint32_t>(rng_.below(items.size()));
    const ir::FunId selector =
        store_.datatype(decl.datatype).constructors[decl.constructor].selectors[field];
    const Range content = Ranges::only(items[field]);
    return {mutate::diver::FieldOf{constructor, selector, field,
                                   std::make_shared<const Range>(content)}};
  }

  // One that the array treats in its own way, if there is one. Arrays of Booleans are sets.
  std::vector<Value> listed_index(const Value& array) {
    const eval::ValueStore& values = evaluator_->values();
    if (array.kind == eval::ValueKind::kSet) {
      const auto items = values.items(array);
      return {items.begin(), items.begin() + (items.empty() ? 0 : 1)};
    }
    const eval::Function function = values.function(array);
    const auto entries = values.entries(function);
    return {entries.begin(), entries.begin() + (entries.empty() ? 0 : function.arity)};
  }

  Range element_around(const Value& value, ir::SortId sort) {
    if (store_.sorts().kind(sort) != ir::SortKind::kArray) return Ranges::only(value);
    const auto view = store_.sorts().children(sort);
    const std::vector<ir::SortId> sorts(view.begin(), view.end());
    std::vector<Value> index;
    const auto listed = listed_index(value);
    if (!listed.empty() && rng_.one_in(2)) {
      index = listed;
    } else {
      for (size_t i = 0; i + 1 < sorts.size(); ++i) index.push_back(random_value(sorts[i]));
    }
    for (const Value& part : index) {
      if (!part.known()) return Ranges::only(value);
    }
    const Value element = evaluator_->apply(value, index);
    if (!element.known()) return Ranges::only(value);
    return {mutate::diver::ElementAt{
        index, std::make_shared<const Range>(range_around(element, sorts.back()))}};
  }

  Range membership_around(const Value& set, ir::SortId sort) {
    if (store_.sorts().kind(sort) != ir::SortKind::kSet) return element_around(set, sort);
    const auto items = evaluator_->values().items(set);
    const Value element = !items.empty() && rng_.one_in(2)
                              ? items[rng_.below(items.size())]
                              : random_value(store_.sorts().children(sort)[0]);
    if (!element.known()) return Ranges::only(set);
    const Value is_in = evaluator_->apply(set, {&element, 1});
    return {
        mutate::diver::ElementAt{{element}, std::make_shared<const Range>(Ranges::only(is_in))}};
  }

  // By its length, or by one of its elements.
  Range sequence_around(const Value& value, ir::SortId sort) {
    const auto view = evaluator_->values().items(value);
    const std::vector<Value> items(view.begin(), view.end());
    if (items.empty() || rng_.one_in(2)) {
      const Value length = eval::ValueStore::integer(static_cast<int64_t>(items.size()));
      return {
          mutate::diver::Length{std::make_shared<const Range>(range_around(length, ir::kIntSort))}};
    }
    const auto place = rng_.below(items.size());
    const ir::SortId element = store_.sorts().children(sort)[0];
    return {mutate::diver::ElementAt{
        {eval::ValueStore::integer(static_cast<int64_t>(place))},
        std::make_shared<const Range>(range_around(items[place], element))}};
  }

  mpz_class distance() {
    constexpr unsigned long kDistances[] = {0, 1, 2, 7, 100, 5000};
    return kDistances[rng_.below(std::size(kDistances))];
  }

  mutate::diver::Interval::End end_at(const mpz_class& at, bool is_int) {
    return {mpq_class(at), !is_int && rng_.one_in(2)};
  }

  Range interval_around(const Value& value, bool is_int) {
    const mpz_class floor = is_int ? evaluator_->values().big_integer(value)
                                   : evaluator_->values().exact_real(value).floor();
    mutate::diver::Interval found;
    if (rng_.one_in(2)) found.low = end_at(floor - distance(), is_int);
    if (rng_.one_in(2)) found.high = end_at(floor + distance(), is_int);
    return mutate::diver::interval(found);
  }

  Range bits_around(const Value& value) {
    mutate::diver::BitRange found =
        *mutate::diver::full_bits(eval::ValueStore::width(value)).as<mutate::diver::BitRange>();
    const mpz_class bits = evaluator_->values().big_bits(value);
    const mpz_class number = evaluator_->values().signed_bits(value);
    if (rng_.one_in(3)) found.low = std::max(found.low, mpz_class(bits - distance()));
    if (rng_.one_in(3)) found.high = std::min(found.high, mpz_class(bits + distance()));
    if (rng_.one_in(3))
      found.signed_low = std::max(found.signed_low, mpz_class(number - distance()));
    if (rng_.one_in(3)) {
      found.signed_high = std::min(found.signed_high, mpz_class(number + distance()));
    }
    if (rng_.one_in(3)) {
      for (uint32_t i = 0; i < found.width; ++i) {
        if (rng_.one_in(2)) mpz_setbit(found.mask.get_mpz_t(), i);
      }
      found.bits = bits & found.mask;
    }
    return {found};
  }

  Range floats_around(const Value& value) {
    const num::Float number = evaluator_->values().floating(value);
    const mpz_class infinity = mutate::diver::infinity_place(number.format());
    const mpz_class place = number.is_nan() ? mpz_class(0) : mutate::diver::float_place(number);
    mutate::diver::FloatRange found{-1 - infinity, infinity, number.is_nan() || rng_.one_in(2)};
    if (rng_.one_in(2)) found.low = std::max(found.low, mpz_class(place - distance()));
    if (rng_.one_in(2)) found.high = std::min(found.high, mpz_class(place + distance()));
    return {found};
  }

  Range language_around(const Value& value) {
    eval::ValueStore& values = evaluator_->values();
    num::RegexStore& regexes = values.regexes();
    const std::u32string text = values.string(value);
    const size_t half = text.size() / 2;
    const num::RegexId start = regexes.literal(text.substr(0, half));
    const num::RegexId end = regexes.literal(text.substr(half));
    const num::RegexId all = num::RegexStore::all();
    const num::RegexId any_char = num::RegexStore::any_char();
    switch (rng_.below(6)) {
      case 0: return mutate::diver::language(values, regexes.concat(start, all));
      case 1: return mutate::diver::language(values, regexes.concat(all, end));
      case 2: return mutate::diver::language(values, regexes.loop(any_char, half, text.size() + 1));
      case 3: return mutate::diver::language(values, regexes.comp(start));
      case 4: return mutate::diver::language(values, regexes.concat(regexes.star(start), end));
      default:
        return mutate::diver::language(values,
                                       regexes.concat(start, regexes.star(regexes.opt(end))));
    }
  }

  // --- Values at the ends of a range, as terms. ---

  std::vector<TermId> members_of(const Range& range, ir::SortId sort) {
    eval::ValueStore& values = evaluator_->values();
    std::vector<Value> found;
    if (const auto* listed = range.as<mutate::diver::Listed>()) found = listed->values;
    if (const auto* excluded = range.as<mutate::diver::Excluded>()) found = excluded->values;
    if (const auto* numbers = range.as<mutate::diver::Interval>())
      add_numbers(*numbers, sort, found);
    if (const auto* bits = range.as<mutate::diver::BitRange>()) add_bits(*bits, found);
    if (const auto* floats = range.as<mutate::diver::FloatRange>()) {
      const ir::SortNode node = store_.sorts()[sort];
      add_floats(*floats, {node.a, node.b}, found);
    }
    if (const auto* strings = range.as<mutate::diver::Language>()) {
      for (const size_t length : {2, 5, 30}) {
        num::RegexBudget budget(100'000);
        const auto member =
            values.regex_query().random_member(strings->regex, rng_, length, budget);
        if (member) found.push_back(values.string(*member));
      }
    }
    std::vector<TermId> terms;
    for (const Value& value : found) {
      const TermId term = eval::term_of(store_, values, value, sort);
      if (term.valid()) terms.push_back(term);
    }
    return terms;
  }

  void add_numbers(const mutate::diver::Interval& range, ir::SortId sort,
                   std::vector<Value>& found) {
    eval::ValueStore& values = evaluator_->values();
    for (const auto& end : {range.low, range.high}) {
      if (!end) continue;
      for (const int step : {-2, -1, 0, 1, 2, 50}) {
        const mpq_class at = end->at + mpq_class(step) / (sort == ir::kIntSort ? 1 : 2);
        found.push_back(sort == ir::kIntSort ? values.integer(at.get_num()) : values.real(at));
      }
    }
  }

  void add_bits(const mutate::diver::BitRange& range, std::vector<Value>& found) {
    eval::ValueStore& values = evaluator_->values();
    const mpz_class limit = mpz_class(1) << range.width;
    for (const mpz_class& end : {range.low, range.high, range.signed_low, range.signed_high}) {
      for (const int step : {-1, 0, 1}) {
        mpz_class bits = (end + step + limit) % limit;
        found.push_back(values.bits(bits, range.width));
        bits = (bits & ~range.mask) | range.bits;
        found.push_back(values.bits(bits, range.width));
      }
    }
  }

  void add_floats(const mutate::diver::FloatRange& range, num::FloatFormat format,
                  std::vector<Value>& found) {
    eval::ValueStore& values = evaluator_->values();
    const mpz_class infinity = mutate::diver::infinity_place(format);
    found.push_back(values.floating(num::Float::nan(format)));
    for (const mpz_class& end : {range.low, range.high, mpz_class(0)}) {
      for (const int step : {-1, 0, 1}) {
        const mpz_class place = end + step;
        if (place < -1 - infinity || place > infinity) continue;
        found.push_back(values.floating(mutate::diver::float_at(format, place)));
      }
    }
  }

  base::Rng rng_;
  ir::TermStore store_;
  ir::Model model_;
  GroundTerms ground_;
  std::unique_ptr<eval::Evaluator> evaluator_;
  std::unique_ptr<Ranges> ranges_;
  uint64_t cases_ = 0;
  uint64_t changes_ = 0;
};

TEST(Range, PropositionOneForEveryOperator) {
  constexpr uint32_t kApplications = 12;
  const auto table = ir::OpTable::standard();
  Proposition proposition(1);
  for (const Op op : table->all()) {
    // The parser reads (_ char c) as a string literal; no term has the operator.
    if (table->meaning(op) != op || op == Op::kStrChar) continue;
    SCOPED_TRACE(table->name(op));
    proposition.check(kApplications, [&](GroundTerms& ground) { return ground.application(op); });
  }
  EXPECT_GT(proposition.cases(), 50'000U);
  EXPECT_GT(proposition.changes(), 10'000U);
}

TEST(Range, PropositionOneForCallsAndMatch) {
  constexpr uint32_t kApplications = 200;
  Proposition proposition(2);
  proposition.check(kApplications, [](GroundTerms& ground) { return ground.constructor_call(); });
  proposition.check(kApplications, [](GroundTerms& ground) { return ground.selector_call(); });
  proposition.check(kApplications, [](GroundTerms& ground) { return ground.match(); });
  proposition.check(kApplications, [](GroundTerms& ground) { return ground.defined_call(); });
  EXPECT_GT(proposition.changes(), 100U);
}

}  // namespace
}  // namespace elenchus
