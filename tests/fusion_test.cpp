// Semantic fusion: every witness is evaluated; what is unsatisfiable by construction is tried with
// all values of small sorts, and put to real solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/seed_facts.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "lab/solver_lab.h"
#include "mutate/apart.h"
#include "mutate/flat.h"
#include "mutate/registry.h"
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

struct Sample {
  std::string_view script;
  std::string_view model = "";  // none: it is unsatisfiable
};

struct Pair {
  std::string_view name;
  Sample first;
  Sample second;
};

constexpr Sample kInts = {R"((set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (or (< x y) (= x 7)))(assert (>= (+ x (* 3 y)) 4))(check-sat))",
                          "((define-fun x () Int 0) (define-fun y () Int 5))"};
constexpr Sample kOtherInts = {R"((set-logic QF_LIA)(declare-const x Int)(declare-const k Int)
(assert (distinct (+ x k) 0))(assert (< x (- k)))(check-sat))",
                               "((define-fun x () Int (- 8)) (define-fun k () Int 0))"};
constexpr Sample kReals = {R"((set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)
(assert (<= 0.0 (* y x)))(assert (= x (+ 2.0 y)))(check-sat))",
                           "((define-fun x () Real (/ 5 2)) (define-fun y () Real 0.5))"};
constexpr Sample kStrings = {R"((set-logic QF_S)(declare-fun t () String)(declare-fun u () String)
(assert (str.prefixof "-" (str.substr t 0 1)))(assert (str.in_re u (re.+ (str.to_re "ab"))))
(assert (= (str.len t) 2))(check-sat))",
                             R"(((define-fun t () String "-0") (define-fun u () String "abab")))"};
constexpr Sample kEmptyStrings = {R"((set-logic QF_SLIA)(declare-fun t () String)
(declare-fun n () Int)(assert (= (str.at t n) t))(assert (< (str.len t) (+ n 1)))(check-sat))",
                                  R"(((define-fun t () String "") (define-fun n () Int 0)))"};
constexpr Sample kBits = {R"((set-logic QF_BV)(declare-fun a () (_ BitVec 8))
(declare-fun b () (_ BitVec 8))(declare-fun c () (_ BitVec 3))
(assert (bvult a (bvadd b #x01)))(assert (= ((_ extract 3 0) a) #xf))(assert (= c #b101))
(assert (not (= (bvand a b) #x00)))(check-sat))",
                          "((define-fun a () (_ BitVec 8) #x0f) (define-fun b () (_ BitVec 8) #x7f)"
                          " (define-fun c () (_ BitVec 3) #b101))"};
constexpr Sample kFlags = {R"((set-logic QF_UF)(declare-fun p () Bool)(declare-fun q () Bool)
(assert p)(assert (=> q (not p)))(check-sat))",
                           "((define-fun p () Bool true) (define-fun q () Bool false))"};
// Sorts, functions, datatypes and definitions whose names another script may have as well.
constexpr Sample kDeclarations = {R"((set-logic ALL)(declare-sort U 0)(declare-sort V 1)
(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))
(declare-datatype E ((red) (green (shade Int))))
(declare-fun a () U)(declare-fun b () U)(declare-fun g (U) U)(declare-fun |the x| () Int)
(declare-fun l () (L U))(declare-fun e () E)(declare-fun v () (V U))
(define-fun twice ((n Int)) Int (+ n n))(define-sort W () (Array Int U))(declare-fun w () W)
(define-fun-rec down ((n Int)) Int (ite (<= n 0) 0 (down (- n 1))))
(assert (! (distinct a b) :named different))(assert (= (g a) b))(assert ((_ is cons) l))
(assert (= (head l) b (select w 1)))(assert (= e (green (twice |the x|))))
(assert (match e ((red false) ((green s) (= s 6)))))(assert (= (down 2) 0))(assert (= v v))
(check-sat))",
                                  R"(((declare-fun u0 () U) (declare-fun u1 () U)
(forall ((x U)) (or (= x u0) (= x u1)))
(define-fun a () U u0) (define-fun b () U u1) (define-fun g ((x U)) U u1)
(declare-fun v0 () (V U)) (define-fun v () (V U) v0)
(define-fun |the x| () Int 3) (define-fun l () (L U) (cons u1 (as nil (L U))))
(define-fun e () E (green 6)) (define-fun w () (Array Int U) ((as const (Array Int U)) u1))))"};
constexpr Sample kOneElement = {R"((set-logic ALL)(declare-sort U 0)(declare-fun g (U) U)
(declare-fun a () U)(declare-fun fused!0 () Int)(declare-fun fused!1 () Int)
(assert (forall ((x U) (y U)) (= x y)))(assert (= (g a) a))(assert (> fused!0 fused!1))
(check-sat))",
                                R"(((declare-fun u0 () U) (forall ((x U)) (= x u0))
(define-fun a () U u0) (define-fun g ((x U)) U u0)
(define-fun fused!0 () Int 4) (define-fun fused!1 () Int 2)))"};
// A variable of the one is bound in the other: what replaces x must not be caught.
constexpr Sample kBinder = {R"((set-logic BV)(declare-fun x () (_ BitVec 2))
(assert (forall ((y (_ BitVec 2))) (! (=> (= y x) (= (bvadd y #b01) #b10)) :weight 2)))
(check-sat))",
                            "((define-fun x () (_ BitVec 2) #b01))"};
constexpr Sample kBound = {R"((set-logic BV)(declare-fun y () (_ BitVec 2))
(assert (exists ((x (_ BitVec 2))) (and (distinct x y) (= (bvadd x y) #b01))))(check-sat))",
                           "((define-fun y () (_ BitVec 2) #b11))"};

constexpr Pair kSatisfiable[] = {
    {"integers", kInts, kOtherInts},
    {"reals", kReals, kReals},
    {"strings", kStrings, kEmptyStrings},
    {"bits", kBits, kBits},
    {"booleans", kFlags, kFlags},
    {"different logics", kInts, kEmptyStrings},
    {"names that clash", kDeclarations, kDeclarations},
    {"sizes that clash", kDeclarations, kOneElement},
    {"binders", kBinder, kBound},
    {"binders the other way", kBound, kBinder},
};

constexpr Pair kUnsatisfiable[] = {
    {"integers",
     {R"((set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (< x y))(assert (< y x))(assert (> (* 2 x) 3))(check-sat))"},
     {R"((set-logic QF_LIA)(declare-fun x () Int)(assert (= (+ x x) 7))(check-sat))"}},
    {"strings",
     {R"((set-logic QF_SLIA)(declare-fun t () String)
(assert (= (str.++ t "a") t))(check-sat))"},
     {R"((set-logic QF_S)(declare-fun t () String)(declare-fun u () String)
(assert (str.prefixof t u))(assert (> (str.len t) (str.len u)))(check-sat))"}},
    {"reals",
     {R"((set-logic QF_LRA)(declare-fun x () Real)(assert (> x 1))(assert (< x 1))(check-sat))"},
     {R"((set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)
(assert (< (* x x) 0.0))(assert (= y (/ x 0.0)))(check-sat))"}},
    {"binders",
     {R"((set-logic LIA)(declare-fun x () Int)
(assert (forall ((y Int)) (=> (> y x) (= y 0))))(check-sat))"},
     {R"((set-logic LIA)(declare-fun y () Int)
(assert (exists ((x Int)) (and (> x y) (< x y))))(check-sat))"}},
    {"sorts",
     {R"((set-logic UFLIA)(declare-sort U 0)(declare-fun n () Int)(declare-fun a () U)
(declare-fun f (U) Int)(assert (forall ((x U)) (> (f x) n)))(assert (= (f a) n))(check-sat))"},
     {R"((set-logic UFLIA)(declare-sort U 0)(declare-fun n () Int)
(assert (forall ((x U)) (< 0 n)))(assert (not (> n 0)))(check-sat))"}},
};

// Two seeds in one store, and the mutants that the engine makes of them.
class Mill {
 public:
  Mill(const Sample& first, const Sample& second, std::string_view engine = "fusion")
      : engine_(mutate::make_engine(engine)) {
    add(0, first);
    add(1, second);
  }

  ir::TermStore& store() { return store_; }

  mutate::Seed seed(size_t index) const {
    return {.script = scripts_[index], .models = models_[index], .status = status_[index]};
  }

  std::vector<Mutant> make(uint32_t count, uint64_t number = 1) {
    const mutate::Seed partner = seed(1);
    mutate::Seed first = seed(0);
    first.partner = &partner;
    return make(first, count, number);
  }

  std::vector<Mutant> make(const mutate::Seed& seed, uint32_t count, uint64_t number = 1) {
    base::Rng rng(number);
    std::vector<Mutant> mutants;
    auto started = engine_->start(store_, seed);
    if (const auto* skip = std::get_if<mutate::Skip>(&started)) {
      ADD_FAILURE() << skip->reason;
      return mutants;
    }
    const auto series = series_in(std::move(started));
    for (uint32_t i = 0; i < 4 * count && mutants.size() < count; ++i) {
      auto attempt = series->next(rng);
      if (auto* mutant = std::get_if<Mutant>(&attempt)) mutants.push_back(std::move(*mutant));
    }
    return mutants;
  }

  std::string text(const Mutant& mutant) const {
    return smtlib::print_script(store_, mutant.script).value();
  }

 private:
  void add(size_t index, const Sample& sample) {
    scripts_[index] = smtlib::parse_script(store_, sample.script).value();
    status_[index] = sample.model.empty() ? Truth::kUnsat : Truth::kSat;
    if (sample.model.empty()) return;
    const auto checks = ir::checks_of(scripts_[index]);
    auto model = smtlib::read_model(store_, scripts_[index], checks.back(), sample.model);
    ASSERT_TRUE(model.has_value()) << base::describe(model.error(), "model");
    models_[index].push_back(std::move(*model));
  }

  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  ir::Script scripts_[2];
  std::vector<ir::Model> models_[2];
  Truth status_[2] = {};
};

TEST(FusionTest, WitnessesHold) {
  for (const std::string_view engine : {"fusion", "fusion+incremental"}) {
    for (const Pair& pair : kSatisfiable) {
      SCOPED_TRACE(std::string(engine) + ", " + std::string(pair.name));
      Mill mill(pair.first, pair.second, engine);
      const auto mutants = mill.make(60);
      EXPECT_EQ(mutants.size(), 60U);
      std::set<std::string> texts;
      for (const Mutant& mutant : mutants) {
        EXPECT_EQ(mutant.expected.back(), Truth::kSat);
        ASSERT_NE(mutant.witness, nullptr);
        expect_witness_holds(mill.store(), mutant);
        texts.insert(mill.text(mutant));
        if (HasFailure()) return;
      }
      EXPECT_GT(texts.size(), 40U);
    }
  }
}

TEST(FusionTest, BothSeedsAndTheThirdVariableAreThere) {
  Mill mill(kInts, kOtherInts);
  for (const Mutant& mutant : mill.make(20)) {
    const std::string text = mill.text(mutant);
    for (const std::string_view part :
         {"(set-logic QF_", "(declare-fun x () Int)", "(declare-fun y () Int)",
          "(declare-const x_2 Int)", "(declare-const k Int)", "fused!"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    EXPECT_EQ(text.find("ALL"), std::string::npos) << text;
  }
}

TEST(FusionTest, LogicsHaveWhatIsSaid) {
  Mill products(kInts, kOtherInts);
  for (const Mutant& mutant : products.make(200)) {
    const std::string text = products.text(mutant);
    const bool multiplies = text.find("(* x ") != std::string::npos;
    const bool is_linear = text.find("QF_LIA") != std::string::npos;
    EXPECT_FALSE(multiplies && is_linear) << text;
    EXPECT_TRUE(is_linear || text.find("QF_NIA") != std::string::npos) << text;
  }
  Mill strings(kStrings, kStrings);
  EXPECT_NE(strings.text(strings.make(1).at(0)).find("QF_SLIA"), std::string::npos);
  Mill mixed(kInts, kEmptyStrings);
  EXPECT_NE(mixed.text(mixed.make(1).at(0)).find("(set-logic ALL)"), std::string::npos);
}

TEST(FusionTest, WithoutAPartnerASeedIsFusedWithItself) {
  Mill mill(kBits, kInts);
  const mutate::Seed other{.script = mill.seed(1).script, .models = {}, .status = Truth::kUnsat};
  mutate::Seed seed = mill.seed(0);
  for (const mutate::Seed* partner : {static_cast<const mutate::Seed*>(nullptr), &other}) {
    seed.partner = partner;
    for (const Mutant& mutant : mill.make(seed, 10)) {
      EXPECT_EQ(mutant.expected, std::vector{Truth::kSat});
      expect_witness_holds(mill.store(), mutant);
      EXPECT_NE(mill.text(mutant).find("(declare-fun a_"), std::string::npos);
    }
  }
}

TEST(FusionTest, TheSameNumberGivesTheSameMutants) {
  for (const Pair& pair : {kSatisfiable[6], kUnsatisfiable[0]}) {
    std::string first;
    for (int round = 0; round < 2; ++round) {
      Mill mill(pair.first, pair.second);
      std::string all;
      for (const Mutant& mutant : mill.make(40, 9)) all += mill.text(mutant);
      if (round == 0) first = all;
      EXPECT_EQ(all, first);
    }
  }
}

// --- Unsatisfiable seeds. ---

// Whether some assignment of the constants makes all assertions true. Nothing when there are more
// than can be tried.
std::optional<bool> is_satisfiable(ir::TermStore& store, const ir::Script& script) {
  constexpr uint64_t kMost = 1 << 12;
  std::vector<std::pair<ir::FunId, uint32_t>> constants;
  uint64_t count = 1;
  for (const ir::Command& command : script.commands) {
    if (command.kind != ir::CommandKind::kDeclareFun) continue;
    const ir::FunId fun{script.items(command)[0]};
    const uint32_t width = store.sorts()[store.fun(fun).result].a;
    constants.emplace_back(fun, width);
    count <<= width;
  }
  if (count > kMost) return {};
  const auto claims = ir::claims_at(script, script.commands.size());
  for (uint64_t i = 0; i < count; ++i) {
    ir::Model model;
    uint64_t rest = i;
    for (const auto& [fun, width] : constants) {
      std::string binary;
      for (uint32_t bit = 0; bit < width; ++bit, rest >>= 1) binary += (rest & 1) != 0 ? '1' : '0';
      const ir::TermId value = store.bits_literal(num::bits_literal(binary));
      model.functions.push_back({fun, {{}, value}});
    }
    eval::Evaluator evaluator(store, model);
    const bool holds = std::all_of(claims.begin(), claims.end(), [&](const ir::Claim& claim) {
      return evaluator.evaluate(claim.term).is_true();
    });
    if (holds) return true;
  }
  return false;
}

constexpr Sample kSmallUnsat = {R"((set-logic QF_BV)(declare-fun a () (_ BitVec 2))
(assert (bvult a #b01))(assert (= (bvmul a a) #b01))(check-sat))"};
constexpr Sample kOtherSmallUnsat = {R"((set-logic QF_BV)(declare-fun b () (_ BitVec 2))
(assert (= (bvand b (bvnot b)) #b10))(check-sat))"};

TEST(FusionTest, NoAssignmentSatisfiesWhatIsUnsatisfiable) {
  Mill mill(kSmallUnsat, kOtherSmallUnsat);
  uint32_t tried = 0;
  for (uint64_t number = 0; number < 40; ++number) {
    for (const Mutant& mutant : mill.make(3, number)) {
      ASSERT_EQ(mutant.expected, std::vector{Truth::kUnsat});
      EXPECT_FALSE(mutant.construction.empty());
      const auto satisfiable = is_satisfiable(mill.store(), mutant.script);
      if (!satisfiable) continue;
      ++tried;
      ASSERT_FALSE(*satisfiable) << mill.text(mutant);
    }
  }
  EXPECT_GT(tried, 40U);
}

// The equations are needed: without them, some mutants are satisfiable.
TEST(FusionTest, TheEquationsMakeItUnsatisfiable) {
  Mill mill(kSmallUnsat, kOtherSmallUnsat);
  uint32_t satisfiable = 0;
  for (uint64_t number = 0; number < 20; ++number) {
    for (Mutant& mutant : mill.make(3, number)) {
      std::erase_if(mutant.script.commands, [&](const ir::Command& command) {
        return command.kind == ir::CommandKind::kAssert &&
               mill.store().op(command.term) == ir::Op::kEq;
      });
      if (is_satisfiable(mill.store(), mutant.script).value_or(false)) ++satisfiable;
    }
  }
  EXPECT_GT(satisfiable, 0U);
}

// --- Real solvers. ---

TEST(FusionTest, NoSolverRefutesWhatWasFused) {
  std::vector<Pair> pairs(std::begin(kSatisfiable), std::end(kSatisfiable));
  pairs.insert(pairs.end(), std::begin(kUnsatisfiable), std::end(kUnsatisfiable));
  uint32_t asked = 0;
  for (const std::string_view name : {"z3", "cvc5"}) {
    const auto found = solver::find_solver(solver::Profiles::standard(), name);
    if (!found) continue;
    // In a session, z3 4.8.12 forgets constructors after some resets, and then rejects `match`.
    solver::Runner runner(*found, true);
    for (const Pair& pair : pairs) {
      SCOPED_TRACE(pair.name);
      Mill mill(pair.first, pair.second);
      smtlib::ScriptPrinter printer(mill.store());
      for (const Mutant& mutant : mill.make(3, 3)) {
        const auto query = solver::make_query(printer, mill.store(), mutant.script);
        ASSERT_TRUE(query.has_value());
        const solver::Run run = runner.run(*query, {.seconds = 0.2});
        EXPECT_NE(run.outcome, solver::Outcome::kRejected) << run.message << "\n" << query->text;
        expect_not_refuted(name, run, mill.store(), mutant);
        ++asked;
      }
    }
  }
  if (asked == 0) GTEST_SKIP() << "neither z3 nor cvc5 is installed";
}

// Seeds that nobody wrote, with what solvers say of them.
TEST(FusionTest, RandomSeeds) {
  std::vector<solver::Solver> solvers;
  for (const std::string_view name : {"z3", "cvc5"}) {
    const auto found = solver::find_solver(solver::Profiles::standard(), name);
    if (found) solvers.push_back(*found);
  }
  if (solvers.size() < 2) GTEST_SKIP() << "z3 or cvc5 is not installed";
  ir::TermStore store;
  lab::SolverLab lab(store, solvers, false, {.seconds = 0.2});
  const auto typefuzz = mutate::make_engine("typefuzz");
  const auto fusion = mutate::make_engine("fusion");
  base::Rng rng(5);
  uint32_t seen[3] = {};
  for (const Sample& sample : {kInts, kStrings, kBits, kUnsatisfiable[0].first, kSmallUnsat}) {
    const auto script = smtlib::parse_script(store, sample.script).value();
    const auto chain =
        series_in(typefuzz->start(store, {.script = script, .models = {}, .status = {}}));
    std::vector<ir::Script> scripts;
    std::vector<campaign::SeedFacts> facts;
    for (int i = 0; i < 8; ++i) {
      auto attempt = chain->next(rng);
      const auto* mutant = std::get_if<Mutant>(&attempt);
      if (mutant == nullptr) continue;
      scripts.push_back(mutant->script);
      facts.push_back(campaign::ask_about(store, lab, scripts.back(), 1, rng));
    }
    for (size_t i = 1; i < scripts.size(); ++i) {
      const mutate::Seed partner{scripts[i - 1], facts[i - 1].models, facts[i - 1].status};
      const mutate::Seed seed{.script = scripts[i],
                              .models = facts[i].models,
                              .status = facts[i].status,
                              .partner = &partner};
      const auto series = series_in(fusion->start(store, seed));
      for (int j = 0; series != nullptr && j < 2; ++j) {
        auto attempt = series->next(rng);
        const auto* mutant = std::get_if<Mutant>(&attempt);
        if (mutant == nullptr) continue;
        ++seen[static_cast<size_t>(mutant->expected.back())];
        if (mutant->witness != nullptr) expect_witness_holds(store, *mutant);
        for (size_t s = 0; s < solvers.size(); ++s) {
          const solver::Run run = lab.run(s, mutant->script, {.models = true});
          expect_not_refuted(solvers[s].name, run, store, *mutant);
        }
      }
    }
  }
  EXPECT_EQ(seen[0], 0U);
  EXPECT_GT(seen[1], 0U);
  EXPECT_GT(seen[2], 0U);
}

// --- Input that fits badly. ---

std::string_view refusal(const std::string& text, Truth status = Truth::kUnsat) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text).value();
  const auto engine = mutate::make_engine("fusion");
  auto started = engine->start(store, {.script = script, .models = {}, .status = status});
  if (const auto* skip = std::get_if<mutate::Skip>(&started)) return skip->reason;
  base::Rng rng(1);
  const auto attempt = series_in(std::move(started))->next(rng);
  const auto* skip = std::get_if<mutate::Skip>(&attempt);
  return skip == nullptr ? "" : skip->reason;
}

TEST(FusionTest, RefusesWhatItCannotFuse) {
  const std::string x = "(declare-fun x () Int)";
  EXPECT_EQ(refusal(x + "(assert (< x x))"), "no check-sat");
  EXPECT_EQ(refusal(x + "(check-sat)"), "no assertions");
  EXPECT_EQ(refusal("(assert false)(check-sat)"), "no two variables to be fused");
  EXPECT_EQ(refusal(x + "(assert (< x x))(reset)(assert false)(check-sat)"),
            "commands that cannot be taken apart");
  EXPECT_EQ(refusal(x + "(assert (foo x))(check-sat)"), "operators that we do not know");
  EXPECT_EQ(refusal("(declare-sort-parameter A)(declare-fun f (A) Int)" + x +
                    "(assert (< x x))(check-sat)"),
            "declarations that cannot be copied");
  EXPECT_EQ(refusal(x + "(assert (< x x))(check-sat)", Truth::kUnknown), "no model");
  EXPECT_EQ(refusal(x + "(assert (< x x))(check-sat)"), "");
  std::string deep = x + "(assert ";
  for (int i = 0; i < 200'000; ++i) deep += "(not ";
  deep += "(< x x)" + std::string(200'000, ')') + ")(check-sat)";
  EXPECT_EQ(refusal(deep), "too large");
}

// Names of all kinds are kept apart, and what does not clash keeps its name.
TEST(ApartTest, CopiesHaveNamesOfTheirOwn) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, kDeclarations.script).value();
  const auto other = smtlib::parse_script(store, kInts.script).value();
  const auto flat = std::get<mutate::Flat>(mutate::flatten(store, script));
  for (const ir::Script& frame : {flat.frame, other}) {
    mutate::Apart apart(store);
    apart.avoid(frame);
    ir::Script joint = frame;
    std::erase_if(joint.commands, [](const ir::Command& command) {
      return command.kind == ir::CommandKind::kAssert;
    });
    ASSERT_TRUE(apart.copy_declarations(flat.frame, joint));
    std::vector<ir::TermId> claims;
    for (const ir::TermId claim : flat.claims) claims.push_back(apart.term(claim));
    const std::string text =
        smtlib::print_script(store, mutate::with_assertions(joint, claims)).value();
    ir::TermStore fresh;
    const auto read = smtlib::parse_script(fresh, text);
    ASSERT_TRUE(read.has_value()) << base::describe(read.error(), "joint") << "\n" << text;
    EXPECT_TRUE(read->warnings.empty()) << text;
    const bool clashes = &frame != &other && frame.logic == script.logic;
    EXPECT_EQ(text.find("green_2") != std::string::npos, clashes) << text;
    EXPECT_EQ(text.find("|the x_2|") != std::string::npos, clashes) << text;
    EXPECT_EQ(text.find("U_2") != std::string::npos, clashes) << text;
  }
}

}  // namespace
}  // namespace elenchus
