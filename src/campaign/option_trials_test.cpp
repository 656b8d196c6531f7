#include "campaign/option_trials.h"
#include "campaign/engine_name.h"

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
  EXPECT_EQ(options_tried(Policy::kDefault), 0U);
  EXPECT_EQ(options_tried(Policy::kRegular), 8U);
  EXPECT_EQ(options_tried(Policy::kAnything), 8U);
  solver.options = {"sat.euf=true"};
  EXPECT_FALSE(outside_policy(Policy::kDefault, solver).empty());
  EXPECT_TRUE(outside_policy(Policy::kRegular, solver).empty());
  solver.options.emplace_back("rewriter.flat=false");
  EXPECT_EQ(outside_policy(Policy::kRegular, solver),
            "it needs 2 options, and the policy 'regular' reports what needs 1 at most");
  EXPECT_TRUE(outside_policy(Policy::kAnything, solver).empty());
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
    std::set<std::string> options;
    for (int i = 0; i < tests; ++i) {
      const auto trial = trials.next(terms, *script, rng_);
      if (!trial) break;
      most_ = std::max(most_, trial->options.size());
      for (const std::string& option : trial->options) options.insert(option);
      const bool conflict =
          !refused_.empty() &&
          std::any_of(trial->options.begin(), trial->options.end(),
                      [&](const std::string& option) { return option.starts_with(refused_); });
      conflicts_ += conflict ? 1 : 0;
      const bool is_wanted =
          std::any_of(trial->options.begin(), trial->options.end(),
                      [&](const std::string& option) { return option.starts_with(rewarded_); });
      rewards_ += is_wanted ? 1 : 0;
      trials.report({.fitness = is_wanted ? 1U : 0U, .has_news = is_wanted, .conflict = conflict},
                    rng_);
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

TEST_F(Trials, RegularGivesSetsOfWhatIsNotForExperts) {
  EXPECT_EQ(given(Policy::kRegular, 100),
            (std::set<std::string>{"rewriter.som=true", "rewriter.flat=true"}));
  EXPECT_EQ(most_, 2U);
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

class Searches : public Trials {
 protected:
  // The options of so many trials on one script, after the other.
  std::vector<std::vector<std::string>> tried(OptionTrials& trials, std::string_view text,
                                              int tests) {
    ir::TermStore terms;
    const auto script = smtlib::parse_script(terms, text);
    EXPECT_TRUE(script.has_value());
    std::vector<std::vector<std::string>> all;
    for (int i = 0; i < tests; ++i) {
      const auto trial = trials.next(terms, *script, rng_);
      if (!trial) break;
      all.push_back(trial->options);
      trials.report({.fitness = 1}, rng_);
    }
    return all;
  }

  static constexpr std::string_view kReal =
      "(declare-const x Real)(assert (> (* x x) 2.0))(check-sat)";
  static constexpr std::string_view kString =
      "(declare-const x String)(assert (= (str.len x) 2))(check-sat)";
};

// One search goes on from script to script, until its own rule ends it; no vector comes twice.
TEST_F(Searches, LiveOn) {
  for (int i = 0; i < 12; ++i) add_knob("rewriter.x" + std::to_string(i));
  shared_.settings.policy = Policy::kAnything;
  OptionTrials trials(shared_);
  std::set<std::vector<std::string>> seen;
  for (int i = 0; i < 20; ++i) {
    for (const auto& options : tried(trials, kReal, 1)) EXPECT_TRUE(seen.insert(options).second);
  }
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_EQ(trials.begun(), 1U);
  tried(trials, kReal, 200);  // barren
  EXPECT_GT(trials.ended(), 0U);
  EXPECT_EQ(trials.begun(), trials.ended() + 1);
}

// Those of strings go to scripts with strings, whatever came before them.
TEST_F(Searches, FollowEachScript) {
  shared_.settings.policy = Policy::kAnything;
  OptionTrials trials(shared_);
  const auto has_string_option = [](const std::vector<std::string>& options) {
    return std::find(options.begin(), options.end(), "smt.seq.x=true") != options.end();
  };
  int with_strings = 0;
  for (int i = 0; i < 30; ++i) {
    for (const auto& options : tried(trials, kReal, 1)) EXPECT_FALSE(has_string_option(options));
    for (const auto& options : tried(trials, kString, 1))
      with_strings += has_string_option(options);
  }
  EXPECT_GT(with_strings, 0);
}

TEST_F(Searches, AreNoMoreThanMemoryAllows) {
  for (int i = 0; i < 40; ++i) add_knob("k" + std::to_string(i));
  shared_.settings.policy = Policy::kAnything;
  OptionTrials trials(shared_);
  knobs::Correlations learnt;
  shared_.correlations = {&learnt};
  // Each of many operators has one option of its own.
  for (int i = 0; i < 40; ++i) {
    learnt = {};
    for (const knobs::Knob& knob : shared_.catalogues[0].knobs) {
      const bool matters = knob.name == "k" + std::to_string(i);
      learnt.add(knob.name, "*", {.trials = 9, .answers = matters ? 9U : 0U});
      learnt.add(knob.name, ">", {.trials = 9});
    }
    EXPECT_EQ(tried(trials, kReal, 1).size(), 1U);
  }
  EXPECT_EQ(trials.begun(), 40U);
}

// One refusal may be the script's doing, and says nothing of other logics and values.
TEST_F(Searches, ARefusalIsOfOneValueInOneLogic) {
  shared_.catalogues[0].knobs.resize(1);
  shared_.catalogues[0].knobs[0].values = {"false", "true", "both"};
  shared_.settings.policy = Policy::kAnything;
  OptionTrials trials(shared_);
  // How often it is given as `true` in twenty trials, and refused then.
  const auto refused = [&](std::string_view logic) {
    ir::TermStore terms;
    const auto script =
        smtlib::parse_script(terms, "(set-logic " + std::string(logic) + ")" + std::string(kReal));
    EXPECT_TRUE(script.has_value());
    int times = 0;
    for (int i = 0; i < 40; ++i) {
      const auto trial = trials.next(terms, *script, rng_);
      if (!trial) continue;
      const bool is_true = trial->options[0] == "rewriter.som=true";
      times += is_true ? 1 : 0;
      trials.report({.conflict = is_true}, rng_);
    }
    return times;
  };
  EXPECT_EQ(refused("QF_NRA"), 3);
  EXPECT_EQ(refused("QF_NRA"), 0);
  EXPECT_EQ(refused("ALL"), 3);
  EXPECT_EQ(tried(trials, kReal, 1).size(), 1U);
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
