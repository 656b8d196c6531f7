// What is made of answers and models, on solvers that no process stands behind.
#include "docket/verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <string_view>

#include "ir/timeline.h"
#include "lab/fake_solver.h"
#include "smtlib/parser.h"

namespace elenchus::docket {
namespace {

using Names = std::vector<std::string>;

// Solvers that always say the same; what is sat has the model, if there is one.
class FixedLab : public oracle::Lab {
 public:
  struct Line {
    std::string name;
    solver::Outcome answer;
    std::string model = {};
  };
  explicit FixedLab(std::vector<Line> lines) : lines_(std::move(lines)) {
    for (const Line& line : lines_) solvers_.push_back(lab::fake_solver(line.name));
  }

  std::span<const solver::Solver> solvers() const override { return solvers_; }
  solver::Run run(size_t solver, const ir::Script& script, const oracle::Wishes&) override {
    const Line& line = lines_[solver];
    solver::Run run;
    run.outcome = line.answer;
    if (line.answer == solver::Outcome::kTimeout) return run;
    for (size_t i = 0; i < ir::checks_of(script).size(); ++i) {
      solver::CheckResult& check = run.checks.emplace_back();
      check.outcome = line.answer;
      if (line.answer == solver::Outcome::kSat) check.model = line.model;
    }
    return run;
  }

 private:
  std::vector<Line> lines_;
  std::vector<solver::Solver> solvers_;
};

constexpr std::string_view kPositive = "(declare-const x Int)(assert (> x 0))(check-sat)";
constexpr std::string_view kOne = "((define-fun x () Int 1))";

class TryScript : public testing::Test {
 protected:
  Verdict verdict_on(FixedLab& lab, std::string_view text) {
    const auto script = smtlib::parse_script(store_, text);
    EXPECT_TRUE(script.has_value());
    script_ = *script;
    return try_script(store_, script_, lab, oracle::all_oracles());
  }

  ir::TermStore store_;
  ir::Script script_;
};

TEST_F(TryScript, AModelThatHoldsSettlesIt) {
  FixedLab lab({{"one", solver::Outcome::kSat, std::string(kOne)}});
  const Verdict verdict = verdict_on(lab, kPositive);
  EXPECT_FALSE(verdict.is_something_wrong());
  EXPECT_TRUE(verdict.is_decided());
  EXPECT_EQ(verdict.right, Names{"sat"});
  EXPECT_TRUE(verdict.unchecked.empty());
  EXPECT_EQ(verdict.testimonies[0].answers, Names{"sat"});
  EXPECT_EQ(verdict.testimonies[0].models, Names{"valid"});
}

TEST_F(TryScript, WhoeverContradictsAModelIsGuilty) {
  FixedLab lab(
      {{"one", solver::Outcome::kSat, std::string(kOne)}, {"two", solver::Outcome::kUnsat}});
  const Verdict verdict = verdict_on(lab, kPositive);
  EXPECT_EQ(verdict.guilty(), Names{"two 1.0"});
  EXPECT_TRUE(verdict.disputants().empty());
  EXPECT_EQ(verdict.right, Names{"sat"});
}

TEST_F(TryScript, AModelThatDoesNotHoldIsItsSolversFault) {
  FixedLab lab({{"one", solver::Outcome::kSat, "((define-fun x () Int 0))"}});
  const Verdict verdict = verdict_on(lab, kPositive);
  EXPECT_EQ(verdict.guilty(), Names{"one 1.0"});
  EXPECT_EQ(verdict.testimonies[0].models, Names{"invalid"});
  EXPECT_EQ(verdict.right, Names{""});
}

TEST_F(TryScript, TwoAnswersWithoutAModelAreADispute) {
  FixedLab lab({{"one", solver::Outcome::kSat}, {"two", solver::Outcome::kUnsat}});
  const Verdict verdict =
      verdict_on(lab, "(declare-const x Int)(assert (> x 5))(assert (< x 3))(check-sat)");
  EXPECT_TRUE(verdict.is_something_wrong());
  EXPECT_TRUE(verdict.guilty().empty());
  EXPECT_EQ(verdict.disputants().size(), 2U);
}

TEST_F(TryScript, AnUnsatThatNobodyConfirmsIsSaid) {
  FixedLab lab({{"one", solver::Outcome::kUnsat}});
  const Verdict verdict = verdict_on(lab, kPositive);
  EXPECT_FALSE(verdict.is_something_wrong());
  EXPECT_EQ(verdict.unchecked, Names{"the unsat of z3, which no other solver confirms"});
}

TEST_F(TryScript, SilenceDecidesNothing) {
  FixedLab lab({{"one", solver::Outcome::kTimeout}});
  const Verdict verdict = verdict_on(lab, kPositive);
  EXPECT_FALSE(verdict.is_decided());
  EXPECT_EQ(verdict.testimonies[0].answers, Names{"timeout"});
}

TEST_F(TryScript, AStatusIsAClaimLikeOthers) {
  FixedLab unsat({{"one", solver::Outcome::kUnsat}});
  const Verdict doubtful = verdict_on(unsat, "(set-info :status sat)" + std::string(kPositive));
  ASSERT_EQ(doubtful.statuses.size(), 1U);
  EXPECT_FALSE(doubtful.statuses[0].is_refuted);
  EXPECT_EQ(doubtful.statuses[0].text,
            "one 1.0 answers unsat, and (set-info :status sat) says otherwise");
  EXPECT_EQ(doubtful.disputants(), (Names{"one 1.0", "(set-info :status sat)"}));

  FixedLab sat({{"one", solver::Outcome::kSat, std::string(kOne)}});
  const Verdict refuted = verdict_on(sat, "(set-info :status unsat)" + std::string(kPositive));
  EXPECT_EQ(refuted.guilty(), Names{"(set-info :status unsat)"});
  const Verdict right = verdict_on(sat, "(set-info :status sat)" + std::string(kPositive));
  EXPECT_TRUE(right.statuses.empty());
}

// A status stands for the next check-sat only.
TEST_F(TryScript, EachCheckHasItsOwnStatus) {
  FixedLab lab({{"one", solver::Outcome::kSat, std::string(kOne)}});
  const Verdict verdict =
      verdict_on(lab, std::string(kPositive) + "(set-info :status unsat)(check-sat)(check-sat)");
  EXPECT_EQ(verdict.statuses.size(), 1U);
  EXPECT_EQ(verdict.right, (Names{"sat", "sat", "sat"}));
}

}  // namespace
}  // namespace elenchus::docket
