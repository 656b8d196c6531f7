// Formulas that force the values of a model: true under it, and under no other one that matters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/check.h"
#include "eval/evaluator.h"
#include "ir/apply.h"
#include "ir/walk.h"
#include "mutate/forcing.h"
#include "mutate/registry.h"
#include "random_values.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace elenchus {
namespace {

using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::TermId;
using mutate::Forcing;

struct SeedText {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<SeedText, 10> kSeeds = {{
    {"core",
     "(declare-const p Bool)(declare-const q Bool)(declare-fun f (Bool Bool) Bool)"
     "(assert (or p (and q (not (f p q)))))(assert (=> p (xor q (f q q))))"},
    {"ints",
     "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-fun f (Int) Int)"
     "(assert (> (+ x (* 2 y)) z))(assert (= (div x 3) (mod (f y) 5)))(assert (<= (abs z) 10))"},
    {"reals",
     "(declare-const x Real)(declare-const y Real)(declare-fun g (Real Int) Real)"
     "(assert (> (+ x (* 2.0 y)) 1.5))(assert (< (g x 3) (/ y 4.0)))"},
    {"bits",
     "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 33))"
     "(declare-fun h ((_ BitVec 8)) (_ BitVec 8))"
     "(assert (bvult (bvadd a b) (h (bvmul a #x03))))(assert (= ((_ extract 8 1) c) (bvudiv a "
     "b)))"},
    {"strings",
     "(declare-const s String)(declare-const t String)(declare-const n Int)"
     "(assert (= (str.++ s t) (str.replace t \"a\" s)))(assert (> (str.len s) (+ n 1)))"
     "(assert (str.in_re t (re.* (str.to_re \"ab\"))))(assert (str.contains (str.at s n) t))"},
    {"floats",
     "(declare-const a (_ FloatingPoint 5 11))(declare-const b (_ FloatingPoint 5 11))"
     "(declare-const m RoundingMode)"
     "(assert (fp.lt a (fp.add m b a)))(assert (= (fp.mul RNE a b) (fp.neg b)))"
     "(assert (fp.isNormal b))"},
    {"arrays",
     "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)"
     "(declare-const c (Array (_ BitVec 4) Bool))"
     "(assert (= (select a i) (select b (+ i 1))))(assert (= a (store b 1 2)))"
     "(assert (select c #x3))(assert (> (select a 2) i))"},
    {"datatypes",
     "(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))"
     "(declare-datatypes ((Opt 1)) ((par (T) ((none) (some (it T))))))"
     "(declare-const l Lst)(declare-const k Lst)(declare-const o (Opt Bool))"
     "(assert (= (tail l) (cons 1 k)))(assert ((_ is cons) l))(assert (= o (some ((_ is nil) k))))"
     "(assert (> (head l) (head k)))"},
    {"uninterpreted",
     "(declare-sort U 0)(declare-const u U)(declare-const v U)(declare-const w U)"
     "(declare-fun f (U) U)(declare-fun r (U U) Bool)(declare-fun n (U) Int)"
     "(assert (= (f u) v))(assert (distinct u v (f (f w))))(assert (r u (f v)))"
     "(assert (> (n (f u)) (n w)))"},
    {"mixed",
     "(declare-sort U 0)(declare-const u U)(declare-const x Int)(declare-const s String)"
     "(declare-fun f (U Int String) Real)(declare-fun g (Real) U)(declare-const p Bool)"
     "(assert (= (g (f u x s)) u))(assert (ite p (> (f u 3 \"a\") 0.5) (= (str.len s) x)))"},
}};

std::vector<const ir::Model*> pointers_to(const std::vector<ir::Model>& models) {
  std::vector<const ir::Model*> pointers;
  for (const ir::Model& model : models) pointers.push_back(&model);
  return pointers;
}

// Scripts, models drawn at random, and formulas that are false under them.
class ForcingCase {
 public:
  ForcingCase(std::string_view text, uint64_t seed) : rng_(seed), values_(store_, rng_) {
    seed_ = smtlib::parse_script(store_, std::string(text) + "(check-sat)").value();
  }

  ir::TermStore& store() { return store_; }
  base::Rng& rng() { return rng_; }
  const ir::Script& seed() const { return seed_; }

  std::vector<FunId> declared() const {
    std::vector<FunId> funs;
    for (const ir::Command& command : seed_.commands) {
      if (command.kind == CommandKind::kDeclareFun || command.kind == CommandKind::kDeclareConst) {
        funs.push_back(FunId{seed_.items(command)[0]});
      }
    }
    return funs;
  }

  ir::Model random_model() {
    ir::Model model;
    for (const FunId fun : declared()) {
      // In a statement of its own: it may bring the universe.
      ir::Definition definition = random_definition(fun);
      model.functions.push_back({fun, std::move(definition)});
    }
    for (const auto& [sort, elements] : universes_) {
      model.universes.push_back({SortId{sort}, elements, false});
    }
    return model;
  }

  ir::Definition random_definition(FunId fun) {
    ir::Definition definition;
    const SortId result = store_.fun(fun).result;
    definition.body = value(result);
    const auto view = store_.params(fun);
    const std::vector<SortId> params(view.begin(), view.end());
    for (size_t i = 0; i < params.size(); ++i) {
      const ir::SymbolId name = store_.symbols().intern(fmt::format("arg{}", i));
      definition.formals.push_back(store_.variable(name, params[i], 0));
    }
    for (int cases = params.empty() ? 0 : 3; cases > 0; --cases) {
      TermId condition = values_.boolean(true);
      for (const TermId formal : definition.formals) {
        const TermId key = value(store_.sort(formal));
        const TermId equal = values_.apply(Op::kEq, {formal, key});
        condition = values_.apply(Op::kAnd, {condition, equal});
      }
      const TermId then = value(result);
      definition.body = values_.apply(Op::kIte, {condition, then, definition.body});
    }
    return definition;
  }

  // Of the seed and of mutants of it, each negated where it is true under the model.
  std::vector<TermId> false_formulas(const ir::Model& model, uint32_t mutants) {
    std::vector<TermId> formulas;
    mutate::EngineSettings settings;
    settings.set_solvers(ir::kZ3Reader | ir::kCvc5Reader);
    const auto engine = mutate::make_engine("typefuzz", settings);
    const auto series = series_in(engine->start(store_, {seed_, {}, mutate::Truth::kUnknown}));
    ir::Script script = seed_;
    for (uint32_t i = 0; i <= mutants; ++i) {
      for (const ir::Command& command : script.commands) {
        if (command.kind != CommandKind::kAssert) continue;
        const TermId formula = false_version(model, command.term);
        const bool is_new = std::find(formulas.begin(), formulas.end(), formula) == formulas.end();
        if (formula.valid() && is_new) formulas.push_back(formula);
      }
      auto attempt = series->next(rng_);
      if (auto* mutant = std::get_if<mutate::Mutant>(&attempt)) script = std::move(mutant->script);
    }
    return formulas;
  }

 private:
  TermId value(SortId sort) {
    if (store_.sorts().kind(sort) != ir::SortKind::kUninterpreted) return values_.value(sort);
    auto& elements = universes_[sort.value];
    while (elements.size() < 3) {
      const auto name = store_.symbols().intern(fmt::format("U!val!{}", elements.size()));
      elements.push_back(store_.declare(name, ir::FunKind::kDeclared, {}, sort));
    }
    return store_.fun(elements[rng_.below(elements.size())]).constant;
  }

  TermId false_version(const ir::Model& model, TermId term) {
    eval::Evaluator evaluator(store_, model);
    const eval::Value value = evaluator.evaluate(term);
    if (value.is_true()) return values_.apply(Op::kNot, {term});
    return value.is_false() ? term : TermId{};
  }

  ir::TermStore store_;
  base::Rng rng_;
  RandomValues values_;
  ir::Script seed_;
  std::map<uint32_t, std::vector<FunId>> universes_;
};

ir::Model extended(ir::Model model, const Forcing& forcing) {
  model.functions.insert(model.functions.end(), forcing.definitions.begin(),
                         forcing.definitions.end());
  return model;
}

std::string shown(const ir::TermStore& store, const Forcing& forcing) {
  std::string text;
  for (const TermId formula : forcing.formulas) {
    text += smtlib::print_term(store, formula).value() + "\n";
  }
  return text;
}

// How the forcing formulas fare under a model: whether all are true, and whether one is false.
struct Fate {
  bool all_true = true;
  bool one_false = false;
};

Fate fate_of(const ir::TermStore& store, const ir::Model& model, const Forcing& forcing) {
  const ir::Model whole = extended(model, forcing);
  eval::Evaluator evaluator(store, whole);
  Fate fate;
  for (const TermId formula : forcing.formulas) {
    const eval::Value value = evaluator.evaluate(formula);
    fate.all_true &= value.is_true();
    fate.one_false |= value.is_false();
  }
  return fate;
}

bool occurs(const ir::TermStore& store, FunId fun, TermId term) {
  ir::Walker walker(store);
  return walker.find(
      term, [&](TermId part) { return store.op(part) == Op::kCall && store.callee(part) == fun; });
}

bool is_false(const ir::TermStore& store, const ir::Model& model, TermId term) {
  eval::Evaluator evaluator(store, model);
  return evaluator.evaluate(term).is_false();
}

// No other model keeps the forcing formulas true and makes the formula anything but false. A
// constant cannot change at all, unless it is an array that is only read.
void expect_forced(ForcingCase& given, const ir::Model& model, TermId formula,
                   const Forcing& forcing) {
  ir::TermStore& store = given.store();
  for (size_t i = 0; i < model.functions.size(); ++i) {
    const FunId fun = model.functions[i].fun;
    if (!occurs(store, fun, formula)) continue;
    ir::Model other = model;
    other.functions[i].definition = given.random_definition(fun);
    const bool is_constant = store.fun(fun).param_count == 0;
    const TermId call = store.fun(fun).constant;
    if (is_constant) {
      const std::array<TermId, 2> values = {model.functions[i].definition.body,
                                            other.functions[i].definition.body};
      if (!is_false(store, model, ir::apply(store, Op::kEq, values))) continue;
    }
    const Fate fate = fate_of(store, other, forcing);
    const bool is_array = store.sorts().kind(store.fun(fun).result) == ir::SortKind::kArray;
    if (is_constant && !is_array) {
      EXPECT_TRUE(fate.one_false) << smtlib::print_term(store, call).value() << "\n"
                                  << shown(store, forcing);
    }
    EXPECT_TRUE(!fate.all_true || is_false(store, other, formula)) << shown(store, forcing);
  }
}

TEST(ForcingTest, LeavesOneModelOnly) {
  for (const SeedText& seed : kSeeds) {
    size_t forced = 0;
    size_t refused = 0;
    for (uint64_t number = 0; number < 8; ++number) {
      ForcingCase given(seed.text, number);
      const ir::Model model = given.random_model();
      for (const TermId formula : given.false_formulas(model, 10)) {
        const std::array<TermId, 1> terms = {formula};
        const auto forcing = mutate::force(given.store(), model, terms, given.rng());
        if (!forcing) {
          ++refused;
          continue;
        }
        ++forced;
        EXPECT_EQ(forcing->constants.size(), forcing->definitions.size());
        EXPECT_TRUE(fate_of(given.store(), model, *forcing).all_true)
            << seed.name << "\n"
            << shown(given.store(), *forcing);
        expect_forced(given, model, formula, *forcing);
      }
    }
    EXPECT_GT(forced, refused) << seed.name;
  }
}

TEST(ForcingTest, TheSameNumberGivesTheSameFormulas) {
  for (const SeedText& seed : kSeeds) {
    std::vector<std::string> texts;
    for (int run = 0; run < 2; ++run) {
      ForcingCase given(seed.text, 7);
      const ir::Model model = given.random_model();
      std::string text;
      for (const TermId formula : given.false_formulas(model, 5)) {
        const std::array<TermId, 1> terms = {formula};
        const auto forcing = mutate::force(given.store(), model, terms, given.rng());
        if (forcing) text += shown(given.store(), *forcing);
      }
      texts.push_back(text);
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_FALSE(texts[0].empty());
  }
}

TEST(ForcingTest, OneOfSeveralModelsIsTrueUnderEach) {
  for (const SeedText& seed : kSeeds) {
    ForcingCase given(seed.text, 5);
    const std::vector<ir::Model> models = {given.random_model(), given.random_model(),
                                           given.random_model()};
    size_t forced = 0;
    for (const TermId formula : given.false_formulas(models[0], 10)) {
      const std::array<TermId, 1> terms = {formula};
      const auto forcing =
          mutate::force_one_of(given.store(), pointers_to(models), terms, given.rng());
      if (!forcing) continue;
      ++forced;
      ASSERT_EQ(forcing->formulas.size(), 1U);
      for (const ir::Model& model : models) {
        EXPECT_TRUE(fate_of(given.store(), model, *forcing).all_true) << seed.name;
      }
      const ir::Model other = given.random_model();
      const bool all_fail = std::all_of(models.begin(), models.end(), [&](const ir::Model& model) {
        return is_false(given.store(), model, formula);
      });
      if (!all_fail) continue;
      const bool is_possible = fate_of(given.store(), other, *forcing).all_true;
      EXPECT_TRUE(!is_possible || is_false(given.store(), other, formula)) << seed.name;
    }
    EXPECT_GT(forced, 0U) << seed.name;
    EXPECT_FALSE(mutate::force_one_of(given.store(), {}, {}, given.rng()).has_value());
  }
}

// --- What is refused. ---

bool can_force(std::string_view script, std::string_view model_text) {
  ir::TermStore store;
  const auto parsed = smtlib::parse_script(store, script).value();
  const auto answers = smtlib::split_answers(model_text).value();
  const auto model =
      smtlib::parse_model(store, parsed, parsed.commands.size(), model_text, answers[0]).value();
  std::vector<TermId> terms;
  for (const ir::Command& command : parsed.commands) {
    if (command.kind == CommandKind::kAssert) terms.push_back(command.term);
  }
  base::Rng rng(1);
  return mutate::force(store, model, terms, rng).has_value();
}

TEST(ForcingTest, RefusesWhatOtherModelsMaySeeInAnotherWay) {
  const std::string_view x = "((define-fun x () Int 0))";
  EXPECT_TRUE(can_force("(declare-const x Int)(assert (> x 1))", x));
  EXPECT_FALSE(can_force("(declare-const x Int)(assert (> (div 1 x) 1))", x));
  EXPECT_FALSE(can_force("(declare-const x Int)(assert (or (= x 0) (> (div 1 x) 1)))", x));
  // What a model says of a division by zero is not forced.
  EXPECT_FALSE(can_force("(declare-const x Int)(assert (> (div 1 x) 1))",
                         "((define-fun x () Int 0) (define-fun div0 ((a Int)) Int 7))"));
  EXPECT_FALSE(can_force("(declare-const x Int)(declare-const y Int)(assert (> x y))", x));
  EXPECT_FALSE(can_force("(declare-const x Int)(assert (forall ((y Int)) (> y x)))", x));
  EXPECT_FALSE(can_force(
      "(declare-const x Int)(define-fun f ((y Int)) Int (+ y 1))(assert (> (f x) 1))", x));
  EXPECT_FALSE(can_force("(declare-const x Int)(assert (frob x))", x));
  EXPECT_FALSE(can_force("(declare-const r Real)(assert (> r 1.0))",
                         "((define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 2)))"));
  EXPECT_FALSE(can_force(
      "(declare-datatypes ((D 0)) (((a) (b (c Int)))))(declare-const d D)(assert (= (c d) 1))",
      "((define-fun d () D a))"));
  EXPECT_FALSE(can_force(
      "(declare-fun f (Int) Int)(declare-const a (Array Int Int))(assert (= a ((_ map f) a)))",
      "((define-fun f ((x Int)) Int x) (define-fun a () (Array Int Int) ((as const (Array Int "
      "Int)) "
      "0)))"));
  // Equality of arrays depends on how many elements there are.
  EXPECT_FALSE(
      can_force("(declare-sort U 0)(declare-const a (Array U Int))"
                "(declare-const b (Array U Int))(assert (= a b))",
                "((define-fun a () (Array U Int) ((as const (Array U Int)) 0))"
                "(define-fun b () (Array U Int) ((as const (Array U Int)) 1)))"));
}

TEST(ForcingTest, ReadsOfAnArrayThatNoTermDenotesAreForced) {
  const std::string_view model =
      "((define-fun a () (Array Int Int) (lambda ((i Int)) (+ i 1))) (define-fun j () Int 4))";
  const std::string declarations = "(declare-const a (Array Int Int))(declare-const j Int)";
  EXPECT_TRUE(can_force(declarations + "(assert (> (select a j) 9))", model));
  EXPECT_FALSE(can_force(declarations + "(assert (> (select (store a 1 j) j) 9))", model));
}

// --- Real solvers. ---

ir::Script question(const ForcingCase& given, const Forcing& forcing, TermId formula) {
  ir::Script script;
  for (const ir::Command& command : given.seed().commands) {
    if (command.kind == CommandKind::kAssert || ir::is_check(command.kind)) continue;
    ir::Command copy = command;
    script.set_items(copy, given.seed().items(command));
    script.commands.push_back(copy);
  }
  const auto add = [&](CommandKind kind, TermId term = {}) {
    ir::Command command;
    command.kind = kind;
    command.term = term;
    script.commands.push_back(command);
  };
  for (const FunId constant : forcing.constants) {
    add(CommandKind::kDeclareConst);
    const std::array<uint32_t, 1> items = {constant.value};
    script.set_items(script.commands.back(), items);
  }
  for (const TermId forced : forcing.formulas) add(CommandKind::kAssert, forced);
  add(CommandKind::kCheckSat);
  add(CommandKind::kAssert, formula);
  add(CommandKind::kCheckSat);
  return script;
}

// How often a solver says the right thing. It must never say the wrong one.
size_t right_answers(const solver::Solver& solver, bool in_cases) {
  size_t right = 0;
  for (const SeedText& seed : kSeeds) {
    ForcingCase given(seed.text, 11);
    smtlib::ScriptPrinter printer(given.store());
    solver::Runner runner(solver, false);
    const std::vector<ir::Model> models = {given.random_model(), given.random_model()};
    size_t asked = 0;
    for (const TermId formula : given.false_formulas(models[0], 6)) {
      const std::array<TermId, 1> terms = {formula};
      if (asked == 4 || (in_cases && !is_false(given.store(), models[1], formula))) continue;
      const auto forcing =
          in_cases ? mutate::force_one_of(given.store(), pointers_to(models), terms, given.rng())
                   : mutate::force(given.store(), models[0], terms, given.rng());
      if (!forcing) continue;
      ++asked;
      const ir::Script script = question(given, *forcing, formula);
      const auto query =
          solver::make_query(printer, given.store(), script, {.want_models = false}).value();
      const solver::Run run = runner.run(query, {.seconds = 2});
      if (run.checks.size() != 2) continue;
      EXPECT_NE(run.checks[0].outcome, solver::Outcome::kUnsat) << seed.name << "\n" << query.text;
      EXPECT_NE(run.checks[1].outcome, solver::Outcome::kSat) << seed.name << "\n" << query.text;
      right += run.checks[1].outcome == solver::Outcome::kUnsat ? 1 : 0;
    }
  }
  return right;
}

class ForcingOnSolvers : public testing::TestWithParam<std::string> {};

TEST_P(ForcingOnSolvers, IsUnsatisfiable) {
  const auto solver = solver::find_solver(solver::Profiles::standard(), GetParam());
  if (!solver) GTEST_SKIP() << GetParam() << " is not installed";
  EXPECT_GT(right_answers(*solver, false), 2 * kSeeds.size());
  EXPECT_GT(right_answers(*solver, true), kSeeds.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(All, ForcingOnSolvers, testing::Values("z3", "cvc5"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace elenchus
