// Models that hold: what the engines that promise `sat` take for a witness.
#include "mutate/seed_models.h"

#include <gtest/gtest.h>

#include <string_view>
#include <variant>
#include <vector>

#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

class SeedModelsTest : public testing::Test {
 protected:
  mutate::Flat flat(std::string_view text) {
    script_ = smtlib::parse_script(store_, text).value();
    return std::get<mutate::Flat>(mutate::flatten(store_, script_));
  }
  ir::Model model(std::string_view text) {
    return smtlib::read_model(store_, script_, script_.commands.size() - 1, text).value();
  }

  ir::TermStore store_;
  ir::Script script_;
  base::Rng rng_{1};
};

TEST_F(SeedModelsTest, OnlyModelsThatHoldAreTaken) {
  const auto seed = flat("(declare-const x Int)(assert (> x 5))(check-sat)");
  const std::vector<ir::Model> models = {model("((define-fun x () Int 5))"),
                                         model("((define-fun x () Int 6))")};
  const auto good = mutate::SeedModels(store_, seed).given(models, rng_, {});
  ASSERT_EQ(good.size(), 1U);
  EXPECT_TRUE(good[0].evaluator->evaluate(seed.claims[0]).is_true());
}

// What a solver says of a division by zero need not be what another one says.
TEST_F(SeedModelsTest, WhatTheStandardLeavesOpenIsNoTruth) {
  const auto seed = flat("(declare-const x Int)(assert (= (div x 0) 7))(check-sat)");
  const std::vector<ir::Model> models = {
      model("((define-fun x () Int 1)(define-fun div0 ((a Int)) Int 7))")};
  EXPECT_TRUE(mutate::SeedModels(store_, seed).given(models, rng_, {}).empty());
}

TEST_F(SeedModelsTest, WhatAModelLeavesOutIsCompleted) {
  const auto seed =
      flat("(declare-const x Int)(declare-const y Bool)(assert (or y (= x x)))(check-sat)");
  const auto good = mutate::SeedModels(store_, seed).given(std::vector<ir::Model>(1), rng_, {});
  ASSERT_EQ(good.size(), 1U);
  EXPECT_EQ(good[0].model->functions.size(), 2U);
}

TEST_F(SeedModelsTest, GuessesEndWithTheFirstThatHolds) {
  const auto seed = flat("(declare-const p Bool)(assert p)(check-sat)");
  mutate::SeedModels models(store_, seed);
  EXPECT_EQ(models.guessed(64, rng_, {}).size(), 1U);
  EXPECT_TRUE(models.guessed(64, rng_, {.left = 0}).empty());
  EXPECT_TRUE(
      mutate::SeedModels(store_, flat("(assert false)(check-sat)")).guessed(64, rng_, {}).empty());
}

}  // namespace
}  // namespace elenchus
