#include "diagnose/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "eval/check.h"
#include "ir/timeline.h"
#include "lab/fake_solver.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::diagnose {
namespace {

constexpr std::string_view kScript = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvmul a b) #x00))
(check-sat)
)";

knobs::Knob knob(std::string name, std::string group) {
  knobs::Knob one;
  one.name = std::move(name);
  one.group = std::move(group);
  one.standard = "true";
  one.values = {"false", "true"};
  return one;
}

// A solver that is wrong about products, unless it is told "rewriter.mul=false".
class Diagnosing : public ::testing::Test {
 protected:
  void SetUp() override {
    for (lab::SolverLab* lab : {&fresh_, &sessions_}) {
      lab->set_stand_in([this](const solver::Solver& solver, const solver::Query& query) {
        ++runs_;
        return lab::answered(query, [&](std::string_view text) { return answer(solver, text); });
      });
    }
    finding_.kind = oracle::Kind::kRefutationUnsound;
    finding_.oracle = "construction";
    finding_.witness = "((define-fun a () (_ BitVec 8) #x00)(define-fun b () (_ BitVec 8) #x07))";
    finding_.model = smtlib::read_model(terms_, script_, 3, finding_.witness).value();
  }

  static std::string answer(const solver::Solver& solver, std::string_view text) {
    const auto has = [&](std::string_view option) {
      return std::find(solver.options.begin(), solver.options.end(), option) !=
             solver.options.end();
    };
    const bool is_wrong = text.find("bvmul") != std::string_view::npos;
    if (has("smt.slow=false")) return "timeout";
    if (has("smt.lost=false")) return "unknown";
    return is_wrong && !has("rewriter.mul=false") ? "unsat" : "sat";
  }

  Subject subject() {
    return {terms_, fresh_, test_, finding_, [this] { return runs_ > most_runs_; }};
  }

  ir::TermStore terms_;
  ir::Script script_ = smtlib::parse_script(terms_, kScript).value();
  std::vector<solver::Solver> solvers_ = {lab::fake_solver("one")};
  lab::SolverLab fresh_{terms_, solvers_, true, {}};
  lab::SolverLab sessions_{terms_, solvers_, true, {}};
  oracle::Case test_{.script = script_};
  oracle::Finding finding_;
  int runs_ = 0;
  int most_runs_ = INT32_MAX;
};

TEST_F(Diagnosing, ALookSaysWhetherItShows) {
  EXPECT_EQ(look_at(terms_, fresh_, test_, finding_).sight, Sight::kShows);
  const std::string sum =
      "(set-logic QF_BV)\n(declare-const a (_ BitVec 8))\n"
      "(assert (= a #x00))\n(check-sat)\n";
  const ir::Script other = smtlib::parse_script(terms_, sum).value();
  EXPECT_EQ(look_at(terms_, fresh_, {.script = other}, finding_).sight, Sight::kGone);
}

TEST_F(Diagnosing, OptionsThatMakeItVanish) {
  knobs::Catalogue catalogue;
  catalogue.knobs = {knob("rewriter.flat", "rewriter"), knob("rewriter.mul", "rewriter"),
                     knob("smt.slow", "smt"), knob("smt.lost", "smt"), knob("model", "")};
  catalogue.knobs[3].ignored = "leaves out axioms";
  catalogue.knobs[3].tells = true;
  catalogue.knobs[4].ignored = "what is produced";
  const Switches found = try_switches(subject(), catalogue);
  ASSERT_EQ(found.gone.size(), 2u);
  EXPECT_EQ(found.gone[0].option, "rewriter.mul=false");
  EXPECT_EQ(found.gone[0].module, "rewriter");
  EXPECT_EQ(found.gone[0].answer, "sat");
  EXPECT_EQ(found.gone[1].option, "smt.lost=false");
  EXPECT_EQ(found.gone[1].answer, "unknown");
  EXPECT_EQ(found.stays, (std::map<std::string, uint64_t>{{"rewriter", 1}}));
  EXPECT_EQ(found.unclear, 1u);
  EXPECT_EQ(found.tried(), 4u);
  EXPECT_TRUE(found.is_whole);
}

TEST_F(Diagnosing, WhatCouldNotBeTriedIsNotCounted) {
  knobs::Catalogue catalogue;
  for (int i = 0; i < 50; ++i) catalogue.knobs.push_back(knob("k" + std::to_string(i), "m"));
  most_runs_ = 10;
  const Switches found = try_switches(subject(), catalogue);
  EXPECT_FALSE(found.is_whole);
  EXPECT_LT(found.tried(), 15u);
}

TEST_F(Diagnosing, ModulesHaveTurns) {
  knobs::Catalogue catalogue;
  catalogue.knobs = {knob("a.1", "a"), knob("a.2", "a"), knob("b.1", "b")};
  std::vector<std::string> names;
  for (const Trial& trial : trials_of(catalogue, solvers_[0])) names.push_back(trial.knob->name);
  EXPECT_EQ(names, (std::vector<std::string>{"a.1", "b.1", "a.2"}));
}

TEST_F(Diagnosing, OptionsThatTheSolverHasAreNotTouched) {
  knobs::Catalogue catalogue;
  catalogue.knobs = {knob("rewriter.flat", "rewriter"), knob("rewriter.mul", "rewriter")};
  solver::Solver given = solvers_[0];
  given.options = {"rewriter.flat=false"};
  const auto trials = trials_of(catalogue, given);
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].knob->name, "rewriter.mul");
  EXPECT_EQ(trials[0].values, (std::vector<std::string>{"false"}));
}

TEST_F(Diagnosing, TheNearestNeighbourIsQuiet) {
  const auto found = nearest_quiet(subject(), sessions_, 200);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->script.find("bvmul"), std::string::npos) << found->script;
  EXPECT_NE(found->script, kScript);
  EXPECT_EQ(found->answer, "sat");
  const auto again = nearest_quiet(subject(), sessions_, 200);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->script, found->script);
}

TEST(Differences, AreWholeWords) {
  const Difference found = difference_of("(= (bvmul a b) c)", "(= (bvmod a b) c)");
  EXPECT_EQ(found.before, "bvmul");
  EXPECT_EQ(found.after, "bvmod");
  EXPECT_EQ(difference_of("(f x)", "(f x x)").after, "x x");
  EXPECT_EQ(difference_of("(f x)", "(f x)").size(), 0u);
}

TEST(Differences, LineByLine) {
  EXPECT_EQ(changed_lines("a\nb\nc\n", "a\nx\ny\nc\n", 9), "-b\n+x\n+y\n");
  EXPECT_EQ(changed_lines("a\n", "a\nb\nc\n", 1), "+b\n...\n");
}

TEST(Sections, ReplaceOlderOnes) {
  Diagnosis one;
  one.steps.kept = {"simplify"};
  const std::string once = with_section("# T\n\ntext\n", section(one, ""));
  EXPECT_EQ(once,
            "# T\n\ntext\n\n## Diagnosis\n\n"
            "The one step of its preprocessing that could be asked for, `simplify`, does nothing "
            "wrong.\n\n");
  Diagnosis more;
  more.steps.kept = {"simplify", "nnf"};
  const std::string twice = with_section(once, section(more, ""));
  EXPECT_EQ(twice.find("The one step"), std::string::npos);
  EXPECT_NE(twice.find("None of the 2 steps"), std::string::npos);
}

TEST(Sections, NothingIsNone) {
  EXPECT_EQ(section(Diagnosis(), ""), "");
  EXPECT_EQ(with_section("# T\n\ntext\n", ""), "# T\n\ntext\n");
  EXPECT_EQ(with_section("# T\n\ntext\n\n## Diagnosis\n\nold\n", ""), "# T\n\ntext\n");
}

TEST(Notes, FillTheFieldsOfABug) {
  Diagnosis diagnosis;
  diagnosis.switches.gone = {{"smt", "smt.relevancy=0", "sat"}};
  diagnosis.switches.stays = {{"rewriter", 3}};
  diagnosis.neighbour = Neighbour{"(assert (bvor a b))\n", "operator", "sat"};
  diagnosis.steps.culprit = "simplify";
  diagnosis.steps.what = "makes something of it";
  record::Bug bug;
  note(diagnosis, "(assert (bvmul a b))\n", bug);
  EXPECT_TRUE(bug.diagnosed);
  EXPECT_EQ(bug.gone_with, (std::vector<std::string>{"smt.relevancy=0"}));
  EXPECT_EQ(bug.options_tried, 4u);
  EXPECT_EQ(bug.quiet_edit, "bvor in place of bvmul");
  EXPECT_EQ(bug.arises, "simplify makes something of it");
}

}  // namespace
}  // namespace elenchus::diagnose
