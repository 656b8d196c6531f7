#include "experiment/shared_runs.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace elenchus::experiment {
namespace {

TEST(SharedRuns, AResultIsReadAsItWasWritten) {
  ExperimentRun run;
  run.arm = "diver+options";
  run.repetition = 3;
  run.rng = 7'234'567'890'123'456'789;
  run.counts.tests = 12'000;
  run.counts.runs = 24'001;
  run.counts.accepted = 11'000;
  run.counts.decided = 9'999;
  run.counts.valid = 5'000;
  run.counts.timeouts = 17;
  run.seconds = 301.25;
  run.cpu_seconds = 0.1;
  run.keys = 800;
  run.lines = 3;
  run.functions = 2;
  run.branches = 1;
  run.bugs = {"z3-crash-54f86f49", "cvc5-slow-1"};
  run.growth = {{60.0, 400}, {301.25, 800}};
  run.made_with = "elenchus 1, z3 4.8.12, 1 seed";
  run.node = "m\"1\xff";
  const auto read = parse_run(print_run(run));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(print_run(*read), print_run(run));
  EXPECT_EQ(read->rng, run.rng);
  EXPECT_EQ(read->counts.timeouts, run.counts.timeouts);
  EXPECT_EQ(read->growth, run.growth);
  EXPECT_EQ(read->bugs, run.bugs);
}

TEST(SharedRuns, WhatIsNoResultIsAnError) {
  for (const char* text : {"", "{", "[]", "{}", R"({"arm": 1})"}) {
    EXPECT_FALSE(parse_run(text)) << text;
  }
}

TEST(SharedRuns, AFolderKeepsItsIdentityAndIsForOneProcess) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "shared_runs_test";
  std::filesystem::remove_all(folder);
  std::string uid;
  {
    const auto first = take_workplace(folder, "a");
    ASSERT_TRUE(first) << first.error().message;
    uid = first->maker.uid;
    EXPECT_EQ(uid.size(), 32U);
    EXPECT_FALSE(take_workplace(folder, "a"));
  }
  const auto again = take_workplace(folder, "b");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->maker.uid, uid);
  EXPECT_EQ(again->maker.name, "b");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elenchus::experiment
