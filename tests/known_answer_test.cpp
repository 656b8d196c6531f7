// Engines whose tests have a known answer: every witness is evaluated, every claim of unsat is put
// to real solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/term_store.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "mutate/registry.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/solver.h"
#include "witness.h"

namespace elenchus {
namespace {

using mutate::Mutant;
using mutate::Truth;

struct Known {
  std::string_view name;
  std::string_view script;
  std::string_view model;
};

constexpr Known kSeeds[] = {
    {"integers", R"((set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (or (< x y) (= x 7)))(assert (>= (+ x (* 3 y)) 4))(assert (not (= y (- x 2))))(check-sat))",
     // With a function of the solver's own.
     "((define-fun fold-rec-0 () Int 3) (define-fun x () Int 1) (define-fun y () Int 5))"},
    {"reals", R"((set-logic QF_LRA)(declare-fun x () Real)(declare-fun y () Real)
(assert (<= 0.0 y))(assert (= x (+ 2.0 y)))(check-sat))",
     "((define-fun x () Real 3.0) (define-fun y () Real 1.0))"},
    {"strings", R"((set-logic QF_SLIA)(declare-fun t () String)
(assert (str.prefixof "-" (str.substr t 0 1)))(assert (> (str.len (str.substr t 0 2)) 1))
(assert (not (= (- 1) (str.to_int (str.substr t 1 1)))))(assert (>= (+ 0 2) (str.len t)))
(check-sat))",
     "((define-fun t () String \"-0\"))"},
    {"bits", R"((set-logic QF_BV)(declare-fun a () (_ BitVec 8))(declare-fun b () (_ BitVec 8))
(assert (bvult a (bvadd b #x01)))(assert (= ((_ extract 3 0) a) #xf))
(assert (not (= (bvand a b) #x00)))(check-sat))",
     "((define-fun a () (_ BitVec 8) #x0f) (define-fun b () (_ BitVec 8) #x7f))"},
    {"floats", R"((set-logic QF_FP)(declare-fun a () (_ FloatingPoint 5 11))
(declare-fun b () (_ FloatingPoint 5 11))(assert (fp.lt a b))(assert (not (fp.isZero a)))
(assert (fp.leq (fp.add RNE a b) b))(check-sat))",
     "((define-fun a () (_ FloatingPoint 5 11) (fp #b1 #b01111 #b0000000000))"
     " (define-fun b () (_ FloatingPoint 5 11) (fp #b0 #b01111 #b0000000000)))"},
    {"arrays and functions", R"((set-logic QF_AUFLIA)(declare-fun a () (Array Int Int))
(declare-fun i () Int)(declare-fun f (Int) Int)
(assert (= (select a i) (f 3)))(assert (> (f (select a 0)) i))(check-sat))",
     "((define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 2) 1 5))"
     " (define-fun i () Int 1) (define-fun f ((x Int)) Int (ite (= x 3) 5 9)))"},
    {"uninterpreted sorts", R"((set-logic QF_UF)(declare-sort U 0)(declare-fun a () U)
(declare-fun b () U)(declare-fun g (U) U)(declare-fun p (U U) Bool)
(assert (not (= a b)))(assert (= (g a) b))(assert (or (p a b) (p (g b) a)))(check-sat))",
     "((declare-fun u0 () U) (declare-fun u1 () U) (define-fun a () U u0) (define-fun b () U u1)"
     " (define-fun g ((x U)) U u1) (define-fun p ((x U) (y U)) Bool (= x u0)))"},
    {"datatypes", R"((set-logic QF_DT)
(declare-datatypes ((L 0)) (((nil) (cons (head Bool) (tail L)))))
(declare-fun l () L)(declare-fun k () L)
(assert ((_ is cons) l))(assert (= (tail l) k))(assert (or (head l) (= k nil)))(check-sat))",
     "((define-fun l () L (cons true nil)) (define-fun k () L nil))"},
    {"definitions and levels", R"((set-logic QF_LIA)(declare-fun x () Int)
(define-fun twice ((n Int)) Int (+ n n))(push 1)(assert (< x 0))(pop 1)(push 1)
(assert (! (= (twice x) 8) :named eight))(assert (< 0 x))(check-sat))",
     "((define-fun x () Int 4))"},
    // The model holds at the first two checks and not at the third.
    {"several checks", R"((set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (< x y))(check-sat)(push 1)(assert (or (> x 2) (= y 7)))(check-sat)
(push 1)(assert (> x 100))(check-sat)(pop 2)(assert (> (+ x y) 5))(check-sat-assuming ((> y 3))))",
     "((define-fun x () Int 3) (define-fun y () Int 4))"},
};

// A seed, and the mutants that an engine makes of it.
class Mill {
 public:
  Mill(const Known& known, std::string_view engine) : engine_(mutate::make_engine(engine)) {
    script_ = smtlib::parse_script(store_, known.script).value();
    const auto checks = ir::checks_of(script_);
    models_.push_back(smtlib::read_model(store_, script_, checks.back(), known.model).value());
  }

  ir::TermStore& store() { return store_; }

  std::vector<Mutant> make(uint32_t count, uint64_t seed = 1) {
    base::Rng rng(seed);
    std::vector<Mutant> mutants;
    const auto series = series_in(engine_->start(store_, {script_, models_, Truth::kSat}));
    EXPECT_NE(series, nullptr);
    for (uint32_t i = 0; series != nullptr && i < 20 * count && mutants.size() < count; ++i) {
      auto attempt = series->next(rng);
      if (auto* mutant = std::get_if<Mutant>(&attempt)) mutants.push_back(std::move(*mutant));
    }
    return mutants;
  }

 private:
  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  ir::Script script_;
  std::vector<ir::Model> models_;
};

class KnownAnswerTest : public testing::TestWithParam<std::string_view> {};

TEST_P(KnownAnswerTest, WitnessesHold) {
  for (const Known& known : kSeeds) {
    SCOPED_TRACE(known.name);
    Mill mill(known, GetParam());
    uint32_t witnesses = 0;
    for (const Mutant& mutant : mill.make(120)) {
      ASSERT_FALSE(mutant.expected.empty());
      if (mutant.expected.back() != Truth::kSat) {
        EXPECT_EQ(mutant.expected.back(), Truth::kUnsat);
        EXPECT_FALSE(mutant.construction.empty());
        continue;
      }
      ASSERT_NE(mutant.witness, nullptr);
      ++witnesses;
      expect_witness_holds(mill.store(), mutant);
      if (HasFailure()) return;
    }
    EXPECT_GT(witnesses, 0U) << "nothing was shown";
  }
}

TEST_P(KnownAnswerTest, MutantsDiffer) {
  for (const Known& known : kSeeds) {
    SCOPED_TRACE(known.name);
    Mill mill(known, GetParam());
    std::vector<std::string> texts;
    for (const Mutant& mutant : mill.make(50)) {
      texts.push_back(smtlib::print_script(mill.store(), mutant.script).value());
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    EXPECT_GT(texts.size(), 35U);
  }
}

TEST_P(KnownAnswerTest, TheSameNumberGivesTheSameMutants) {
  const Known& known = kSeeds[0];
  std::string first;
  for (int round = 0; round < 2; ++round) {
    Mill mill(known, GetParam());
    std::string all;
    for (const Mutant& mutant : mill.make(40, 9)) {
      all += smtlib::print_script(mill.store(), mutant.script).value();
    }
    if (round == 0) first = all;
    EXPECT_EQ(all, first);
  }
}

TEST_P(KnownAnswerTest, NoSolverRefutesWhatWasConstructed) {
  const solver::Profiles& profiles = solver::Profiles::standard();
  uint32_t asked = 0;
  for (const std::string_view name : {"z3", "cvc5"}) {
    const auto found = solver::find_solver(profiles, name);
    if (!found) continue;
    solver::Runner runner(*found, false);
    for (const Known& known : kSeeds) {
      Mill mill(known, GetParam());
      smtlib::ScriptPrinter printer(mill.store());
      for (const Mutant& mutant : mill.make(25, 3)) {
        const auto query = solver::make_query(printer, mill.store(), mutant.script);
        ASSERT_TRUE(query.has_value());
        const solver::Run run = runner.run(*query, {.seconds = 1});
        ++asked;
        expect_not_refuted(name, run, mill.store(), mutant);
      }
    }
  }
  if (asked == 0) GTEST_SKIP() << "neither z3 nor cvc5 is installed";
}

INSTANTIATE_TEST_SUITE_P(Engines, KnownAnswerTest,
                         testing::Values("storm", "diver", "storm+incremental",
                                         "diver+incremental"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

// Instances under smaller bounds that a condition still wants.
TEST(StormTest, MinimisesByItsBounds) {
  const auto has_less_than = [](const ir::TermStore& store, const Mutant& mutant) {
    const auto& commands = mutant.script.commands;
    return std::any_of(commands.begin(), commands.end(), [&](const ir::Command& command) {
      return command.kind == ir::CommandKind::kAssert &&
             ir::Walker(store).find(command.term,
                                    [&](ir::TermId term) { return store.op(term) == ir::Op::kLt; });
    });
  };
  Mill mill(kSeeds[0], "storm");
  const auto engine = mutate::make_engine("storm");
  const auto mutants = mill.make(40);
  const auto large = std::find_if(mutants.begin(), mutants.end(), [&](const Mutant& mutant) {
    return mutant.witness != nullptr && has_less_than(mill.store(), mutant) &&
           mutant.script.commands.size() > 15;
  });
  ASSERT_NE(large, mutants.end());
  base::Rng rng(4);
  const auto smaller = engine->smaller(
      mill.store(), *large, [&](const Mutant& m) { return has_less_than(mill.store(), m); }, rng);
  ASSERT_TRUE(smaller.has_value());
  EXPECT_TRUE(has_less_than(mill.store(), *smaller));
  EXPECT_LT(smaller->script.commands.size(), large->script.commands.size());
  expect_witness_holds(mill.store(), *smaller);
  const auto none = engine->smaller(
      mill.store(), *large, [](const Mutant&) { return false; }, rng);
  EXPECT_FALSE(none.has_value());
}

// What only the mirror makes.
TEST(DiverTest, SomeMutantsAreUnsatByConstruction) {
  for (const Known& known : kSeeds) {
    Mill mill(known, "diver");
    uint32_t unsat = 0;
    for (const Mutant& mutant : mill.make(120)) {
      unsat += mutant.expected.back() == Truth::kUnsat ? 1 : 0;
    }
    EXPECT_GT(unsat, 0U) << known.name;
  }
}

}  // namespace
}  // namespace elenchus
