// Formulas that solvers give in place of an answer, held against what they promise.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/timeline.h"
#include "oracle/elimination.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using oracle::Finding;

// Replies the same to every request for a formula, and answers the same to every check.
class OneReply : public oracle::Lab {
 public:
  OneReply(std::string_view profile, std::string reply, solver::Outcome answer)
      : reply_(std::move(reply)), answer_(answer) {
    solver::Solver& solver = solvers_.emplace_back();
    solver.profile = solver::Profiles::standard().find(profile);
    solver.name = profile;
  }

  std::span<const solver::Solver> solvers() const override { return solvers_; }
  solver::Run run(size_t, const ir::Script& script, const oracle::Wishes& wishes) override {
    solver::Run run;
    if (wishes.requests) {
      run.out = reply_;
      return run;
    }
    run.outcome = answer_;
    for (size_t i = 0; i < ir::checks_of(script).size(); ++i) {
      run.checks.emplace_back().outcome = answer_;
    }
    return run;
  }

 private:
  std::vector<solver::Solver> solvers_;
  std::string reply_;
  solver::Outcome answer_;
};

struct Judged {
  std::vector<Finding> findings;
  std::string shown;         // the script of the first
  bool shows_again = false;  // it is found again by that script
};

Judged judged(std::string_view profile, const std::string& script, std::string_view request,
              const std::string& reply, solver::Outcome answer = solver::Outcome::kUnsat) {
  ir::TermStore store;
  const auto parsed = smtlib::parse_script(
      store, "(declare-const a Int)(declare-const b Int)" + script + "(check-sat)");
  EXPECT_TRUE(parsed.has_value()) << script;
  OneReply lab(profile, reply, answer);
  oracle::Exam exam(store, {.script = *parsed}, lab);
  exam.run(0);
  Judged judged;
  oracle::judge_formula(exam, 0, request, judged.findings);
  if (judged.findings.empty()) return judged;
  const ir::Script& shown = *judged.findings[0].script;
  judged.shown = *smtlib::print_script(store, shown);
  judged.shows_again =
      oracle::recheck(store, lab, {.script = shown}, judged.findings[0]).has_value();
  return judged;
}

void expect_wrong(const Judged& judged, std::string_view request) {
  ASSERT_EQ(judged.findings.size(), 1U);
  EXPECT_EQ(judged.findings[0].kind, oracle::Kind::kWrongElimination);
  EXPECT_NE(judged.shown.find(request), std::string::npos) << judged.shown;
  EXPECT_TRUE(judged.shows_again) << judged.shown;
}

TEST(EliminationOracle, ATacticKeepsTheGoalEquivalent) {
  const std::string script = "(assert (< a b))(assert (< b 5))";
  const auto goal = [](const std::string& formulas) {
    return "(goals\n(goal\n  " + formulas + "\n  :precision precise :depth 1)\n)\n";
  };
  EXPECT_TRUE(
      judged("z3", script, "simplify", goal("(not (<= b a)) (not (<= 5 b))")).findings.empty());
  expect_wrong(judged("z3", script, "simplify", goal("(not (<= b a)) (<= b 5)")),
               "(apply simplify)");
  // What is not precise by its own words promises nothing.
  EXPECT_TRUE(
      judged("z3", script, "simplify", "(goals\n(goal\n  false\n  :precision under :depth 1)\n)\n")
          .findings.empty());
  EXPECT_TRUE(judged("z3", script, "simplify", "(error \"no\")").findings.empty());
}

TEST(EliminationOracle, QuantifiersAreEliminatedWhereTheOthersHold) {
  const std::string script = "(assert (exists ((x Int)) (and (< a x) (< x b))))(assert (< 0 a))";
  EXPECT_TRUE(judged("cvc5", script, "(get-qe {})", "(< (+ a 1) b)\n").findings.empty());
  EXPECT_TRUE(
      judged("cvc5", script, "(get-qe {})", "(or (<= a 0) (< (+ a 1) b))\n").findings.empty());
  expect_wrong(judged("cvc5", script, "(get-qe {})", "(< a b)\n"), "(get-qe (exists ");
  for (const char* reply : {"(error \"no\")", "unsupported", "(< a unheard-of)", "", "(< a"}) {
    EXPECT_TRUE(judged("cvc5", script, "(get-qe {})", reply).findings.empty()) << reply;
  }
  EXPECT_TRUE(judged("cvc5", "(assert (< a b))", "(get-qe {})", "false").findings.empty());
}

TEST(EliminationOracle, AnInterpolantLiesBetween) {
  const std::string script = "(assert (> a (+ b 2)))(assert (< a b))";
  const auto reply = [](const std::string& formula) {
    return "(define-fun elenchus-result () Bool " + formula + ")\n";
  };
  const std::string_view request = "(get-interpolant {})";
  EXPECT_TRUE(judged("cvc5", script, request, reply("(> a b)")).findings.empty());
  const Judged strong = judged("cvc5", script, request, reply("(> a (+ b 5))"));
  expect_wrong(strong, "(get-interpolant elenchus-result (not (< a b)))");
  EXPECT_NE(strong.shown.find("(set-option :produce-interpolants true)"), std::string::npos);
  expect_wrong(judged("cvc5", script, request, reply("true")), "(get-interpolant ");
  EXPECT_TRUE(judged("cvc5", script, request, "fail\n").findings.empty());
  // Of what is satisfiable there is none, and nobody is asked.
  EXPECT_TRUE(
      judged("cvc5", script, request, reply("true"), solver::Outcome::kSat).findings.empty());
}

TEST(EliminationOracle, WhatIsMissingFollowsFromAnAbduct) {
  const std::string script = "(assert (> a b))(assert (<= a 5))";
  const auto reply = [](const std::string& formula) {
    return "(define-fun elenchus-result () Bool " + formula + ")\n";
  };
  const std::string_view request = "(get-abduct {})";
  const auto kSat = solver::Outcome::kSat;
  EXPECT_TRUE(judged("cvc5", script, request, reply("(> b 5)"), kSat).findings.empty());
  expect_wrong(judged("cvc5", script, request, reply("(< b 5)"), kSat),
               "(get-abduct elenchus-result (not (<= a 5)))");
}

// A reduction changes the assertion that the request is about.
TEST(EliminationOracle, TheRequestIsAboutWhatIsLeft) {
  ir::TermStore store;
  const auto script =
      smtlib::parse_script(store,
                           "(declare-const a Int)(get-qe (forall ((x Int)) (< x a)))"
                           "(assert (exists ((x Int)) (< x a)))(check-sat)");
  ASSERT_TRUE(script.has_value());
  const ir::Script renewed = oracle::with_request_renewed(store, *script);
  const auto text = smtlib::print_script(store, renewed);
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("(get-qe (exists "), std::string::npos) << *text;
  EXPECT_EQ(text->find("forall"), std::string::npos) << *text;
}

}  // namespace
}  // namespace elenchus
