// Mutants of unsatisfiable seeds: what counts as a core, and that it stays whatever comes beside
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "campaign/seed_facts.h"
#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "mutate/flat.h"
#include "mutate/registry.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace elenchus {
namespace {

using ir::Truth;
using mutate::Mutant;

// The first and the last claim contradict each other; the second is satisfiable on its own.
constexpr std::string_view kScripts[] = {
    R"((set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (> x 3))(assert (= y (+ x 1)))(assert (< x 2))(check-sat))",
    R"((set-logic QF_BV)(declare-fun a () (_ BitVec 8))(declare-fun b () (_ BitVec 8))
(assert (bvult a #x10))(assert (bvugt b (bvadd a #x01)))(assert (= ((_ extract 7 7) a) #b1))
(check-sat))",
    R"((set-logic ALL)(declare-fun s () String)(declare-fun t () String)
(assert (= (str.len s) 2))(assert (str.prefixof t (str.++ s "a")))(assert (= s "abc"))
(check-sat))",
    R"((set-logic LIA)(declare-fun x () Int)(declare-fun p () Bool)
(assert (forall ((y Int)) (>= x y)))(assert (or p (exists ((z Int)) (= z x))))
(assert (not (= x (+ x 1))))(check-sat))",
};

std::vector<solver::Solver> solvers_named(std::initializer_list<std::string_view> names) {
  std::vector<solver::Solver> solvers;
  for (const std::string_view name : names) {
    auto found = solver::find_solver(solver::Profiles::standard(), name);
    if (found) solvers.push_back(std::move(*found));
  }
  return solvers;
}

// A seed with the claims at these places as its core.
class UnsatSeed {
 public:
  UnsatSeed(std::string_view text, std::initializer_list<size_t> core) {
    script_ = smtlib::parse_script(store_, text).value();
    flat_ = std::get<mutate::Flat>(mutate::flatten(store_, script_));
    for (const size_t i : core) core_.push_back(flat_.claims[i]);
  }

  ir::TermStore& store() { return store_; }
  const std::vector<ir::TermId>& core() const { return core_; }

  std::vector<Mutant> make(std::string_view engine_name, uint32_t count, uint64_t number = 1) {
    const auto engine = mutate::make_engine(engine_name);
    const mutate::Seed seed{
        .script = script_, .models = {}, .status = Truth::kUnsat, .core = core_};
    const auto series = series_in(engine->start(store_, seed));
    EXPECT_NE(series, nullptr);
    base::Rng rng(number);
    std::vector<Mutant> mutants;
    for (uint32_t i = 0; series != nullptr && i < 20 * count && mutants.size() < count; ++i) {
      auto attempt = series->next(rng);
      if (auto* mutant = std::get_if<Mutant>(&attempt)) mutants.push_back(std::move(*mutant));
    }
    EXPECT_EQ(mutants.size(), count);
    return mutants;
  }

 private:
  ir::TermStore store_;
  ir::Script script_;
  mutate::Flat flat_;
  std::vector<ir::TermId> core_;
};

// The claim itself, or one of the ways in which it is said differently.
bool implies(const ir::TermStore& store, ir::TermId asserted, ir::TermId claim) {
  if (asserted == claim) return true;
  const auto args = store.args(asserted);
  const auto has = [&](std::span<const ir::TermId> terms, ir::TermId term) {
    return std::find(terms.begin(), terms.end(), term) != terms.end();
  };
  if (store.op(asserted) == ir::Op::kAnd) return has(args, claim);
  if (store.op(asserted) != ir::Op::kNot) return false;
  const auto inner = store.args(args[0]);
  if (store.op(args[0]) == ir::Op::kImplies) return inner[0] == claim;
  if (store.op(args[0]) != ir::Op::kOr) return false;
  return std::any_of(inner.begin(), inner.end(), [&](ir::TermId part) {
    return store.op(part) == ir::Op::kNot && store.args(part)[0] == claim;
  });
}

bool asserts(const ir::TermStore& store, const ir::Script& script, ir::TermId claim) {
  return std::any_of(script.commands.begin(), script.commands.end(), [&](const auto& command) {
    return command.kind == ir::CommandKind::kAssert && implies(store, command.term, claim);
  });
}

TEST(AroundCoreTest, TheCoreStaysAndTheRestChanges) {
  for (const std::string_view text : kScripts) {
    SCOPED_TRACE(text);
    UnsatSeed seed(text, {0, 2});
    std::set<std::string> texts;
    for (const Mutant& mutant : seed.make("diver", 60)) {
      EXPECT_EQ(mutant.expected, std::vector{Truth::kUnsat});
      EXPECT_FALSE(mutant.construction.empty());
      for (const ir::TermId claim : seed.core()) {
        EXPECT_TRUE(asserts(seed.store(), mutant.script, claim));
      }
      const std::string printed = smtlib::print_script(seed.store(), mutant.script).value();
      ir::TermStore fresh;
      const auto again = smtlib::parse_script(fresh, printed);
      EXPECT_TRUE(again.has_value()) << base::describe(again.error(), "mutant") << printed;
      texts.insert(printed);
    }
    EXPECT_GT(texts.size(), 50U);
  }
}

TEST(AroundCoreTest, StormMakesInstancesOfBothKinds) {
  UnsatSeed seed(kScripts[0], {0, 2});
  std::set<Truth> expectations;
  for (const Mutant& mutant : seed.make("storm", 60)) expectations.insert(mutant.expected.back());
  EXPECT_EQ(expectations, (std::set{Truth::kSat, Truth::kUnsat}));
}

TEST(AroundCoreTest, NoSolverFindsAModel) {
  const auto solvers = solvers_named({"z3", "cvc5"});
  if (solvers.empty()) GTEST_SKIP() << "neither z3 nor cvc5 is installed";
  for (const solver::Solver& solver : solvers) {
    solver::Runner runner(solver, false);
    for (const std::string_view text : kScripts) {
      // The first claim of the last script is a contradiction by itself.
      UnsatSeed seed(text, {0, 2});
      smtlib::ScriptPrinter printer(seed.store());
      for (const std::string_view engine : {"diver", "diver+incremental"}) {
        for (const Mutant& mutant : seed.make(engine, 20, 5)) {
          const auto query = solver::make_query(printer, seed.store(), mutant.script);
          ASSERT_TRUE(query.has_value());
          const solver::Run run = runner.run(*query, {.seconds = 1});
          for (size_t i = 0; i < run.checks.size(); ++i) {
            EXPECT_FALSE(mutant.expected[i] == Truth::kUnsat &&
                         run.checks[i].outcome == solver::Outcome::kSat)
                << solver.name << " answers sat:\n"
                << query->text;
          }
        }
      }
    }
  }
}

TEST(AroundCoreTest, ACoreIsWhatTwoSolversAgreeOn) {
  const auto solvers = solvers_named({"z3", "cvc5"});
  if (solvers.size() < 2) GTEST_SKIP() << "z3 and cvc5 are not both installed";
  for (const std::string_view text : {kScripts[0], kScripts[1], kScripts[2]}) {
    SCOPED_TRACE(text);
    ir::TermStore store;
    const auto script = smtlib::parse_script(store, text).value();
    const auto flat = std::get<mutate::Flat>(mutate::flatten(store, script));
    base::Rng rng(1);
    lab::SolverLab both(store, solvers, false, {.seconds = 30});
    const auto facts = campaign::ask_about(store, both, script, 1, rng);
    EXPECT_EQ(facts.status, Truth::kUnsat);
    EXPECT_EQ(facts.core, (std::vector{flat.claims[0], flat.claims[2]}));
    lab::SolverLab one(store, std::span(solvers).first(1), false, {.seconds = 30});
    const auto less = campaign::ask_about(store, one, script, 1, rng);
    EXPECT_EQ(less.status, Truth::kUnknown);
    EXPECT_TRUE(less.core.empty());
  }
}

}  // namespace
}  // namespace elenchus
