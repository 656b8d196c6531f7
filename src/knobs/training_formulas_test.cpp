#include "knobs/training_formulas.h"

#include <set>

#include <gtest/gtest.h>

#include "ir/script_stats.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace elenchus::knobs {
namespace {

TEST(TrainingFormulas, AreReadAgainAndHaveTheirOperations) {
  ir::TermStore terms;
  TrainingFormulas formulas(terms, ir::kStdReader | ir::kZ3Reader);
  base::Rng rng(1);
  std::set<std::string> seen;
  for (int i = 0; i < 300; ++i) {
    const auto formula = formulas.next(4, rng);
    EXPECT_LE(formula.operations.size(), 4U);
    seen.insert(formula.operations.begin(), formula.operations.end());
    const auto text = smtlib::print_script(terms, formula.script);
    ASSERT_TRUE(text.has_value());
    ir::TermStore other;
    const auto again = smtlib::parse_script(other, *text);
    ASSERT_TRUE(again.has_value()) << *text;
    const auto stats = ir::script_stats(other, *again);
    EXPECT_GE(stats.checks, 1U);
    EXPECT_LT(stats.tree_size, 2000U);
  }
  for (const char* name : {"forall", "push", "bvadd", "str.++", "select", "fp.add", "and", "+"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

TEST(TrainingFormulas, AllOperationsCanBeLearnt) {
  for (const uint16_t who : {ir::kZ3Reader, ir::kCvc5Reader, ir::kCvc4Reader}) {
    ir::TermStore terms;
    TrainingFormulas formulas(terms, who);
    base::Rng rng(2);
    const auto all = formulas.operations();
    std::set<std::string> missing(all.begin(), all.end());
    for (const char* name : {"=", "forall", "exists", "push", "check-sat again", "functions",
                             "check-sat-assuming", "datatypes"}) {
      EXPECT_TRUE(missing.contains(name)) << name;
    }
    EXPECT_EQ(missing.contains("set.insert"), who != ir::kZ3Reader);
    for (int i = 0; i < 2000; ++i) {
      for (const std::string& name : formulas.next(4, rng).operations) missing.erase(name);
    }
    EXPECT_EQ(missing, std::set<std::string>());
  }
}

// Half of them name the smallest logic that there is a name for, often ALL.
TEST(TrainingFormulas, ManyNameASmallerLogic) {
  ir::TermStore terms;
  TrainingFormulas formulas(terms, ir::kStdReader | ir::kZ3Reader);
  base::Rng rng(4);
  int named = 0;
  for (int i = 0; i < 200; ++i) {
    const auto formula = formulas.next(4, rng);
    named += terms.symbols().text(formula.script.logic) == "ALL" ? 0 : 1;
  }
  EXPECT_GT(named, 25);
  EXPECT_LT(named, 110);
}

// What is false under all values is decided at first sight, and shows no option at work.
TEST(TrainingFormulas, MostHoldUnderSomeValues) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  const auto z3 = solver::find_solver(solver::Profiles::standard(), "z3");
  ASSERT_TRUE(z3.has_value());
  solver::Runner runner(*z3, false);
  ir::TermStore terms;
  TrainingFormulas formulas(terms, ir::kStdReader | ir::kZ3Reader);
  smtlib::ScriptPrinter printer(terms);
  base::Rng rng(3);
  int sat = 0;
  int unsat = 0;
  for (int i = 0; i < 100; ++i) {
    const auto formula = formulas.next(4, rng);
    const auto query = solver::make_query(printer, terms, formula.script);
    ASSERT_TRUE(query.has_value());
    const solver::Run run = runner.run(*query, {.seconds = 30});
    sat += run.outcome == solver::Outcome::kSat ? 1 : 0;
    unsat += run.outcome == solver::Outcome::kUnsat ? 1 : 0;
  }
  EXPECT_GT(sat, 45);
  EXPECT_GT(unsat, 2);
}

TEST(TrainingFormulas, SameNumberSameFormulas) {
  ir::TermStore one;
  ir::TermStore two;
  TrainingFormulas a(one, ir::kStdReader | ir::kZ3Reader);
  TrainingFormulas b(two, ir::kStdReader | ir::kZ3Reader);
  base::Rng first(9);
  base::Rng second(9);
  for (int i = 0; i < 50; ++i) {
    const auto x = a.next(4, first);
    const auto y = b.next(4, second);
    EXPECT_EQ(*smtlib::print_script(one, x.script), *smtlib::print_script(two, y.script));
  }
}

}  // namespace
}  // namespace elenchus::knobs
