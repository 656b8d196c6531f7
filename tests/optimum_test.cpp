// What solvers say of objectives, read and held against models.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/timeline.h"
#include "oracle/objectives.h"
#include "oracle/oracle.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

using oracle::Finding;
using oracle::Objectives;
using oracle::Reach;

// Says the same to every script: sat, a model, and what is reached.
class OneAnswer : public oracle::Lab {
 public:
  OneAnswer(std::string model, std::string objectives)
      : model_(std::move(model)), objectives_(std::move(objectives)) {
    solver::Solver& solver = solvers_.emplace_back();
    solver.profile = solver::Profiles::standard().find("z3");
    solver.name = "z3";
  }

  std::span<const solver::Solver> solvers() const override { return solvers_; }
  bool is_fresh = true;
  solver::Run run(size_t, const ir::Script&, const oracle::Wishes&) override {
    solver::Run run;
    run.outcome = solver::Outcome::kSat;
    run.fresh = is_fresh;
    solver::CheckResult& check = run.checks.emplace_back();
    check.outcome = solver::Outcome::kSat;
    check.model = model_;
    check.objectives = objectives_;
    return run;
  }

 private:
  std::vector<solver::Solver> solvers_;
  std::string model_;
  std::string objectives_;
};

constexpr std::string_view kBounded =
    "(declare-const x Int)(declare-const y Int)(assert (< x 10))(assert (< y 5))";

// What the oracle says of a solver that gives this model and these values.
std::vector<Finding> judged(const std::string& rest, const std::string& x, const std::string& y,
                            const std::string& values, bool is_fresh = true) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, std::string(kBounded) + rest);
  EXPECT_TRUE(script.has_value()) << rest;
  OneAnswer lab("((define-fun x () Int " + x + ") (define-fun y () Int " + y + "))",
                "(objectives " + values + ")");
  lab.is_fresh = is_fresh;
  oracle::Exam exam(store, {.script = *script}, lab);
  exam.run(0);
  std::vector<Finding> findings;
  oracle::optimum_oracle().judge(exam, findings);
  return findings;
}

TEST(OptimumOracle, TheModelHasWhatIsClaimed) {
  const std::string one = "(maximize x)(check-sat)";
  EXPECT_TRUE(judged(one, "9", "0", "(x 9)").empty());
  const auto findings = judged(one, "8", "0", "(x 9)");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, oracle::Kind::kWrongOptimum);
  EXPECT_NE(findings[0].claim.find("the maximum of x is 9"), std::string::npos);
  // Somebody's model is better.
  EXPECT_EQ(judged(one, "9", "0", "(x 7)").size(), 1U);
}

TEST(OptimumOracle, WhatClaimsNothingIsLeftAlone) {
  const std::string one = "(maximize x)(check-sat)";
  for (const char* values : {"(x oo)", "(x (interval 3 oo))", "(x)", "(y 3) (x 3)", ""}) {
    EXPECT_TRUE(judged(one, "5", "0", values).empty()) << values;
  }
  // Another group than there is, and objectives with attributes.
  EXPECT_TRUE(judged("(assert-soft (< x 3))(check-sat)", "5", "0", "(g 0)").empty());
  EXPECT_TRUE(judged("(maximize x :id a)(check-sat)", "5", "0", "(a 9)").empty());
}

TEST(OptimumOracle, PrioritiesSayWhatCounts) {
  const std::string two = "(maximize x)(maximize y)(check-sat)";
  // One after the other: the second counts where the first is reached.
  EXPECT_EQ(judged(two, "9", "3", "(x 9) (y 4)").size(), 1U);
  EXPECT_TRUE(judged(two, "9", "4", "(x 9) (y 4)").empty());
  EXPECT_TRUE(judged(two, "5", "3", "(x oo) (y 4)").empty());
  // Each for itself: no model has all values, but none is better than any.
  const std::string box = "(set-option :opt.priority box)" + two;
  EXPECT_TRUE(judged(box, "9", "3", "(x 9) (y 4)").empty());
  EXPECT_EQ(judged(box, "5", "4", "(x 9) (y 3)").size(), 1U);
  // On a Pareto front, nothing is better without something being worse.
  const std::string pareto = "(set-option :opt.priority pareto)" + two;
  EXPECT_TRUE(judged(pareto, "8", "4", "(x 8) (y 4)").empty());
  EXPECT_EQ(judged(pareto, "8", "4", "(x 8) (y 3)").size(), 1U);
}

// The model is a point of the Pareto front and no lexicographic best.
TEST(OptimumOracle, AnythingIsBetterThanTheWrongInfinity) {
  const std::string minus = "(x (* (- 1) oo))";
  EXPECT_EQ(judged("(maximize x)(check-sat)", "5", "0", minus).size(), 1U);
  EXPECT_EQ(judged("(minimize x)(check-sat)", "5", "0", "(x oo)").size(), 1U);
  EXPECT_TRUE(judged("(maximize x)(check-sat)", "5", "0", "(x oo)").empty());
  EXPECT_TRUE(judged("(minimize x)(check-sat)", "5", "0", minus).empty());
}

TEST(OptimumOracle, OnePriorityHoldsOrNoneIsJudged) {
  const std::string two = "(maximize x)(maximize y)(check-sat)";
  const std::string pareto = "(set-option :opt.priority pareto)";
  const std::string lex = "(set-option :opt.priority lex)";
  const std::string values = "(x 8) (y 4)";
  EXPECT_EQ(judged(lex + two, "9", "4", values).size(), 1U);
  // Two that say different things, in whatever order.
  EXPECT_TRUE(judged(pareto + lex + two, "9", "4", values).empty());
  EXPECT_TRUE(judged(lex + pareto + two, "9", "4", values).empty());
  // One between checks.
  EXPECT_TRUE(judged("(check-sat)" + lex + two, "9", "4", values).empty());
  EXPECT_TRUE(judged(two + lex + "(check-sat)", "9", "4", values).empty());
  // Twice the same.
  EXPECT_EQ(judged(lex + lex + two, "9", "4", values).size(), 1U);
}

TEST(OptimumOracle, GroupsHaveACost) {
  const std::string soft =
      "(assert-soft (> x 20) :weight 0.5 :id g)(assert-soft (> x 5) :weight 3 :id g)(check-sat)";
  EXPECT_TRUE(judged(soft, "9", "0", "(g (/ 1.0 2.0))").empty());
  EXPECT_EQ(judged(soft, "3", "0", "(g (/ 1.0 2.0))").size(), 1U);
  EXPECT_EQ(judged(soft, "9", "0", "(g 3)").size(), 1U);
  // Without a name, nothing stands before the cost.
  const std::string nameless =
      "(assert-soft (< x 3) :weight 1)(assert-soft (< x 4) :weight 2)(check-sat)";
  EXPECT_TRUE(judged(nameless, "5", "0", "( 3)").empty());
  EXPECT_EQ(judged(nameless, "5", "0", "( 2)").size(), 1U);
  EXPECT_EQ(judged(nameless, "3", "0", "( 3)").size(), 1U);
}

// z3 gives a soft assertion the weight and the group of the one before it.
TEST(OptimumOracle, WhatIsLeftOutAfterItWasSaidIsNotJudged) {
  const std::string plain = "(assert-soft (< x 3))(check-sat)";
  EXPECT_EQ(judged(plain, "5", "0", "( 0)").size(), 1U);
  EXPECT_TRUE(
      judged("(assert-soft (< x 3) :weight 2)(assert-soft (< x 4))(check-sat)", "5", "0", "( 4)")
          .empty());
  EXPECT_TRUE(
      judged("(assert-soft (< x 3) :id a)(assert-soft (< x 4))(check-sat)", "5", "0", "(a 2)")
          .empty());
  EXPECT_TRUE(
      judged("(push)(assert-soft (< x 3) :weight 2)(pop)" + plain, "5", "0", "( 2)").empty());
  // Nor in a process that has seen other scripts.
  EXPECT_TRUE(judged(plain, "5", "0", "( 0)", false).empty());
}

TEST(Objectives, ValuesAsZ3PrintsThem) {
  const Objectives one{.all = {{.is_maximized = true, .term = ir::TermId{1}}}};
  const auto read = [&](const std::string& value) {
    const auto reached = oracle::read_objectives("(objectives ((+ x 1) " + value + "))", one);
    return reached ? (*reached)[0] : std::nullopt;
  };
  EXPECT_EQ(read("(/ 9.0 2.0)")->value, mpq_class(9, 2));
  EXPECT_EQ(read("(- 12)")->value, -12);
  EXPECT_FALSE(read("(* (- 1) oo)")->is_finite());
  const auto near = read("(+ 5.0 (* (- 1.0) epsilon))");
  ASSERT_TRUE(near.has_value());
  EXPECT_FALSE(near->is_exact());
  EXPECT_FALSE(oracle::is_beyond(one.all[0], mpq_class(49, 10), *near));
  EXPECT_TRUE(oracle::is_beyond(one.all[0], mpq_class(5), *near));
  EXPECT_FALSE(read("(interval 3 4)").has_value());
  EXPECT_FALSE(read("(+ oo").has_value());
}

}  // namespace
}  // namespace elenchus
