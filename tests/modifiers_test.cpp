// What engines make of whole scripts: tactics, steps, and mutants of seeds that are large.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/timeline.h"
#include "ir/walk.h"
#include "mutate/diver/modelled_script.h"
#include "mutate/flat.h"
#include "mutate/fragments.h"
#include "mutate/registry.h"
#include "mutate/tactics.h"
#include "mutate/triviality.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::mutate {
namespace {

using ir::CommandKind;
using ir::TermId;

// A script and a model of it.
class Modelled {
 public:
  explicit Modelled(const std::string& text, std::string_view model = {}) {
    auto parsed = smtlib::parse_script(store, text);
    EXPECT_TRUE(parsed.has_value());
    if (parsed) script = std::move(*parsed);
    if (model.empty()) return;
    auto read = smtlib::read_model(store, script, ir::checks_of(script).back(), model);
    EXPECT_TRUE(read.has_value());
    if (read) models.push_back(std::move(*read));
  }

  // Mutants of one visit, at most so many.
  std::vector<Mutant> mutants(std::string_view name, uint32_t count,
                              const EngineSettings& settings = {}) {
    std::vector<Mutant> made;
    engine = make_engine(name, settings);
    series = series_in(engine->start(store, {script, models, Truth::kUnknown}));
    base::Rng rng(7);
    for (uint32_t i = 0; series != nullptr && i < count; ++i) {
      Attempt attempt = series->next(rng);
      if (auto* mutant = std::get_if<Mutant>(&attempt)) made.push_back(std::move(*mutant));
    }
    return made;
  }

  std::string text(const ir::Script& of) {
    const auto printed = smtlib::print_script(store, of);
    return printed ? *printed : "";
  }

  ir::TermStore store;
  ir::Script script;
  std::vector<ir::Model> models;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Series> series;
};

constexpr std::string_view kSmall =
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)"
    "(assert (< x y))(assert (or (> x 3) (< y 100)))(check-sat)";
constexpr std::string_view kSmallModel = "((define-fun x () Int 4) (define-fun y () Int 7))";

size_t count_of(const ir::Script& script, CommandKind kind) {
  return static_cast<size_t>(
      std::count_if(script.commands.begin(), script.commands.end(),
                    [&](const ir::Command& command) { return command.kind == kind; }));
}

// --- Tactics. ---

TEST(Tactics, OfEveryEngine) {
  for (const std::string_view name : {"opfuzz", "typefuzz", "storm", "diver"}) {
    Modelled seed{std::string(kSmall), kSmallModel};
    size_t tactics = 0;
    for (const Mutant& mutant : seed.mutants(std::string(name) + "+tactics", 40)) {
      tactics += count_of(mutant.script, CommandKind::kCheckSatUsing);
      EXPECT_EQ(ir::checks_of(mutant.script).size(), 1U);
    }
    EXPECT_GT(tactics, 10U) << name;
  }
}

TEST(Tactics, OnlyWhereSomebodyReadsThem) {
  EngineSettings settings;
  settings.set_solvers(ir::kCvc5Reader);
  Modelled seed{std::string(kSmall), kSmallModel};
  for (const Mutant& mutant : seed.mutants("storm+tactics", 100, settings)) {
    EXPECT_EQ(count_of(mutant.script, CommandKind::kCheckSatUsing), 0U);
  }
  EXPECT_TRUE(has_tactics(*ir::OpTable::standard(), ir::kCvc5Reader | ir::kZ3Reader));
}

TEST(Tactics, AreBalancedAndKnown) {
  base::Rng rng(1);
  std::set<std::string> different;
  for (int i = 0; i < 500; ++i) {
    const std::string tactic = random_tactic(rng);
    EXPECT_TRUE(is_known_tactic(tactic)) << tactic;
    EXPECT_EQ(std::count(tactic.begin(), tactic.end(), '('),
              std::count(tactic.begin(), tactic.end(), ')'));
    EXPECT_NE(tactic.find("smt"), std::string::npos);
    different.insert(tactic);
  }
  EXPECT_GT(different.size(), 100U);
  for (const std::string_view doubtful :
       {"(then add-bounds smt)", "(then nla2bv smt)", "sine-filter", "fail", "(par-or smt smt)",
        "(then horn-simplify smt)"}) {
    EXPECT_FALSE(is_known_tactic(doubtful)) << doubtful;
  }
}

// What a solver does not list is not asked of it.
TEST(Tactics, OnlyThoseThatAreListed) {
  TacticSettings settings;
  settings.known = {"simplify", "qe2", "default", "smt", "nnf"};
  base::Rng rng(1);
  std::set<std::string> words;
  for (int i = 0; i < 300; ++i) {
    std::string word;
    for (const char c : random_tactic(rng, settings) + " ") {
      if (std::string_view(" ()").find(c) == std::string_view::npos) {
        word += c;
      } else {
        words.insert(std::exchange(word, {}));
      }
    }
  }
  for (const std::string& known : settings.known) EXPECT_TRUE(words.contains(known)) << known;
  for (const std::string_view other : {"solve-eqs", "qe", "sat", "propagate-bv-bounds-new"}) {
    EXPECT_FALSE(words.contains(std::string(other))) << other;
  }
}

TEST(Tactics, OfTheSeedAreKept) {
  const std::string seed_text =
      "(declare-const x Int)(assert (< x 5))(assert (> x 0))"
      "(check-sat-using (then simplify solve-eqs smt))";
  for (const std::string_view name : {"storm", "diver"}) {
    Modelled seed{seed_text, "((define-fun x () Int 4))"};
    const auto mutants = seed.mutants(name, 20);
    ASSERT_FALSE(mutants.empty());
    for (const Mutant& mutant : mutants) {
      EXPECT_NE(seed.text(mutant.script).find("(check-sat-using (then simplify solve-eqs smt))"),
                std::string::npos);
    }
  }
  Modelled doubtful{"(declare-const x Int)(assert (< x 5))(check-sat-using (then add-bounds smt))",
                    "((define-fun x () Int 4))"};
  EngineSettings settings;
  settings.storm.tactic_one_in = 0;
  for (const Mutant& mutant : doubtful.mutants("storm", 20, settings)) {
    EXPECT_EQ(count_of(mutant.script, CommandKind::kCheckSatUsing), 0U);
  }
}

TEST(Modifiers, SearchByBoundsInSteps) {
  Modelled seed{std::string(kSmall), kSmallModel};
  const auto mutants = seed.mutants("storm+incremental", 20);
  const auto large =
      std::max_element(mutants.begin(), mutants.end(), [](const Mutant& a, const Mutant& b) {
        return a.script.commands.size() * (a.witness != nullptr ? 1 : 0) <
               b.script.commands.size() * (b.witness != nullptr ? 1 : 0);
      });
  ASSERT_NE(large, mutants.end());
  base::Rng rng(3);
  const auto has_push = [](const Mutant& mutant) {
    return count_of(mutant.script, CommandKind::kPush) > 0;
  };
  const auto smaller = seed.engine->smaller(seed.store, *large, has_push, rng);
  ASSERT_TRUE(smaller.has_value());
  EXPECT_TRUE(has_push(*smaller));
  EXPECT_EQ(ir::checks_of(smaller->script).size(), smaller->expected.size());
  EXPECT_LT(smaller->script.commands.size(), large->script.commands.size());
}

// --- The steps of a seed. ---

constexpr std::string_view kInSteps =
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< x y))(push 1)"
    "(assert (> x 100))(check-sat)(pop 1)(push 1)(assert (= y 7))(check-sat)"
    "(assert (! (> x 3) :named last))(check-sat)(get-model)";
constexpr std::string_view kModelInSteps = "((define-fun x () Int 4) (define-fun y () Int 7))";

// Levels and checks, in order.
std::string outline(const ir::Script& script) {
  std::string text;
  for (const ir::Command& command : script.commands) {
    if (command.kind == CommandKind::kPush) text += '(';
    if (command.kind == CommandKind::kPop) text += ')';
    if (ir::is_check(command.kind)) text += '?';
  }
  return text;
}

TEST(Steps, OfTheSeedAreKeptInHalfOfTheMutants) {
  for (const std::string_view name : {"storm", "diver"}) {
    Modelled seed{std::string(kInSteps), kModelInSteps};
    size_t in_steps = 0;
    size_t at_once = 0;
    for (const Mutant& mutant : seed.mutants(name, 200)) {
      const std::string found = outline(mutant.script);
      EXPECT_TRUE(found == "(?)(??" || found == "?") << found;
      EXPECT_EQ(mutant.expected.size(), ir::checks_of(mutant.script).size());
      ++(found == "?" ? at_once : in_steps);
    }
    EXPECT_GT(in_steps, 40U) << name;
    EXPECT_GT(at_once, 40U) << name;
  }
}

// Every formula of storm is true under its assignment; diver's seed has one that is not.
TEST(Steps, WhatIsExpectedOfEachCheck) {
  const auto expected_of = [](std::string_view name) {
    Modelled seed{std::string(kInSteps), kModelInSteps};
    std::set<std::vector<Truth>> expected;
    for (const Mutant& mutant : seed.mutants(name, 100)) {
      if (outline(mutant.script) != "?") expected.insert(mutant.expected);
    }
    return expected;
  };
  EXPECT_EQ(expected_of("storm"), (std::set{std::vector(3, Truth::kSat)}));
  EXPECT_EQ(expected_of("diver"),
            (std::set{std::vector{Truth::kUnknown, Truth::kSat, Truth::kSat}}));
}

// What diver does not change stays where it was.
TEST(Steps, WhatALevelTakesBackStaysThere) {
  Modelled seed{std::string(kInSteps), kModelInSteps};
  for (const Mutant& mutant : seed.mutants("diver", 50)) {
    if (outline(mutant.script) == "?") continue;
    EXPECT_NE(seed.text(mutant.script).find("(push 1)\n(assert (> x 100))\n(check-sat)\n(pop 1)"),
              std::string::npos);
  }
}

TEST(Steps, OnlyWhereNoLevelHoldsADeclaration) {
  Modelled seed{
      "(set-logic QF_LIA)(declare-const x Int)(push 1)(declare-const y Int)(assert (> x y))"
      "(check-sat)(pop 1)(push 1)(assert (> x 3))(check-sat)",
      "((define-fun x () Int 4))"};
  for (const std::string_view name : {"storm", "diver"}) {
    for (const Mutant& mutant : seed.mutants(name, 40)) EXPECT_EQ(outline(mutant.script), "?");
  }
}

TEST(Steps, TheLastChecksOfMany) {
  std::string text = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))";
  for (int i = 0; i < 100; ++i) {
    text += "(push 1)(assert (< x " + std::to_string(100 + i) + "))(check-sat)(pop 1)";
  }
  Modelled seed{text + "(check-sat)", "((define-fun x () Int 4))"};
  size_t most = 0;
  for (const Mutant& mutant : seed.mutants("diver", 40)) {
    most = std::max(most, ir::checks_of(mutant.script).size());
  }
  EXPECT_EQ(most, 16U);
}

// --- STORM. ---

TEST(Storm, NoAssertionTwice) {
  Modelled seed{std::string(kSmall), kSmallModel};
  const auto mutants = seed.mutants("storm", 200);
  ASSERT_GT(mutants.size(), 100U);
  for (const Mutant& mutant : mutants) {
    std::set<uint32_t> seen;
    for (const ir::Command& command : mutant.script.commands) {
      if (command.kind != CommandKind::kAssert) continue;
      EXPECT_TRUE(seen.insert(command.term.value).second) << seed.text(mutant.script);
    }
  }
}

TEST(Storm, DepthCountsConnectives) {
  std::string deep = "x";
  for (int i = 0; i < 40; ++i) deep = "(bvadd (bvnot " + deep + ") x)";
  std::string nested = "p";
  for (int i = 0; i < 30; ++i) nested = "(and (or " + nested + " q) r)";
  Modelled seed{
      "(declare-const x (_ BitVec 8))(declare-const p Bool)(declare-const q Bool)"
      "(declare-const r Bool)(assert (and p (not (bvult " +
      deep + " x))))(assert " + nested + ")(check-sat)"};
  ir::Measures measures(seed.store);
  ConnectiveDepths depths(seed.store);
  std::vector<TermId> claims;
  for (const ir::Command& command : seed.script.commands) {
    if (command.kind == CommandKind::kAssert) claims.push_back(command.term);
  }
  EXPECT_EQ(depths.of(claims[0]), 1U);
  EXPECT_EQ(depths.of(claims[1]), 60U);
  const auto fragments = fragments_of(seed.store, measures, depths, claims, 20, 4000);
  EXPECT_NE(std::find(fragments.begin(), fragments.end(), claims[0]), fragments.end());
  EXPECT_EQ(std::find(fragments.begin(), fragments.end(), claims[1]), fragments.end());
}

// --- DIVER. ---

// Shared terms: 2 to the 60 nodes as a tree.
TEST(Diver, SharedTermsAreCountedOnce) {
  std::string body = "(bvult l60 #xff)";
  for (int i = 60; i > 0; --i) {
    const std::string before = i == 1 ? "x" : "l" + std::to_string(i - 1);
    body =
        "(let ((l" + std::to_string(i) + " (bvadd " + before + " " + before + "))) " + body + ")";
  }
  Modelled seed{"(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert " + body + ")(check-sat)",
                "((define-fun x () (_ BitVec 8) #x03))"};
  EXPECT_GT(seed.mutants("diver", 50).size(), 10U);
}

// Thousands of arguments side by side, and then some terms below each.
TEST(Diver, SpotsAreAtAllDepths) {
  std::string text = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (and";
  for (int i = 0; i < 5000; ++i) {
    text += " (or (< (+ x (* 2 " + std::to_string(i) + ")) y) (< x (+ y 1)))";
  }
  Modelled seed{text + "))(check-sat)", "((define-fun x () Int 1) (define-fun y () Int 2))"};
  const auto flat = flatten(seed.store, seed.script);
  ASSERT_TRUE(std::holds_alternative<Flat>(flat));
  const Flat& parts = std::get<Flat>(flat);
  TruthBudget budget;
  auto model =
      held(seed.store, parts.claims, std::make_shared<const ir::Model>(seed.models[0]), budget);
  ASSERT_TRUE(model.has_value());
  const DiverSettings settings;
  diver::ModelledScript script(seed.store, settings, parts.frame, parts.claims, std::move(*model));
  base::Rng rng(5);
  std::set<size_t> depths;
  Place place;
  for (int i = 0; i < 2000; ++i) {
    script.find_place(script.choose(rng), place);
    depths.insert(place.path.size());
  }
  for (const size_t depth : {1, 2, 3, 4}) EXPECT_TRUE(depths.contains(depth)) << depth;
}

// Where a seed retires within a visit, its mutants' changes add up.
TEST(Diver, ASeedMakesRoomForItsMutants) {
  const auto last_of = [](uint32_t mutants_per_seed) {
    EngineSettings settings;
    settings.diver.mutants_per_seed = mutants_per_seed;
    settings.diver.steps_one_in = 0;
    Modelled seed{std::string(kSmall), kSmallModel};
    const auto mutants = seed.mutants("diver", settings.diver.length, settings);
    return seed.text(mutants.back().script);
  };
  const uint32_t standard = DiverSettings().mutants_per_seed;
  EXPECT_LT(standard, DiverSettings().length);
  EXPECT_NE(last_of(standard), last_of(200));
  EXPECT_NE(last_of(10), last_of(standard));
}

// Operators that only one solver reads are used where the answer is known.
TEST(Diver, OperatorsOfOneSolver) {
  Modelled seed{
      "(set-logic ALL)(declare-const s String)(declare-const t String)"
      "(assert (not (= s (str.++ t \"b\"))))(assert (distinct (str.len t) 77))(check-sat)",
      "((define-fun s () String \"a\") (define-fun t () String \"ab\"))"};
  size_t found = 0;
  for (const Mutant& mutant : seed.mutants("diver", 2000)) {
    found += seed.text(mutant.script).find("str.rev") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(found, 5U);
}

// --- TypeFuzz. ---

TEST(Triviality, WhatPreprocessingDecides) {
  const auto is_trivial = [](const std::string& assertions) {
    Modelled seed{
        "(declare-const x Int)(declare-const y Int)(declare-const p Bool)"
        "(declare-const s String)" +
        assertions + "(check-sat)"};
    return Triviality(seed.store).is_trivial(seed.script);
  };
  EXPECT_TRUE(is_trivial("(assert (< x x))"));
  EXPECT_TRUE(is_trivial("(assert (= x 5))"));
  EXPECT_TRUE(is_trivial("(assert (= x (+ y 1)))(assert (or p (not p)))"));
  EXPECT_TRUE(is_trivial("(assert p)(assert (or (not p) (= \"a\" \"b\")))"));
  EXPECT_TRUE(is_trivial("(assert (and (= x 2) (= y (+ x 1)) (> y 7)))"));
  EXPECT_FALSE(is_trivial("(assert (< x y))"));
  EXPECT_FALSE(is_trivial("(assert (= (* x x) y))(assert (> y 4))(assert (< x 0))"));
  EXPECT_FALSE(is_trivial("(assert (= x (+ x y)))(assert (> y 4))"));
  EXPECT_FALSE(is_trivial("(push 1)(assert (= x 5))(pop 1)(assert (< x y))"));
  EXPECT_FALSE(is_trivial("(assert (forall ((z Int)) (> z x)))"));
}

TEST(Triviality, ChainsGoBack) {
  const auto trivial_share = [](uint32_t every) {
    EngineSettings settings;
    settings.typefuzz.look_back_every = every;
    Modelled seed{std::string(kSmall)};
    size_t trivial = 0;
    for (const Mutant& mutant : seed.mutants("typefuzz", 200, settings)) {
      trivial += Triviality(seed.store).is_trivial(mutant.script) ? 1 : 0;
    }
    return trivial;
  };
  EXPECT_EQ(trivial_share(1), 0U);
  EXPECT_GT(trivial_share(0), 0U);
}

}  // namespace
}  // namespace elenchus::mutate
