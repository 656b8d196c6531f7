// The oracles that are off unless asked for, on runs as they could be.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

using oracle::Kind;
using solver::Outcome;

// What a solver does to every script.
struct Answer {
  std::string profile;
  Outcome outcome;
  double seconds;
};

class FixedLab : public oracle::Lab {
 public:
  explicit FixedLab(const std::vector<Answer>& answers, size_t guests = 0)
      : answers_(answers), own_count_(answers.size() - guests) {
    for (const Answer& answer : answers) {
      solver::Solver& solver = solvers_.emplace_back();
      solver.profile = solver::Profiles::standard().find(answer.profile);
      solver.name = answer.profile + std::to_string(solvers_.size());
      solver.program = "/" + solver.name;
    }
  }

  std::span<const solver::Solver> solvers() const override { return solvers_; }
  size_t own_count() const override { return own_count_; }

  solver::Run run(size_t solver, const ir::Script&, const oracle::Wishes&) override {
    ++runs;
    solver::Run run;
    run.outcome = answers_[solver].outcome;
    run.seconds = answers_[solver].seconds;
    if (run.outcome != Outcome::kTimeout) {
      solver::CheckResult& check = run.checks.emplace_back();
      check.outcome = run.outcome;
      check.seconds = run.seconds;
    }
    return run;
  }

  int runs = 0;

 private:
  std::vector<Answer> answers_;
  size_t own_count_;
  std::vector<solver::Solver> solvers_;
};

constexpr std::string_view kLinear =
    "(declare-const x Int)(assert (> (* 2 x) (div x 3)))(check-sat)";

struct Judged {
  std::vector<oracle::Finding> findings;
  bool shows_again = false;
};

Judged judged(const oracle::Oracle& oracle, std::string_view text,
              const std::vector<Answer>& answers) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << text;
  FixedLab lab(answers);
  oracle::Exam exam(store, {.script = *script}, lab);
  for (size_t i = 0; i < answers.size(); ++i) exam.run(i);
  Judged result;
  oracle.judge(exam, result.findings);
  if (!result.findings.empty()) {
    result.shows_again =
        oracle::recheck(store, lab, {.script = *script}, result.findings[0]).has_value();
  }
  return result;
}

TEST(SlowOracle, ATimeoutWhereAnotherIsQuick) {
  const auto found = judged(oracle::slow_oracle(), kLinear,
                            {{"z3", Outcome::kTimeout, 2}, {"cvc5", Outcome::kUnsat, 0.09}});
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].kind, Kind::kSlow);
  EXPECT_EQ(found.findings[0].solver, 0U);
  EXPECT_EQ(found.findings[0].other, 1U);
  EXPECT_EQ(found.findings[0].evidence,
            "z31 has no answer after 2.00 s; cvc52 answers unsat within 0.090 s");
  EXPECT_TRUE(found.shows_again);
}

TEST(SlowOracle, NotWhereTheOtherTakesItsTimeOrGivesUp) {
  for (const Answer& other :
       {Answer{"cvc5", Outcome::kUnsat, 0.11}, Answer{"cvc5", Outcome::kUnknown, 0.01},
        Answer{"cvc5", Outcome::kTimeout, 2}}) {
    EXPECT_TRUE(judged(oracle::slow_oracle(), kLinear, {{"z3", Outcome::kTimeout, 2}, other})
                    .findings.empty());
  }
}

TEST(IncompleteOracle, UnknownInADecidableFragment) {
  const auto found = judged(oracle::incomplete_oracle(), kLinear, {{"z3", Outcome::kUnknown, 0.1}});
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].kind, Kind::kIncomplete);
  EXPECT_TRUE(found.shows_again);
}

TEST(IncompleteOracle, MayBeUnknown) {
  for (const std::string_view text :
       {"(declare-const x Int)(declare-const y Int)(assert (> (* x y) 3))(check-sat)",
        "(declare-const x Int)(assert (= (mod 7 x) 3))(check-sat)",
        "(assert (forall ((x Int)) (> x 3)))(check-sat)",
        "(declare-const s String)(assert (= (str.len s) 3))(check-sat)",
        "(declare-const x Int)(assert (= ((_ int2bv 4) x) #x3))(check-sat)",
        "(declare-const r Real)(assert (fp.isNaN ((_ to_fp 5 11) RNE r)))(check-sat)",
        "(define-fun-rec f ((n Int)) Int (ite (< n 1) 0 (f (- n 1))))"
        "(declare-const x Int)(assert (= (f x) 3))(check-sat)"}) {
    EXPECT_TRUE(judged(oracle::incomplete_oracle(), text, {{"z3", Outcome::kUnknown, 0.1}})
                    .findings.empty())
        << text;
  }
}

TEST(IncompleteOracle, ShouldDecide) {
  for (const std::string_view text :
       {"(declare-const a (_ BitVec 8))(assert (= (bvmul a a) #x09))(check-sat)",
        "(declare-const a (Array Int Real))(assert (> (select a 1) (- 3.0)))(check-sat)",
        "(declare-const a (_ FloatingPoint 5 11))(assert (fp.isNaN (fp.sqrt RNE a)))(check-sat)",
        "(declare-sort S 0)(declare-fun f (S) S)(declare-const s S)"
        "(assert (not (= (f s) s)))(check-sat)"}) {
    EXPECT_EQ(
        judged(oracle::incomplete_oracle(), text, {{"z3", Outcome::kUnknown, 0.1}}).findings.size(),
        1U)
        << text;
  }
}

TEST(IncompleteOracle, UnknownWhereTheSameSolverDecides) {
  constexpr std::string_view kHard =
      "(declare-const x Int)(declare-const y Int)(assert (> (* x y) 3))(check-sat)";
  const auto found = judged(oracle::incomplete_oracle(), kHard,
                            {{"z3", Outcome::kUnknown, 0.1}, {"z3", Outcome::kSat, 0.1}});
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].other, 1U);
  EXPECT_TRUE(found.shows_again);
  // Another solver may be better at it.
  EXPECT_TRUE(judged(oracle::incomplete_oracle(), kHard,
                     {{"z3", Outcome::kUnknown, 0.1}, {"cvc5", Outcome::kSat, 0.1}})
                  .findings.empty());
}

// A guest that took no part in the test has the options of some other test.
TEST(OptionalOracles, AskNoGuestThatTookNoPart) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, kLinear).value();
  for (const auto& [oracle, outcome] :
       {std::pair{&oracle::slow_oracle(), Outcome::kTimeout},
        std::pair{&oracle::incomplete_oracle(), Outcome::kUnknown}}) {
    FixedLab lab({{"z3", outcome, 2}, {"z3", Outcome::kUnsat, 0.01}}, 1);
    oracle::Exam exam(store, {.script = script}, lab);
    exam.run(0);
    std::vector<oracle::Finding> findings;
    oracle->judge(exam, findings);
    EXPECT_EQ(lab.runs, 1) << oracle->name();

    exam.run(1);
    findings.clear();
    oracle->judge(exam, findings);
    ASSERT_EQ(findings.size(), 1U) << oracle->name();
    EXPECT_EQ(findings[0].other, 1U);
    // It is asked again for what it showed.
    EXPECT_TRUE(oracle::recheck(store, lab, {.script = script}, findings[0])) << oracle->name();
  }
}

TEST(OptionalOracles, AreFoundByNameAndAreNotAmongTheOthers) {
  EXPECT_EQ(oracle::optional_oracles().size(), 3U);
  for (const oracle::Oracle* optional : oracle::optional_oracles()) {
    EXPECT_EQ(oracle::find_oracle(optional->name()), optional);
    const auto all = oracle::all_oracles();
    EXPECT_EQ(std::find(all.begin(), all.end(), optional), all.end());
  }
}

}  // namespace
}  // namespace elenchus
