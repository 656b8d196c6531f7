// Oracles on real processes: fake solvers that lie in a known way, and an honest one, about which
// they must be silent.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ir/timeline.h"
#include "lab/solver_lab.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/variants.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using oracle::Finding;
using oracle::Kind;

constexpr const char* kSatisfiable =
    "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n"
    "(assert (> x 0))\n(assert (< y x))\n(check-sat)\n";

std::string fake(const std::string& mode) {
  return std::string(ELENCHUS_SOURCE_DIR) + "/tests/fake_solvers/fake " + mode;
}

// A script, and the solvers that judge it.
class Court {
 public:
  Court(const std::string& text, const std::vector<std::string>& specs, bool fresh = false)
      : script_(smtlib::parse_script(store_, text).value()),
        lab_(store_, solvers_of(specs), fresh, {.seconds = 30}) {}

  std::vector<Finding> judge(std::string_view oracle, const oracle::Case* test = nullptr) {
    oracle::Exam exam(store_, test != nullptr ? *test : oracle::Case{.script = script_}, lab_);
    for (size_t i = 0; i < lab_.solvers().size(); ++i) exam.run(i);
    std::vector<Finding> findings;
    oracle::find_oracle(oracle)->judge(exam, findings);
    return findings;
  }

  std::optional<Finding> again(const Finding& finding) {
    return oracle::recheck(store_, lab_, {.script = script_}, finding);
  }
  bool shows_again(const Finding& finding) { return again(finding).has_value(); }

  ir::TermStore& store() { return store_; }
  const ir::Script& script() const { return script_; }

 private:
  static std::vector<solver::Solver> solvers_of(const std::vector<std::string>& specs) {
    std::vector<solver::Solver> solvers;
    for (const std::string& spec : specs) {
      solvers.push_back(solver::find_solver(solver::Profiles::standard(), spec).value());
    }
    return solvers;
  }

  ir::TermStore store_;
  ir::Script script_;
  lab::SolverLab lab_;
};

bool has_z3() { return solver::find_solver(solver::Profiles::standard(), "z3").has_value(); }

TEST(Oracles, AreSilentAboutAnHonestSolver) {
  Court court("(declare-const p Bool)\n(assert p)\n(check-sat)\n", {fake("honest")});
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    EXPECT_TRUE(court.judge(oracle->name()).empty()) << oracle->name();
  }
}

TEST(Oracles, SeeACrashWithItsPlace) {
  Court court(kSatisfiable, {fake("assertion")});
  const auto findings = court.judge("crash");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kCrash);
  EXPECT_NE(findings[0].evidence.find("fake.cpp"), std::string::npos) << findings[0].evidence;
  EXPECT_TRUE(court.shows_again(findings[0]));
}

TEST(Oracles, DoNotTakeAMissingTheoryForACrash) {
  // cvc4 1.8 of Debian has no floating point: it answers sat and dies when it is asked for a model.
  if (!solver::find_solver(solver::Profiles::standard(), "cvc4")) {
    GTEST_SKIP() << "cvc4 is not installed";
  }
  for (const bool fresh : {false, true}) {
    Court court("(set-logic ALL)\n(declare-fun a () (Array Int Float32))\n(check-sat)\n", {"cvc4"},
                fresh);
    EXPECT_TRUE(court.judge("crash").empty());
  }
}

TEST(Oracles, SeeAModelThatMakesAnAssertionFalse) {
  Court court(kSatisfiable, {fake("wrong-model")});
  const auto findings = court.judge("model");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kInvalidModel);
  EXPECT_NE(findings[0].evidence.find("(> x 0) is false"), std::string::npos);
  EXPECT_TRUE(court.shows_again(findings[0]));
}

TEST(Oracles, DoNotAccuseOfWhatTheModelLeavesOpen) {
  // The model says nothing of y, which could make the assertion true.
  Court court(
      "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(assert (< x y))\n"
      "(check-sat)\n",
      {fake("wrong-model")});
  EXPECT_TRUE(court.judge("model").empty());
}

TEST(Oracles, SeeASelfCheck) {
  Court court(kSatisfiable, {fake("invalid")});
  const auto findings = court.judge("self-check");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kSelfCheck);
}

TEST(Oracles, BlameAWrongUnsatByAModel) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  Court court(kSatisfiable, {fake("unsat"), "z3"});
  const auto findings = court.judge("difference");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kRefutationUnsound);
  EXPECT_EQ(findings[0].solver, 0U);
  EXPECT_EQ(findings[0].other, 1U);
  EXPECT_TRUE(findings[0].model.has_value());
  EXPECT_TRUE(court.shows_again(findings[0]));
}

TEST(Oracles, DoNotBlameARightUnsat) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  Court court("(declare-const x Int)\n(assert (> x 0))\n(assert (< x 0))\n(check-sat)\n",
              {fake("honest"), "z3"});
  for (const Finding& finding : court.judge("difference")) {
    EXPECT_EQ(finding.kind, Kind::kDisagreement);
  }
}

TEST(Oracles, PreferAProgramThatContradictsItself) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  const std::string planted = std::string(ELENCHUS_SOURCE_DIR) + "/tests/fake_solvers/planted.py";
  // Both are z3; the second one lies where the script says small.
  Court court(
      "(set-logic QF_LIA)\n(declare-const small Int)\n(assert (< small small))\n(check-sat)\n",
      {"z3", planted + " lie-sat nothing", planted + " lie-sat small"});
  const auto findings = court.judge("difference");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kInconsistentOptions);
  EXPECT_EQ(findings[0].solver, 1U);
  EXPECT_EQ(findings[0].other, 2U);
  EXPECT_NE(findings[0].evidence.find("z3 answers unsat, too"), std::string::npos);
  EXPECT_TRUE(court.shows_again(findings[0]));
}

TEST(Oracles, ADomainThatIsLeftIsNoProof) {
  const auto is_proof = [](std::string_view function) {
    const std::string script = fmt::format(
        "(set-logic ALL)(declare-const x Real)(declare-const p Bool)(assert (= x (- 2.0)))"
        "(assert (or p (> ({} x) 5.0)))(check-sat)",
        function);
    ir::TermStore store;
    const auto parsed = smtlib::parse_script(store, script).value();
    const auto checks = ir::checks_of(parsed);
    const auto model = smtlib::read_model(
        store, parsed, checks[0], "((define-fun x () Real (- 2.0)) (define-fun p () Bool true))");
    const auto verdict = oracle::check_model(store, parsed, checks[0], model.value());
    EXPECT_EQ(verdict.value().verdict, eval::Verdict::kValid);
    return oracle::is_proof(verdict.value());
  };
  // True whatever the square root of -2 is, and yet a solver that has none may say unsat.
  EXPECT_FALSE(is_proof("sqrt"));
  EXPECT_FALSE(is_proof("arccos"));
  EXPECT_TRUE(is_proof("sin"));
  EXPECT_TRUE(is_proof("abs"));
}

// z3 chooses what 0^0 is; cvc5 takes it for 1 and is as right.
TEST(Oracles, OneSolversChoiceOutsideADomainIsNoProof) {
  ir::TermStore store;
  const auto script =
      smtlib::parse_script(store,
                           "(set-logic ALL)(declare-const x Real)(declare-const y Real)"
                           "(assert (= y (^ x 0.0)))(assert (distinct y 1.0))(check-sat)")
          .value();
  const auto checks = ir::checks_of(script);
  const auto model = smtlib::read_model(store, script, checks[0],
                                        "((define-fun x () Real 0.0) (define-fun y () Real 2.0) "
                                        "(define-fun ^0 ((x!0 Real) (x!1 Real)) Real 2.0))");
  const auto verdict = oracle::check_model(store, script, checks[0], model.value());
  EXPECT_EQ(verdict.value().verdict, eval::Verdict::kValid);
  EXPECT_FALSE(oracle::is_proof(verdict.value()));
}

TEST(Oracles, KnowWhatALogicLacks) {
  const auto keeps = [](const std::string& text) {
    ir::TermStore store;
    const auto script = smtlib::parse_script(store, text).value();
    return oracle::keeps_to_logic(store, script, ir::checks_of(script)[0]);
  };
  const std::string foreign =
      "(declare-const x Float32)(declare-const r Real)"
      "(assert (= x ((_ to_fp 8 24) RNE r)))(check-sat)";
  EXPECT_FALSE(keeps("(set-logic QF_FP)" + foreign));
  EXPECT_TRUE(keeps("(set-logic QF_FPLRA)" + foreign));
  // Also where only the body of a definition has it.
  EXPECT_FALSE(
      keeps("(set-logic QF_FP)(declare-const x Float32)"
            "(define-fun f ((y Float32)) Float32 ((_ to_fp 8 24) RNE (* 2.0 (fp.to_real y))))"
            "(assert (= x (f x)))(check-sat)"));
  EXPECT_TRUE(keeps(foreign));
  EXPECT_TRUE(
      keeps("(set-logic QF_FP)(declare-const x Float32)"
            "(assert (= x ((_ to_fp 8 24) RNE 0.5)))(check-sat)"));
  EXPECT_TRUE(
      keeps("(set-logic QF_SLIA)(declare-const s String)"
            "(assert (> (str.len s) 3))(check-sat)"));
}

// f(x) = f(x) + 1 has no solution: a model of the rest proves nothing, an empty core is right.
TEST(Oracles, RecursionThatHasNoSolutionProvesNothing) {
  if (!has_z3() || !solver::find_solver(solver::Profiles::standard(), "cvc5").has_value()) {
    GTEST_SKIP() << "z3 or cvc5 is not here";
  }
  Court court(
      "(set-logic ALL)(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(declare-const y Int)"
      "(assert (> y 3))(check-sat)",
      {"z3", "cvc5"});
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    EXPECT_TRUE(court.judge(oracle->name()).empty()) << oracle->name();
  }
}

TEST(Oracles, HoldASolverToItsModel) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  // planted.py says unsat as soon as the problem has "x 1)" in it, as only the variant does.
  const std::string planted =
      std::string(ELENCHUS_SOURCE_DIR) + "/tests/fake_solvers/planted.py 'x 1)'";
  Court court(kSatisfiable, {planted, "z3"});
  const auto findings = court.judge("reassertion");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kRefutationUnsound);
  EXPECT_EQ(findings[0].solver, 0U);
  ASSERT_TRUE(findings[0].script.has_value());
}

TEST(Oracles, SeeWhatOnlyPushAndPopShow) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  const std::string planted =
      std::string(ELENCHUS_SOURCE_DIR) + "/tests/fake_solvers/planted.py '(push'";
  Court court(kSatisfiable, {planted});
  const auto findings = court.judge("pieces");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kRefutationUnsound);
}

TEST(Oracles, ShowBothScriptsWhereThePiecesSaySat) {
  Court court(kSatisfiable, {fake("whole-unsat")});
  const auto findings = court.judge("pieces");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kInconsistent);
  EXPECT_EQ(findings[0].check, 0U);
  ASSERT_TRUE(findings[0].script.has_value());
  const std::string script = smtlib::print_script(court.store(), *findings[0].script).value();
  EXPECT_NE(script.find("(push"), std::string::npos) << script;
  EXPECT_NE(findings[0].claim.find("in one piece"), std::string::npos) << findings[0].claim;
  // As it is read back from the disk, with the model of the sat.
  Finding stored = findings[0];
  stored.script.reset();
  stored.model = ir::Model();
  const auto again = court.again(stored);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->kind, Kind::kInconsistent);
  EXPECT_TRUE(again->script.has_value());
}

TEST(Oracles, BelieveNoWitnessThatDoesNotHold) {
  Court court(kSatisfiable, {fake("unsat")});
  const ir::Model nothing;  // x and y may be anything: not a proof that (> x 0) holds
  const std::vector<ir::Truth> expected = {ir::Truth::kSat};
  const oracle::Case test{.script = court.script(), .expected = expected, .witness = &nothing};
  for (const Finding& finding : court.judge("construction", &test)) {
    EXPECT_NE(finding.kind, Kind::kRefutationUnsound);
  }
}

TEST(Oracles, BelieveNoConstructionThatAModelRefutes) {
  if (!has_z3()) GTEST_SKIP() << "z3 is not installed";
  Court court(kSatisfiable, {"z3"});
  const std::vector<ir::Truth> expected = {ir::Truth::kUnsat};
  const oracle::Case test{
      .script = court.script(), .expected = expected, .construction = "x is forced to 0"};
  EXPECT_TRUE(court.judge("construction", &test).empty());
}

TEST(Oracles, TakeAConstructionAtItsWord) {
  Court court(kSatisfiable, {fake("wrong-model")});
  const std::vector<ir::Truth> expected = {ir::Truth::kUnsat};
  const oracle::Case test{
      .script = court.script(), .expected = expected, .construction = "x is forced to 0"};
  const auto findings = court.judge("construction", &test);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::kSolutionUnsound);
  EXPECT_EQ(findings[0].evidence, "x is forced to 0");
}

// What is left of a construction is taken for unsat where others say so: one, if the model is false
// too, else two. Nobody's word counts against a model that holds.
TEST(Oracles, HoldAWrongSatToOtherSolvers) {
  const auto profiles = [](const char* name) {
    return solver::find_solver(solver::Profiles::standard(), name).has_value();
  };
  if (!profiles("z3") || !profiles("cvc5")) GTEST_SKIP() << "z3 and cvc5 are needed";
  const std::string unsat =
      "(declare-const x Int)\n(assert (> x 0))\n(assert (< x 1))\n(check-sat)\n";
  Finding finding;
  finding.kind = Kind::kSolutionUnsound;
  finding.oracle = "construction";
  // The model of one makes x 0, which is false; the other has none.
  EXPECT_TRUE(Court(unsat, {fake("wrong-model"), "cvc5"}).shows_again(finding));
  EXPECT_FALSE(Court(unsat, {fake("wrong-model")}).shows_again(finding));
  EXPECT_FALSE(Court(unsat, {fake("honest"), "cvc5"}).shows_again(finding));
  EXPECT_FALSE(Court(unsat, {fake("honest"), "cvc5", "cvc5"}).shows_again(finding));
  const std::string sat = "(declare-const x Int)\n(assert (< x 1))\n(check-sat)\n";
  EXPECT_FALSE(Court(sat, {fake("wrong-model"), "cvc5"}).shows_again(finding));
}

// A witness follows a script that became smaller.
TEST(Oracles, AdaptAWitness) {
  Court court(
      "(declare-const x Int)\n(declare-const y Int)\n(assert (= x (+ y 40)))\n(check-sat)\n",
      {fake("unsat")});
  Finding finding;
  finding.kind = Kind::kRefutationUnsound;
  finding.oracle = "construction";
  finding.model.emplace();
  EXPECT_TRUE(court.shows_again(finding));
  Court other("(declare-const x Int)\n(assert (= x (+ x 40)))\n(check-sat)\n", {fake("unsat")});
  EXPECT_FALSE(other.shows_again(finding));
}

// --- Variants of a script. ---

class Variants : public testing::Test {
 protected:
  std::string flat(const std::string& text) {
    const auto script = smtlib::parse_script(store_, text).value();
    const auto result = oracle::flattened(store_, script, ir::checks_of(script).back());
    return result ? smtlib::print_script(store_, *result).value() : "none";
  }
  ir::TermStore store_;
};

TEST_F(Variants, FlatScriptsKeepWhatIsInForce) {
  EXPECT_EQ(
      flat("(set-logic QF_UF)(declare-const p Bool)(push 1)(declare-const q Bool)(assert q)"
           "(check-sat)(pop 1)(assert p)(push 1)(assert (not p))(check-sat)"),
      "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n");
}

TEST_F(Variants, AssumptionsBecomeAssertions) {
  EXPECT_EQ(
      flat("(set-logic QF_UF)(declare-const p Bool)(check-sat-assuming (p (not p)))"),
      "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n");
}

TEST_F(Variants, GlobalDeclarationsAreLeftAlone) {
  EXPECT_EQ(flat("(set-option :global-declarations true)(set-logic QF_UF)(push 1)"
                 "(declare-const p Bool)(pop 1)(assert p)(check-sat)"),
            "none");
}

TEST_F(Variants, PiecesAskTheSame) {
  const auto script = smtlib::parse_script(store_,
                                           "(set-logic QF_UF)(declare-const p Bool)(assert p)"
                                           "(declare-const q Bool)(assert q)(check-sat)")
                          .value();
  const auto pieces = oracle::in_pieces(script);
  ASSERT_TRUE(pieces.has_value());
  EXPECT_EQ(smtlib::print_script(store_, *pieces).value(),
            "(set-logic QF_UF)\n(declare-const p Bool)\n(declare-const q Bool)\n(assert p)\n"
            "(push 1)\n(assert q)\n(check-sat)\n(pop 1)\n(check-sat)\n");
}

}  // namespace
}  // namespace elenchus
