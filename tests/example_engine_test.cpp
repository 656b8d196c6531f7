#include "example_engine.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::mutate {
namespace {

constexpr std::string_view kSeed =
    "(set-logic QF_LIA)\n"
    "(declare-const x Int)\n"
    "(declare-const y Int)\n"
    "(assert (> (- x y) 3))\n"
    "(check-sat)\n";

// What the engine makes of the seed, printed; skips are left out.
std::set<std::string> mutants_of(std::string_view text, uint64_t rng_seed) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value());
  Swap engine;
  const auto series = series_in(engine.start(store, {*script, {}, Truth::kUnknown}));
  base::Rng rng(rng_seed);
  std::set<std::string> mutants;
  for (uint32_t i = 0; i < engine.series_length(); ++i) {
    const Attempt attempt = series->next(rng);
    const auto* mutant = std::get_if<Mutant>(&attempt);
    if (mutant != nullptr) mutants.insert(*smtlib::print_script(store, mutant->script));
  }
  return mutants;
}

TEST(ExampleEngine, ExchangesArguments) {
  const std::set<std::string> mutants = mutants_of(kSeed, 1);
  ASSERT_EQ(mutants.size(), 2U);  // two operators, and each has two arguments of one sort
  EXPECT_NE(mutants.begin()->find("(assert (> (- y x) 3))"), std::string::npos);
  EXPECT_NE(mutants.rbegin()->find("(assert (> 3 (- x y)))"), std::string::npos);
}

TEST(ExampleEngine, MutantsAreScriptsAgain) {
  for (const std::string& mutant : mutants_of(kSeed, 1)) {
    ir::TermStore store;
    EXPECT_TRUE(smtlib::parse_script(store, mutant).has_value()) << mutant;
  }
}

TEST(ExampleEngine, SaysWhyThereIsNone) {
  EXPECT_TRUE(mutants_of("(declare-const p Bool)(assert (not p))(check-sat)", 1).empty());
}

TEST(ExampleEngine, TheSameNumberGivesTheSameMutants) {
  EXPECT_EQ(mutants_of(kSeed, 7), mutants_of(kSeed, 7));
}

}  // namespace
}  // namespace elenchus::mutate
