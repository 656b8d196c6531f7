#include "campaign/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace elenchus::campaign {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message(std::string_view toml) {
  const auto settings = parse_settings(toml);
  return settings ? "none" : settings.error().message;
}

TEST(Settings, WhatIsWrittenIsReadBack) {
  Settings settings;
  settings.engines = {"storm+options"};
  settings.set = {"storm.max-depth=5", "diver.weighted=false"};
  settings.policy = Policy::kAnything;
  settings.options_from = OptionsFrom::kSearch;
  settings.rng = 7;
  settings.timeout = 0.5;
  const auto read = parse_settings(print_settings(settings));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->set, settings.set);
  EXPECT_EQ(read->policy, Policy::kAnything);
  EXPECT_EQ(read->options_from, OptionsFrom::kSearch);
  EXPECT_EQ(print_settings(*read), print_settings(settings));
}

TEST(Settings, ChoicesHaveNames) {
  for (const auto policy : {Policy::kDefault, Policy::kRegular, Policy::kAnything}) {
    EXPECT_EQ(*policy_of(to_string(policy)), policy);
  }
  for (const auto way :
       {OptionsFrom::kBoth, OptionsFrom::kRelevant, OptionsFrom::kSearch, OptionsFrom::kRandom}) {
    EXPECT_EQ(*options_from_of(to_string(way)), way);
  }
}

TEST(Settings, MistakesAreNamed) {
  EXPECT_EQ(message("policy = 'regular'\nset = 'storm.max-depth=5'\n"), "none");
  EXPECT_THAT(message("set = ['storm.max-depth=0']"), HasSubstr("must be 1 to"));
  EXPECT_THAT(message("set = ['storm.nonsense=1']"), HasSubstr("storm.max-depth"));
  EXPECT_THAT(message("policy = 'wild'"), AllOf(HasSubstr("wild"), HasSubstr("regular")));
  EXPECT_THAT(message("options-from = 'luck'"), AllOf(HasSubstr("luck"), HasSubstr("both")));
  EXPECT_THAT(message("policy = 3"), HasSubstr("must be a string"));
  EXPECT_THAT(message("polcy = 'regular'"), HasSubstr("polcy"));
  const auto settings = parse_settings("rng = 1\nset = ['x']\n");
  ASSERT_FALSE(settings.has_value());
  EXPECT_EQ(settings.error().where.line, 2U);
}

TEST(SettingsTest, PartsOfTheSearchHaveNames) {
  const auto settings = parse_settings("without = [\"pool\", \"breadth\"]");
  ASSERT_TRUE(settings.has_value());
  EXPECT_FALSE(settings->has("pool"));
  EXPECT_TRUE(settings->has("forgetting"));
  const auto wrong = parse_settings("without = \"everything\"");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("neighbourhood, breadth, forgetting, pool"),
            std::string::npos);
}

}  // namespace
}  // namespace elenchus::campaign
