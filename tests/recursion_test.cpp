#include "ir/recursion.h"

#include <gtest/gtest.h>

#include <string>

#include "smtlib/parser.h"

namespace elenchus::ir {
namespace {

// The name of the function in doubt; "" where there is none.
std::string doubtful(const std::string& text) {
  TermStore store;
  const auto script = smtlib::parse_script(store, "(set-logic ALL)\n" + text);
  EXPECT_TRUE(script.has_value()) << script.error().message << text;
  if (!script) return "?";
  const auto command = doubtful_recursion(store, *script);
  if (!command) return "";
  const FunId fun{script->items(script->commands[*command])[0]};
  return std::string(store.symbols().text(store.fun(fun).name));
}

constexpr const char* kList = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))\n";

TEST(Recursion, WhatDoesNotCallItselfIsPlain) {
  EXPECT_EQ(doubtful("(define-fun-rec f ((x Int)) Int (+ x 1))"), "");
  EXPECT_EQ(doubtful("(define-fun f ((x Int)) Int x)(define-fun-rec g ((x Int)) Int (f x))"), "");
}

TEST(Recursion, IntegersThatComeCloserToABound) {
  for (const char* body : {"(ite (<= x 0) 1 (* x (f (- x 1))))", "(ite (> x 0) (f (- x 2)) 0)",
                           "(ite (and (= x 3) (>= x 1)) (f (+ x (- 1))) 0)",
                           "(ite (or (< x 5) (= x 7)) 0 (+ (f (- x 1)) (f (- x 2))))",
                           "(ite (not (< x 5)) (f (+ (- 1) x)) 0)", "(ite (< x 100) (f (+ x 1)) 0)",
                           "(ite (< 0 x) (f (- x 1)) 0)"}) {
    EXPECT_EQ(doubtful(std::string("(define-fun-rec f ((x Int)) Int ") + body + ")"), "") << body;
  }
  EXPECT_EQ(
      doubtful("(define-fun-rec f ((y Bool) (x Int)) Int (ite (> x 0) (f (not y) (- x 1)) 0))"),
      "");
}

// From each argument at most one call leads on: where that never ends, any one value will do.
TEST(Recursion, WhatCallsItselfLastIsPlain) {
  for (const char* body :
       {"(f (- x 1))", "(ite (> x 0) (f x) 0)", "(ite (> x 0) 0 (f (- x 1)))",
        "(ite (= x 0) 0 (f (- x 1)))", "(ite (> x 0) (f (- 1 x)) (ite (< x 0) (f (* x x)) (f x)))",
        "(let ((y (+ x 1))) (ite (> y 5) (f y) (* y y)))"}) {
    EXPECT_EQ(doubtful(std::string("(define-fun-rec f ((x Int)) Int ") + body + ")"), "") << body;
  }
  EXPECT_EQ(doubtful("(define-fun-rec f ((x Real)) Real (ite (> x 0.0) (f (- x 1.0)) 0.0))"), "");
  EXPECT_EQ(doubtful("(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) "
                     "((ite (= x 0) 7 (g (+ x 1))) (f (* 2 x))))"),
            "");
  EXPECT_EQ(doubtful(std::string(kList) +
                     "(define-fun-rec f ((x L)) Int (match x ((nil 0) ((cons h t) (f x)))))"),
            "");
}

TEST(Recursion, OtherIntegersAreDoubtful) {
  for (const char* body :
       {"(+ 1 (f x))", "(- (f x))", "(f (f x))", "(f (+ 1 (f x)))",
        "(ite (> x 0) 0 (+ 1 (f (- x 1))))", "(ite (> x 0) (+ 1 (f (+ x 1))) 0)",
        "(ite (> x 0) (+ 1 (f (- x 0))) 0)", "(ite (> x 0) (+ 1 (f (- 1 x))) 0)",
        "(ite (= x 0) 0 (+ 1 (f (- x 1))))", "(ite (> (f (- x 1)) 0) (f (- x 1)) 0)",
        "(ite (= (f x) 0) 1 0)", "(ite (> x 0) (+ 1 (f (- x 1))) (ite (< x 0) (f (+ x 1)) (f x)))",
        // Up and down, for ever.
        "(ite (> x 0) (ite (< x 9) (+ (f (- x 1)) (f (+ x 1))) 0) 0)"}) {
    EXPECT_EQ(doubtful(std::string("(define-fun-rec f ((x Int)) Int ") + body + ")"), "f") << body;
  }
  EXPECT_EQ(
      doubtful("(define-fun-rec f ((x Real)) Real (ite (> x 0.0) (+ (f (- x 1.0)) 1.0) 0.0))"),
      "f");
  EXPECT_EQ(doubtful("(define-fun-rec f ((x Int)) Bool (forall ((y Int)) (=> (< y x) (f y))))"),
            "f");
}

TEST(Recursion, AFunctionThatIsMappedIsCalled) {
  // Would be one more than itself.
  EXPECT_EQ(doubtful("(define-fun-rec f ((x Int)) Int "
                     "(+ 1 (select ((_ map f) ((as const (Array Int Int)) x)) 0)))"),
            "f");
  EXPECT_EQ(doubtful("(define-fun-rec f ((x Int)) Int (+ 1 (select (_ as-array f) x)))"), "f");
  EXPECT_EQ(doubtful("(declare-fun g (Int) Int)(define-fun-rec f ((x Int)) Int "
                     "(select ((_ map g) ((as const (Array Int Int)) x)) 0))"),
            "");
}

TEST(Recursion, PartsOfDatatypes) {
  const std::string list = kList;
  const auto f = [&](const char* body) {
    return doubtful(list + "(define-fun-rec f ((x L)) Int " + body + ")");
  };
  EXPECT_EQ(f("(ite ((_ is cons) x) (+ 1 (f (tail x))) 0)"), "");
  EXPECT_EQ(f("(ite ((_ is nil) x) 0 (+ 1 (f (tail x))))"), "");
  EXPECT_EQ(f("(match x ((nil 0) ((cons h t) (+ h (f t)))))"), "");
  EXPECT_EQ(f("(match x ((nil 0) ((cons h t) (match t ((nil 1) ((cons i u) (f u)))))))"), "");
  // The tail of nil may be nil.
  EXPECT_EQ(f("(+ 1 (f (tail x)))"), "f");
  EXPECT_EQ(f("(ite ((_ is nil) x) (+ 1 (f (tail x))) 0)"), "f");
  EXPECT_EQ(f("(ite ((_ is cons) x) (+ 1 (f (tail (tail x)))) 0)"), "f");
  EXPECT_EQ(f("(match x ((nil 0) ((cons h t) (+ 1 (f x)))))"), "f");
  EXPECT_EQ(f("(match x ((nil 0) ((cons h t) (+ 1 (f (cons h t))))))"), "f");
}

TEST(Recursion, CodatatypesHaveNoEnd) {
  EXPECT_EQ(doubtful("(declare-codatatypes ((S 0)) (((next (first Int) (rest S)))))"
                     "(define-fun-rec f ((x S)) Int (match x (((next a b) (+ 1 (f b))))))"),
            "f");
}

TEST(Recursion, Groups) {
  const std::string heads = "(define-funs-rec ((even ((x Int)) Bool) (odd ((x Int)) Bool)) (";
  EXPECT_EQ(doubtful(heads + "(ite (<= x 0) true (odd (- x 1)))"
                             "(ite (<= x 0) false (even (- x 1)))))"),
            "");
  EXPECT_EQ(doubtful(heads + "(ite (<= x 0) true (odd (- x 1)))(not (even x))))"), "even");
}

}  // namespace
}  // namespace elenchus::ir
