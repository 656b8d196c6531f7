#include "reduce/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using testing::HasSubstr;

// Whether the text of a candidate still shows the bug.
using TextPredicate = std::function<bool(const std::string&)>;

struct Outcome {
  std::string text;
  uint32_t tries = 0;
  bool finished = false;
  std::vector<std::string> bad_candidates;
};

std::string print(const ir::TermStore& store, const ir::Script& script) {
  auto text = smtlib::print_script(store, script);
  return text ? *text : "error: " + text.error().message;
}

// What is wrong with a candidate, by printing it and reading it again.
std::string complaint(const std::string& text, bool strict) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text, {.strict = strict});
  if (!script) return script.error().message + "\n" + text;
  const std::string again = print(store, *script);
  return again == text ? "" : "printed again as\n" + again + "from\n" + text;
}

Outcome reduce_text(const std::string& text, const TextPredicate& still_bad,
                    reduce::Settings settings = {}, bool strict = true) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << script.error().message << text;
  if (!script) return {};
  Outcome outcome;
  const auto predicate = [&](const ir::Script& candidate) {
    const std::string printed = print(store, candidate);
    const std::string wrong = complaint(printed, strict);
    if (!wrong.empty()) outcome.bad_candidates.push_back(wrong);
    return still_bad(printed);
  };
  const reduce::Reduction result = reduce::reduce(store, *script, predicate, settings);
  outcome.text = print(store, result.script);
  outcome.tries = result.tries;
  outcome.finished = result.finished;
  EXPECT_LE(result.size, result.start);
  EXPECT_LE(result.tries, settings.max_tries);
  return outcome;
}

TextPredicate contains(std::vector<std::string> parts) {
  return [parts](const std::string& text) {
    return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return text.find(part) != std::string::npos;
    });
  };
}

std::string minimal(const std::string& text, const TextPredicate& still_bad) {
  const Outcome outcome = reduce_text(text, still_bad);
  EXPECT_THAT(outcome.bad_candidates, testing::IsEmpty());
  EXPECT_TRUE(outcome.finished);
  testing::Test::RecordProperty("tries", std::to_string(outcome.tries));
  return outcome.text;
}

TEST(Reduce, KeepsOneOfManyAssertions) {
  std::string text = "(set-logic QF_LIA)\n(set-info :status sat)\n";
  for (int i = 0; i < 50; ++i) text += "(declare-const x" + std::to_string(i) + " Int)\n";
  for (int i = 0; i < 50; ++i) {
    text += "(assert (< (* x" + std::to_string(i) + " 3) (+ 7 x" + std::to_string((i + 1) % 50) +
            ")))\n";
  }
  text += "(check-sat)\n(get-model)\n";
  EXPECT_EQ(minimal(text, contains({"(* x17 3)"})),
            "(set-logic ALL)\n(declare-const x17 Int)\n(assert (= (* x17 3) 0))\n(check-sat)\n");
}

TEST(Reduce, KeepsWhatIsUnderAQuantifier) {
  const std::string text = R"((set-logic ALL)
(declare-fun f (Int) String)
(declare-const s String)
(declare-const t String)
(assert (= (str.len s) (+ 2 (str.len t))))
(assert (or (= s "abc") (forall ((x Int) (y String)) (=> (and (> x 0) (not (= y "q")))
  (= (str.++ "a" (f x)) (str.replace_all (str.++ y s) "b" (f (+ x 1))))))))
(check-sat)
(get-value (s))
)";
  const auto under = [](const std::string& out) {
    const size_t forall = out.find("forall");
    return forall != std::string::npos && out.find("str.replace_all", forall) != std::string::npos;
  };
  EXPECT_EQ(minimal(text, under),
            "(set-logic ALL)\n(assert (forall ((y String)) (= (str.replace_all \"\" \"\" \"\") "
            "\"\")))\n(check-sat)\n");
}

TEST(Reduce, ConjunctionsAreTakenApart) {
  const std::string text = R"((set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (> x 3) (and (< y 5) (> x y)) (< x 9)))
(check-sat)
)";
  EXPECT_EQ(minimal(text, contains({"(> x 3)", "(< y 5)"})),
            "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n"
            "(assert (< y 5))\n(check-sat)\n");
  EXPECT_EQ(minimal(text, contains({"(> x 3)", "(< y 5)", "and"})),
            "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n"
            "(assert (and (> x 3) (< y 5)))\n(check-sat)\n");
}

// Each conjunction is twice the one before: as a tree it has 2^60 leaves.
TEST(Reduce, SharedConjunctionsAreTakenApartOnce) {
  std::string text =
      "(set-logic ALL)\n(declare-const p Bool)\n(declare-const q Bool)\n(assert (let";
  std::string close;
  std::string last = "(and p q)";
  for (int i = 0; i < 60; ++i) {
    const std::string name = fmt::format("a{}", i);
    text += fmt::format(" (({} {})) (let", name, last);
    close += ")";
    last = fmt::format("(and {0} {0})", name);
  }
  text += " ((end " + last + ")) end)" + close + ")\n(check-sat)\n";
  EXPECT_EQ(minimal(text, contains({"(assert p)", "(assert q)"})),
            "(set-logic ALL)\n(declare-const p Bool)\n(declare-const q Bool)\n(assert p)\n"
            "(assert q)\n(check-sat)\n");
}

TEST(Reduce, AtomsBecomeEquations) {
  const std::string text = R"((set-logic ALL)
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.geq y (fp ((_ fp.to_sbv 1) RTN x) ((_ fp.to_ubv 8) RNE y) #b00000000000000000000011)))
(check-sat)
)";
  EXPECT_EQ(minimal(text, contains({"((_ fp.to_sbv 1) RTN x)"})),
            "(set-logic ALL)\n(declare-const x (_ FloatingPoint 8 24))\n"
            "(assert (= ((_ fp.to_sbv 1) RTN x) #b0))\n(check-sat)\n");
}

// Where it matters that two things are equal, and not that an equation says so.
TEST(Reduce, WhatEquationsSayTakesThePlaceOfNames) {
  const auto reduced = [](const std::string& assertions, const TextPredicate& bad) {
    return minimal(
        "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n"
        "(declare-const p Bool)\n(declare-fun f (Int) Int)\n" +
            assertions + "(check-sat)\n",
        bad);
  };
  const std::string head = "(set-logic ALL)\n(declare-fun f (Int) Int)\n";
  const std::string value = "(assert (= x 7))\n(assert (> (f x) x))\n";
  const auto of_seven = [](const std::string& out) {
    const bool named = contains({"(= x 7)", "(> (f x) x)"})(out);
    return named || contains({"(> (f 7) 7)"})(out);
  };
  EXPECT_EQ(reduced(value, of_seven), head + "(assert (> (f 7) 7))\n(check-sat)\n");

  const std::string names = "(assert (and (= y x) (> (f x) (* 2 y)) p))\n";
  const auto of_one = [](const std::string& out) {
    const bool two = contains({"(= y x)", "(> (f x) (* 2 y))", "(and "})(out);
    return two || contains({"(> (f x) (* 2 x))"})(out) || contains({"(> (f y) (* 2 y))"})(out);
  };
  EXPECT_EQ(reduced(names, of_one),
            "(set-logic ALL)\n(declare-const x Int)\n"
            "(declare-fun f (Int) Int)\n"
            "(assert (> (f x) (* 2 x)))\n(check-sat)\n");

  const std::string formula = "(assert (not p))\n(assert (xor p (> x (f x))))\n";
  const auto of_false = [](const std::string& out) {
    const bool named = contains({"(not p)", "(xor p (> x (f x)))"})(out);
    return named || contains({"(xor false (> x (f x)))"})(out);
  };
  EXPECT_EQ(reduced(formula, of_false),
            "(set-logic ALL)\n(declare-const x Int)\n(declare-fun f (Int) Int)\n"
            "(assert (xor false (> x (f x))))\n(check-sat)\n");
}

// Not where a name stands for itself, and not a bound variable.
TEST(Reduce, EquationsThatSayNothingOfANameStay) {
  const std::string text =
      "(declare-fun f (Int) Int)(declare-const x Int)(assert (= x (f x)))"
      "(assert (forall ((y Int)) (= y (f x))))(check-sat)";
  EXPECT_EQ(minimal(text, contains({"(= x (f x))", "(= y (f x))"})),
            "(set-logic ALL)\n(declare-fun f (Int) Int)\n(declare-const x Int)\n"
            "(assert (= x (f x)))\n(assert (forall ((y Int)) (= y (f x))))\n(check-sat)\n");
}

TEST(Reduce, WhatIsStoredIsRead) {
  const auto reduced = [](const std::string& value, const std::string& read) {
    const std::string stored = "(= a (store a x " + value + "))";
    return minimal(
        "(declare-const a (Array Int Bool))(declare-const x Int)(declare-const p Bool)"
        "(assert " +
            stored + ")(check-sat)",
        [=](const std::string& out) {
          return contains({stored})(out) || contains({"(assert " + read + ")"})(out);
        });
  };
  const auto script = [](const std::string& more, const std::string& read) {
    return "(set-logic ALL)\n(declare-const a (Array Int Bool))\n(declare-const x Int)\n" + more +
           "(assert " + read + ")\n(check-sat)\n";
  };
  EXPECT_EQ(reduced("true", "(select a x)"), script("", "(select a x)"));
  EXPECT_EQ(reduced("false", "(not (select a x))"), script("", "(not (select a x))"));
  EXPECT_EQ(reduced("p", "(= (select a x) p)"),
            script("(declare-const p Bool)\n", "(= (select a x) p)"));
}

TEST(Reduce, OperatorAndConstant) {
  const std::string text = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 16))
(assert (and (= c (concat a b)) (bvult (bvmul a (bvadd b #x05)) (bvudiv a (bvsub b #x07)))
  (not (= ((_ extract 7 0) c) (bvshl b #x03)))))
(assert (= (bvor a b) (ite (bvult a b) (bvurem a #x11) (bvnot b))))
(check-sat)
)";
  EXPECT_EQ(minimal(text, contains({"bvudiv", "#x05"})),
            "(set-logic ALL)\n(assert (bvult #x05 (bvudiv #x00 #x00)))\n(check-sat)\n");
}

std::vector<std::filesystem::path> seed_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(ELENCHUS_SOURCE_DIR) / "data" / "seeds";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Accepts one candidate in `n`, always the same ones.
TextPredicate some(uint64_t salt, uint64_t n) {
  return [salt, n](const std::string& text) {
    return base::hash_mix(base::hash_bytes(text), salt) % n == 0;
  };
}

TEST(ReduceSeeds, EveryCandidateIsWellSorted) {
  for (const auto& file : seed_files()) {
    const std::string text = read(file);
    ir::TermStore store;
    const bool strict = smtlib::parse_script(store, text, {.strict = true}).has_value();
    for (uint64_t salt = 0; salt < 6; ++salt) {
      const Outcome outcome = reduce_text(text, some(salt, 1 + 2 * salt), {}, strict);
      ASSERT_THAT(outcome.bad_candidates, testing::IsEmpty()) << file << " " << salt;
      EXPECT_TRUE(outcome.finished) << file << " " << salt << " " << outcome.tries;
    }
  }
}

constexpr const char* kIncremental = R"((set-logic QF_LIA)
(set-option :produce-models true)
(declare-const x Int)
(declare-const y Int)
(assert (> x 3))
(push 1)
(declare-const z Int)
(assert (< (+ z x) 100))
(check-sat)
(push 1)
(assert (= (mod z 7) y))
(check-sat)
(pop 1)
(pop 1)
(push 1)
(declare-const z Int)
(assert (distinct z x y))
(check-sat-assuming ((> x z) (< y 12345)))
(pop 1)
(check-sat)
(get-model)
(exit)
)";

TEST(Reduce, FlattensLevels) {
  EXPECT_EQ(minimal(kIncremental, contains({"(distinct"})),
            "(set-logic ALL)\n(assert (distinct 0 0))\n(check-sat)\n");
  const auto checked_mod = [](const std::string& out) {
    return out.find("check-sat", out.find("(mod ")) != std::string::npos &&
           out.find("(mod ") != std::string::npos;
  };
  EXPECT_EQ(minimal(kIncremental, checked_mod),
            "(set-logic ALL)\n(assert (= (mod 0 0) 0))\n(check-sat)\n");
}

TEST(Reduce, KeepsLevelsThatMatter) {
  EXPECT_EQ(minimal(kIncremental, contains({"(push", "(pop", "(distinct"})),
            "(set-logic ALL)\n(push 1)\n(assert (distinct 0 0))\n(check-sat)\n(pop 1)\n");
}

TEST(Reduce, AssumptionsBecomeAssertions) {
  EXPECT_EQ(minimal(kIncremental, contains({"12345"})),
            "(set-logic ALL)\n(assert (< 0 12345))\n(check-sat)\n");
  EXPECT_EQ(minimal(kIncremental, contains({"check-sat-assuming"})),
            "(set-logic ALL)\n(check-sat-assuming (true))\n");
  EXPECT_EQ(minimal("(check-sat-using (then simplify smt))", contains({"check-sat"})),
            "(set-logic ALL)\n(check-sat)\n");
}

constexpr const char* kDatatypes = R"((set-logic ALL)
(declare-sort U 0)
(define-sort Ints () (Array Int Int))
(declare-datatypes ((Tree 0) (Forest 0)) (((leaf) (node (value Int) (kids Forest)))
  ((empty) (cons (head Tree) (tail Forest)))))
(declare-datatypes ((Pair 2)) ((par (A B) ((mk (first A) (second B))))))
(declare-fun g (U Tree Int) Int)
(declare-const u U)
(declare-const t Tree)
(declare-const a Ints)
(declare-const p (Pair Int Tree))
(define-fun twice ((a Int)) Int (* 2 a))
(define-fun quad ((a Int)) Int (twice (twice a)))
(define-fun-rec size ((a Tree)) Int (ite ((_ is leaf) a) 0 (+ 1 (quad (value a)))))
(assert (= (g u t (quad (select a 3))) (size (second p))))
(assert (match t ((leaf true) ((node v k) (> v (first p))))))
(assert (forall ((w U)) (> (g w leaf 1) (quad 77))))
(check-sat)
)";

TEST(Reduce, DeclarationsStayWithTheirUses) {
  EXPECT_EQ(minimal(kDatatypes, contains({"match"})),
            "(set-logic ALL)\n"
            "(declare-datatypes ((Tree 0) (Forest 0)) (((leaf) (node (value Int) (kids Forest))) "
            "((empty) (cons (head Tree) (tail Forest)))))\n"
            "(assert (match leaf ((leaf true) ((node v k) true))))\n(check-sat)\n");
  EXPECT_EQ(minimal(kDatatypes, contains({"(g "})),
            "(set-logic ALL)\n(declare-fun g (Bool) Int)\n(assert (= (g true) 0))\n(check-sat)\n");
}

TEST(Reduce, DefinitionsAreInlined) {
  EXPECT_EQ(minimal(kDatatypes, contains({"77"})),
            "(set-logic ALL)\n(assert (= 77 0))\n(check-sat)\n");
  EXPECT_EQ(minimal(kDatatypes, contains({"(* 2"})),
            "(set-logic ALL)\n(assert (= (* 2 0) 0))\n(check-sat)\n");
  // Where the definition matters, its body is reduced in place.
  EXPECT_EQ(minimal(kDatatypes, contains({"(define-fun quad", "(quad "})),
            "(set-logic ALL)\n(define-fun quad ((a Int)) Int 0)\n(assert (= (quad 0) 0))\n"
            "(check-sat)\n");
}

// Whether an assertion is one of these, which mean the same.
TextPredicate asserts_one_of(std::vector<std::string> terms) {
  return [terms](const std::string& text) {
    return std::any_of(terms.begin(), terms.end(), [&](const std::string& term) {
      return text.find("(assert " + term + ")") != std::string::npos;
    });
  };
}

TEST(Reduce, RoundaboutNegationsBecomePlain) {
  const std::string head = "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n";
  const std::string tail = "\n(check-sat)\n";
  const auto unequal = asserts_one_of({"(= false (= x y))", "(not (= x y))"});
  EXPECT_EQ(minimal(head + "(assert (= false (= x y)))" + tail, unequal),
            head + "(assert (not (= x y)))" + tail);
  const auto positive = asserts_one_of({"(not (not (= x y)))", "(= x y)"});
  EXPECT_EQ(minimal(head + "(assert (not (not (= x y))))" + tail, positive),
            head + "(assert (= x y))" + tail);
  const auto equal = asserts_one_of({"(not (distinct x y))", "(= x y)"});
  EXPECT_EQ(minimal(head + "(assert (not (distinct x y)))" + tail, equal),
            head + "(assert (= x y))" + tail);
}

TEST(Reduce, NamesStayValid) {
  const std::string text =
      "(set-logic QF_UFLIA)\n(set-option :produce-unsat-cores true)\n"
      "(declare-fun f (Int Int) Int)\n(declare-const a Int)\n"
      "(assert (! (> (f a 1) 0) :named first))\n(assert (! (< (f a 1) 0) :named second))\n"
      "(assert (=> first (! (= a 5) :named third)))\n(assert (or third second))\n"
      "(check-sat)\n(get-unsat-core)\n";
  EXPECT_EQ(minimal(text, contains({"get-unsat-core", "first"})),
            "(set-logic ALL)\n(assert (! true :named first))\n(check-sat)\n(get-unsat-core)\n");
  EXPECT_EQ(minimal(text, contains({"or third"})),
            "(set-logic ALL)\n(define-fun third () Bool true)\n(assert (or third true))\n"
            "(check-sat)\n");
}

TEST(Reduce, UnknownOperatorsAreCarriedThrough) {
  const std::string text =
      "(declare-const a Int)(declare-const b Int)(declare-const s String)\n"
      "(assert (frob (+ a b) (mystery 3 s)))(assert (> (+ a (strange b)) 4))(check-sat)\n"
      "(weird-command a)\n";
  const Outcome outcome = reduce_text(text, contains({"mystery"}), {}, false);
  EXPECT_THAT(outcome.bad_candidates, testing::IsEmpty());
  EXPECT_EQ(outcome.text, "(set-logic ALL)\n(assert (frob 0 (mystery 0 \"\")))\n(check-sat)\n");
  // A name in a text that we do not understand stays declared.
  const Outcome command = reduce_text(text, contains({"weird-command"}), {}, false);
  EXPECT_EQ(command.text,
            "(set-logic ALL)\n(declare-const a Int)\n(check-sat)\n(weird-command a)\n");
}

TEST(Reduce, SharedTermsAreReplacedTogetherThenOneByOne) {
  const std::string text =
      "(declare-fun f (Int) Int)(declare-const a Int)(declare-const b Int)\n"
      "(assert (let ((t (f (+ a (* b 2))))) (and (> t 0) (< (+ t 1) 5) (distinct t 3))))"
      "(check-sat)\n";
  EXPECT_EQ(minimal(text, contains({"(f ", "distinct"})),
            "(set-logic ALL)\n(declare-fun f (Int) Int)\n(assert (distinct (f 0) 0))\n"
            "(check-sat)\n");
  const auto twice = [](const std::string& out) {
    const size_t first = out.find("(+ ");
    return first != std::string::npos && out.find("(f ") != std::string::npos &&
           out.find("(> ") != std::string::npos && out.find("(< ") != std::string::npos;
  };
  EXPECT_EQ(minimal(text, twice),
            "(set-logic ALL)\n(declare-fun f (Int) Int)\n"
            "(assert (> 0 0))\n(assert (< (f (+ 0 0)) 0))\n(check-sat)\n");
}

TEST(Reduce, LiteralsGoTowardsZero) {
  const std::string text =
      "(declare-const x Int)(declare-const s String)(declare-const v (_ BitVec 8))"
      "(declare-const r Real)(assert (< x 1000000))(assert (= s \"hello world\"))"
      "(assert (= v #b11011011))(assert (> r 17.625))"
      "(assert (str.in_re s ((_ re.loop 3 17) (str.to_re \"ab\"))))(check-sat)";
  const auto number_at = [](const std::string& out, const std::string& before) {
    const size_t at = out.find(before);
    return at == std::string::npos ? 0 : std::atoi(out.c_str() + at + before.size());
  };
  EXPECT_EQ(minimal(text, [&](const auto& out) { return number_at(out, "(< x ") >= 4321; }),
            "(set-logic ALL)\n(declare-const x Int)\n(assert (< x 4321))\n(check-sat)\n");
  EXPECT_EQ(minimal(text, [&](const auto& out) { return number_at(out, "(> r ") >= 3; }),
            "(set-logic ALL)\n(declare-const r Real)\n(assert (> r 3.0))\n(check-sat)\n");
  EXPECT_EQ(minimal(text, contains({"(= s \"", "ow"})),
            "(set-logic ALL)\n(declare-const s String)\n(assert (= s \"ow\"))\n(check-sat)\n");
  EXPECT_EQ(minimal(text, contains({"(_ re.loop "})),
            "(set-logic ALL)\n(assert (str.in_re \"\" ((_ re.loop 0 0) re.none)))\n(check-sat)\n");
}

TEST(Reduce, WidthsBecomeSmaller) {
  const std::string bits =
      "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))(declare-const c (_ BitVec "
      "64))"
      "(assert (= c (concat a b)))"
      "(assert (= ((_ extract 31 0) c) (bvudiv a ((_ zero_extend 16) ((_ extract 15 0) b)))))"
      "(check-sat)";
  EXPECT_EQ(minimal(bits, contains({"bvudiv a", "zero_extend"})),
            "(set-logic ALL)\n(declare-const a (_ BitVec 2))\n"
            "(assert (= (bvudiv a ((_ zero_extend 1) #b0)) #b00))\n(check-sat)\n");
  const std::string floats =
      "(declare-const x Float32)(declare-const y Float32)"
      "(define-fun one () Float32 (fp #b0 #b01111111 #b00000000000000000000000))"
      "(assert (fp.lt (fp.add RNE x one) (fp.fma RTZ x y ((_ to_fp 8 24) RNE 3.25))))(check-sat)";
  EXPECT_EQ(minimal(floats, contains({"fp.fma RTZ x"})),
            "(set-logic ALL)\n(declare-const x (_ FloatingPoint 8 24))\n"
            "(assert (= (fp.fma RTZ x (_ +zero 8 24) (_ +zero 8 24)) (_ +zero 8 24)))\n"
            "(check-sat)\n");
}

TEST(Reduce, OddFloatsBecomeUsualOnes) {
  const std::string odd =
      "(declare-const x (_ FloatingPoint 3 5))(assert (fp.isNaN (fp.add RNE x x)))(check-sat)";
  EXPECT_THAT(minimal(odd, contains({"fp.add RNE x"})), HasSubstr("x (_ FloatingPoint 8 24)"));
  // What shows with a small format alone keeps it.
  EXPECT_THAT(minimal(odd, contains({"fp.add RNE x", "FloatingPoint 3 5"})),
              HasSubstr("x (_ FloatingPoint 3 5)"));
}

TEST(Reduce, UnusedPartsOfDatatypesGo) {
  const std::string text = R"((declare-datatype L (
  (nil) (cons (head Int) (extra Bool) (tail L)) (other (what Int))))
(declare-const l L)
(assert (= (head (cons 4 true nil)) 3))
(assert (not ((_ is nil) l)))
(check-sat)
)";
  const std::string left = minimal(text, contains({"(head (cons"}));
  EXPECT_THAT(left, HasSubstr("(head (cons 0))"));
  for (const char* gone : {"extra", "tail", "other", "what", "nil"}) {
    EXPECT_THAT(left, testing::Not(HasSubstr(gone)));
  }
}

// Parameters go where every use gives them the same sorts; then fields can go, too.
TEST(Reduce, DatatypesLoseTheirParameters) {
  const std::string list = "((List 1)) ((par (X) ((nil) (cons (head X) (tail (List X)))))))";
  const std::string text = "(declare-datatypes " + list +
                           "(declare-const x (List Int))"
                           "(assert (= (cons 0 x) x))(check-sat)";
  EXPECT_EQ(minimal(text, contains({"(cons ", " x) x)"})),
            "(set-logic ALL)\n"
            "(declare-datatypes ((List 0)) (((nil) (cons (tail List)))))\n"
            "(declare-const x List)\n(assert (= (cons x) x))\n(check-sat)\n");
  // Where they are needed, fields go all the same.
  EXPECT_EQ(minimal(text, contains({"(par (X)", " x) x)"})),
            "(set-logic ALL)\n"
            "(declare-datatypes ((List 1)) ((par (X) ((nil) (cons (tail (List X)))))))\n"
            "(declare-const x (List Int))\n(assert (= (cons x) x))\n(check-sat)\n");
  const std::string two = "(declare-datatypes " + list +
                          "(declare-const x (List Int))(declare-const y (List Bool))"
                          "(assert (= (head x) 0))(assert (head y))(check-sat)";
  EXPECT_THAT(minimal(two, contains({"(List Int)", "(List Bool)"})), HasSubstr("(par (X)"));
}

// A datatype without a value that needs no other is none.
TEST(Reduce, DatatypesStayWellFounded) {
  const std::string text =
      "(declare-datatype L ((nil) (cons (tail L))))(declare-const x L)"
      "(assert ((_ is cons) (tail x)))(check-sat)";
  EXPECT_THAT(minimal(text, contains({"(tail x)"})), HasSubstr("(nil)"));
}

TEST(Reduce, SortsWithoutAMeaningBecomeBool) {
  const std::string text = R"((declare-sort S 0)
(declare-datatype E ((a) (b)))
(declare-const x S)
(declare-const f (Array E S))
(assert (= (select (store f a x) b) x))
(check-sat)
)";
  const std::string left = minimal(text, contains({"(select (store f"}));
  EXPECT_THAT(left, HasSubstr("(Array Bool Bool)"));
  EXPECT_THAT(left, testing::Not(HasSubstr("declare-sort")));
  EXPECT_THAT(left, testing::Not(HasSubstr("declare-datatype")));
  EXPECT_THAT(minimal(text, contains({"(select (store f", "declare-sort"})),
              HasSubstr("(Array Bool S)"));
}

TEST(Reduce, SymbolsAreRenamed) {
  const std::string text =
      "(declare-fun some_function (Int) Int)(declare-const |a value| Int)"
      "(assert (forall ((bound_variable Int)) (> (some_function bound_variable) |a value|)))"
      "(check-sat)";
  const auto bad = [](const std::string& out) {
    return out.find("forall") != std::string::npos && out.find("Int) Int)") != std::string::npos &&
           out.find(" Int)\n") != std::string::npos && out.find("0") == std::string::npos &&
           out.find("1") == std::string::npos && out.find("true") == std::string::npos;
  };
  EXPECT_EQ(minimal(text, bad),
            "(set-logic ALL)\n(declare-fun f (Int) Int)\n(declare-const x Int)\n"
            "(assert (forall ((y Int)) (> (f y) x)))\n(check-sat)\n");
}

TEST(Reduce, WhatIsTakenBackBecomesAValue) {
  const std::string text =
      "(declare-const x Int)(assert (and (distinct 0 0) (> x 0)))(reset-assertions)(check-sat)";
  // As a solver that goes on with what was false.
  const auto bad = [](const std::string& out) {
    const size_t reset = out.find("(reset-assertions)");
    const bool was_false = out.find("(distinct 0 0)") < reset || out.find("false") < reset;
    return reset != std::string::npos && was_false;
  };
  EXPECT_EQ(minimal(text, bad),
            "(set-logic ALL)\n(assert false)\n(reset-assertions)\n(check-sat)\n");
}

TEST(Reduce, DeepTerms) {
  const uint32_t depth = 100'000;
  std::string text = "(declare-const p Bool)(declare-const q Bool)(assert ";
  for (uint32_t i = 0; i < depth; ++i) text += i == depth / 2 ? "(xor p " : "(not ";
  text += "q" + std::string(depth, ')') + ")(check-sat)";
  const Outcome outcome = reduce_text(text, contains({"(xor"}));
  EXPECT_EQ(outcome.text, "(set-logic ALL)\n(assert (xor true true))\n(check-sat)\n");
  EXPECT_LE(outcome.tries, 100U);
}

TEST(Reduce, StopsWhenAskedAndKeepsTheBest) {
  std::string text = "(declare-const x Int)";
  for (int i = 0; i < 64; ++i) text += "(assert (> x " + std::to_string(i + 100) + "))";
  text += "(check-sat)";
  uint32_t asked = 0;
  reduce::Size last;
  reduce::Settings settings;
  settings.should_stop = [&] { return ++asked > 5; };
  settings.on_progress = [&](const reduce::Progress& progress) { last = progress.now; };
  const Outcome outcome = reduce_text(text, contains({"(> x 117)"}), settings);
  EXPECT_FALSE(outcome.finished);
  EXPECT_THAT(outcome.tries, testing::AllOf(testing::Ge(2U), testing::Le(5U)));
  EXPECT_THAT(outcome.text, HasSubstr("(> x 117)"));
  EXPECT_LT(outcome.text.size(), text.size());
  settings = {};
  settings.max_tries = 3;
  EXPECT_EQ(reduce_text(text, contains({"(> x 117)"}), settings).tries, 3U);
}

TEST(Reduce, AsksOnceForEachCandidate) {
  for (const auto& file : seed_files()) {
    std::set<std::string> asked;
    reduce_text(
        read(file),
        [&](const std::string& text) {
          EXPECT_TRUE(asked.insert(text).second) << file << '\n' << text;
          return base::hash_bytes(text) % 5 == 0;
        },
        {}, false);
  }
}

}  // namespace
}  // namespace elenchus
