#include "mutate/tunables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace elenchus::mutate {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

std::string message(const std::string& assignment) {
  EngineSettings settings;
  const auto set = set_tunable(settings, assignment);
  return set ? "none" : set.error().message;
}

std::string with(const Tunable& tunable, const std::string& value) {
  return std::string(tunable.name) + "=" + value;
}

TEST(Tunables, NamesAreAnEngineAndWords) {
  std::set<std::string_view> names;
  for (const Tunable& tunable : tunables()) {
    EXPECT_TRUE(names.insert(tunable.name).second) << tunable.name;
    EXPECT_THAT(std::string(tunable.name), MatchesRegex("[a-z]+\\.[a-z]+(-[a-z]+)*"));
    EXPECT_FALSE(tunable.help.empty()) << tunable.name;
    EXPECT_NE(tunable.number == nullptr, tunable.flag == nullptr) << tunable.name;
    EXPECT_THAT(engine_names(), Contains(tunable.engine())) << tunable.name;
  }
}

TEST(Tunables, DefaultsAreWithinRange) {
  for (const Tunable& tunable : tunables()) {
    EngineSettings settings;
    if (tunable.number == nullptr) continue;
    EXPECT_GE(tunable.number(settings), tunable.low) << tunable.name;
    EXPECT_LE(tunable.number(settings), tunable.high) << tunable.name;
  }
}

// What is set is read back, and nothing else changes.
TEST(Tunables, EachReachesAMemberOfItsOwn) {
  for (const Tunable& tunable : tunables()) {
    std::vector<std::string> values = {"true", "false"};
    if (tunable.number != nullptr) {
      values = {std::to_string(tunable.low), std::to_string(tunable.high)};
    }
    for (const std::string& value : values) {
      EngineSettings settings;
      ASSERT_TRUE(set_tunable(settings, with(tunable, value)).has_value()) << tunable.name;
      EXPECT_EQ(tunable.value_in(settings), value) << tunable.name;
      for (const Tunable& other : tunables()) {
        if (other.name == tunable.name) continue;
        EXPECT_EQ(other.value_in(settings), other.value_in({})) << tunable.name << other.name;
      }
    }
  }
}

TEST(Tunables, WhatIsOutOfRangeIsRefused) {
  for (const Tunable& tunable : tunables()) {
    for (const char* value : {"", "x", "-1", "1.5", "1 ", "TRUE", "4294967296"}) {
      EXPECT_THAT(message(with(tunable, value)),
                  AllOf(HasSubstr(std::string(tunable.name) + " must be " + tunable.range()),
                        HasSubstr("not '")));
    }
    if (tunable.number == nullptr) continue;
    EXPECT_THAT(message(with(tunable, std::to_string(tunable.high + 1))), HasSubstr("must be"));
    if (tunable.low == 0) continue;
    EXPECT_THAT(message(with(tunable, std::to_string(tunable.low - 1))), HasSubstr("must be"));
  }
}

TEST(Tunables, MistakesSayWhatThereIs) {
  EXPECT_EQ(message("storm.max-depth"),
            "'storm.max-depth' is not NAME=VALUE, such as storm.max-depth=5");
  EXPECT_THAT(message("storm.depth=5"),
              AllOf(HasSubstr("no tunable 'storm.depth'"), HasSubstr("storm.max-depth"),
                    Not(HasSubstr("diver."))));
  EXPECT_THAT(message("strom.max-depth=5"),
              AllOf(HasSubstr("no engine 'strom'"), HasSubstr("storm"), Not(HasSubstr("\n"))));
  EXPECT_EQ(message("storm.max-depth=0"), "storm.max-depth must be 1 to 10000, not '0'");
  EXPECT_EQ(message("diver.weighted=no"), "diver.weighted must be true or false, not 'no'");
}

TEST(Tunables, TheLastWordCounts) {
  const std::vector<std::string> assignments = {"storm.max-depth=5", "diver.weighted=false",
                                                "storm.max-depth=7"};
  const auto settings = tuned(assignments);
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->storm.max_depth, 7U);
  EXPECT_FALSE(settings->diver.is_weighted);
  const std::vector<std::string> bad = {"storm.max-depth=5", "x"};
  EXPECT_FALSE(tuned(bad).has_value());
}

}  // namespace
}  // namespace elenchus::mutate
