#include "campaign/option_trials.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "smtlib/parser.h"

namespace elenchus::campaign {
namespace {

TEST(EngineName, OptionsAreTakenOff) {
  EXPECT_EQ(engine_name_of("typefuzz").plain, "typefuzz");
  EXPECT_FALSE(engine_name_of("typefuzz").has_options);
  EXPECT_EQ(engine_name_of("typefuzz+options").plain, "typefuzz");
  EXPECT_TRUE(engine_name_of("storm+options+incremental").has_options);
  EXPECT_EQ(engine_name_of("storm+options+incremental").plain, "storm+incremental");
  EXPECT_FALSE(engine_name_of("storm+optionsx").has_options);
}

solver::Solver plain_solver() {
  solver::Solver solver;
  solver.profile = solver::Profiles::standard().find("z3");
  solver.name = "z3";
  return solver;
}

TEST(Policy, SaysHowManyOptions) {
  solver::Solver solver = plain_solver();
  EXPECT_EQ(options_allowed(Policy::kDefault, solver), 0U);
  EXPECT_EQ(options_allowed(Policy::kRegular, solver), 1U);
  EXPECT_GT(options_allowed(Policy::kAnything, solver), 1U);
  solver.options = {"sat.euf=true"};
  EXPECT_EQ(options_allowed(Policy::kRegular, solver), 0U);
}

class Trials : public testing::Test {
 protected:
  Trials() {
    shared_.solvers = {plain_solver()};
    shared_.catalogues.resize(1);
    for (const char* name : {"rewriter.som", "rewriter.flat", "smt.seq.x", "sat.y"}) add_knob(name);
    shared_.catalogues[0].knobs[3].is_expert = true;
    shared_.correlations = {nullptr};
  }

  void add_knob(std::string name) {
    knobs::Knob knob;
    knob.name = std::move(name);
    knob.standard = "false";
    knob.values = {"false", "true"};
    shared_.catalogues[0].knobs.push_back(knob);
  }

  std::set<std::string> given(Policy policy, int tests) {
    shared_.settings.policy = policy;
    ir::TermStore terms;
    const auto script =
        smtlib::parse_script(terms, "(declare-const x Real)(assert (> (* x x) 2.0))(check-sat)");
    EXPECT_TRUE(script.has_value());
    OptionTrials trials(shared_);
    trials.begin_visit();
    std::set<std::string> options;
    for (int i = 0; i < tests; ++i) {
      const auto trial = trials.next(terms, *script, rng_);
      if (!trial) break;
      most_ = std::max(most_, trial->options.size());
      for (const std::string& option : trial->options) options.insert(option);
      const bool conflict = !refused_.empty() && trial->options.size() == 1 &&
                            trial->options[0].starts_with(refused_);
      conflicts_ += conflict ? 1 : 0;
      const bool is_wanted =
          std::any_of(trial->options.begin(), trial->options.end(),
                      [&](const std::string& option) { return option.starts_with(rewarded_); });
      rewards_ += is_wanted ? 1 : 0;
      trials.report(is_wanted ? 1 : 0, conflict, rng_);
    }
    return options;
  }

  Shared shared_;
  base::Rng rng_{3};
  size_t most_ = 0;
  std::string refused_;
  int conflicts_ = 0;
  std::string rewarded_;  // what shows something new; empty: everything
  int rewards_ = 0;
};

TEST_F(Trials, RegularGivesOneThatIsNotForExperts) {
  EXPECT_EQ(given(Policy::kRegular, 100),
            (std::set<std::string>{"rewriter.som=true", "rewriter.flat=true"}));
  EXPECT_EQ(most_, 1U);
}

TEST_F(Trials, AnythingGivesSets) {
  EXPECT_TRUE(given(Policy::kAnything, 200).contains("sat.y=true"));
  EXPECT_GT(most_, 1U);
}

TEST_F(Trials, DefaultGivesNothing) { EXPECT_TRUE(given(Policy::kDefault, 10).empty()); }

TEST_F(Trials, IrrelevantOptionsAreGivenWhereNobodyAsks) {
  for (const auto way : {OptionsFrom::kBoth, OptionsFrom::kRelevant}) {
    shared_.settings.options_from = way;
    EXPECT_FALSE(given(Policy::kRegular, 200).contains("smt.seq.x=true")) << to_string(way);
  }
  for (const auto way : {OptionsFrom::kSearch, OptionsFrom::kRandom}) {
    shared_.settings.options_from = way;
    EXPECT_EQ(given(Policy::kRegular, 200).size(), 3U) << to_string(way);  // none for experts
    EXPECT_EQ(given(Policy::kAnything, 200).size(), 4U) << to_string(way);
  }
}

// A search dwells on what was new; at random, one option is given as often as any other.
TEST_F(Trials, OnlySearchesLearnFromReports) {
  for (int i = 0; i < 20; ++i) add_knob("rewriter.x" + std::to_string(i));
  rewarded_ = "rewriter.som";
  const auto rewards = [&](OptionsFrom way) {
    shared_.settings.options_from = way;
    rewards_ = 0;
    given(Policy::kAnything, 1000);
    return rewards_;
  };
  const int at_random = rewards(OptionsFrom::kRandom);
  EXPECT_GT(rewards(OptionsFrom::kSearch), 2 * at_random);
  EXPECT_GT(rewards(OptionsFrom::kBoth), 2 * at_random);
  EXPECT_NEAR(rewards(OptionsFrom::kRelevant), at_random, 80);
}

// A search may have it in several vectors; the next one leaves it out.
TEST_F(Trials, WhatIsRefusedIsNotTriedForLong) {
  refused_ = "rewriter.flat";
  given(Policy::kRegular, 1000);
  EXPECT_GT(conflicts_, 0);
  EXPECT_LT(conflicts_, 120);
}

}  // namespace
}  // namespace elenchus::campaign
