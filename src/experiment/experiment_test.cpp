#include "experiment/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "experiment/experiment_tables.h"

namespace elenchus::experiment {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kPlan = R"(
name = "two engines"
repetitions = 3
tests = 50
rng = 7
[campaign]
solvers = ["z3"]
timeout = 1.0
[[arm]]
name = "typefuzz"
engines = ["typefuzz"]
[[arm]]
name = "storm-fast"
engines = ["storm"]
timeout = 0.5
)";

TEST(ExperimentPlan, ArmsAreTheCommonSettingsAndTheirOwn) {
  const auto plan = parse_plan(kPlan);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  ASSERT_EQ(plan->arms.size(), 2u);
  EXPECT_EQ(plan->arms[0].settings.timeout, 1.0);
  EXPECT_EQ(plan->arms[1].settings.timeout, 0.5);
  EXPECT_EQ(plan->arms[1].settings.solvers, std::vector<std::string>{"z3"});
  EXPECT_EQ(plan->arms[1].settings.engines, std::vector<std::string>{"storm"});
  EXPECT_EQ(plan->tests, 50u);
}

TEST(ExperimentPlan, MistakesAreNamed) {
  const auto message = [](const std::string& text) {
    const auto plan = parse_plan(text);
    return plan ? std::string("none") : plan.error().message;
  };
  const std::string arm = "[[arm]]\nname = \"a\"\n";
  EXPECT_THAT(message("tests = 1\n"), HasSubstr("no [[arm]]"));
  EXPECT_THAT(message(arm), HasSubstr("budget"));
  EXPECT_THAT(message("tests = 1\ncpu = 2.0\n" + arm), HasSubstr("budget"));
  EXPECT_THAT(message("tests = 1\n" + arm + arm), HasSubstr("two arms"));
  EXPECT_THAT(message("tests = 1\n[[arm]]\nname = \"../a\"\n"), HasSubstr("needs a name"));
  EXPECT_THAT(message("tests = 1\n" + arm + "tests = 4\n"), HasSubstr("the experiment's"));
  EXPECT_THAT(message("tests = 1\n" + arm + "nonsense = 4\n"), HasSubstr("nonsense"));
  EXPECT_THAT(message("testes = 1\n" + arm), HasSubstr("testes"));
  EXPECT_THAT(message("tests = = 1\n"), ::testing::Ne("none"));
}

TEST(ExperimentPlan, TheBudgetIsScaled) {
  const auto scaled = [](std::string_view text, double scale) {
    const auto plan = parse_plan(scaled_plan(text, scale));
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    return plan ? *plan : ExperimentPlan{};
  };
  EXPECT_EQ(scaled(kPlan, 0.1).tests, 5u);
  EXPECT_EQ(scaled(kPlan, 3).tests, 150u);
  EXPECT_EQ(scaled(kPlan, 1e-5).tests, 1u);
  EXPECT_EQ(scaled(kPlan, 0.25).scale, 0.25);
  const std::string arm = "[[arm]]\nname = \"a\"\n";
  EXPECT_EQ(scaled("cpu = 60\n" + arm, 0.5).cpu_seconds, 30);
  EXPECT_EQ(scaled("cpu = 60\n" + arm, 0.5).tests, 0u);
  EXPECT_THAT(summary_markdown(scaled(kPlan, 0.1), {}),
              HasSubstr("5 tests a run (0.1 times what the plan says)"));
  for (const char* scale : {"0", "-1", "nan", "inf", "\"2\""}) {
    EXPECT_FALSE(parse_plan(std::string("tests = 9\nscale = ") + scale + "\n" + arm).has_value());
  }
}

TEST(ExperimentPlan, ArmsMaySetTunables) {
  const std::string arm = "tests = 1\n[[arm]]\nname = \"a\"\n";
  const auto plan = parse_plan(arm + "set = [\"storm.max-depth=3\"]\n");
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->arms[0].settings.set, std::vector<std::string>{"storm.max-depth=3"});
  const auto wrong = parse_plan(arm + "set = [\"storm.max-depth=0\"]\n");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error().message, HasSubstr("arm 'a': storm.max-depth must be"));
}

TEST(ExperimentPlan, EveryRunHasItsOwnSeed) {
  const auto plan = parse_plan(kPlan);
  ASSERT_TRUE(plan.has_value());
  std::set<uint64_t> seeds;
  for (const Arm& arm : plan->arms) {
    for (uint32_t i = 1; i <= 3; ++i) seeds.insert(run_seed(*plan, arm.name, i));
  }
  EXPECT_EQ(seeds.size(), 6u);
  EXPECT_LT(*seeds.rbegin(), uint64_t{1} << 63);
  EXPECT_EQ(run_seed(*plan, "storm-fast", 2), run_seed(*plan, "storm-fast", 2));
}

// n = 5: all but the two of 32 cases in which all values lie on one side. n = 6: 1 - 2/64, and the
// next smaller interval would have 1 - 14/64. n = 9: the second of both ends, 1 - 20/512.
TEST(MedianInterval, IsBetweenOrderStatistics) {
  const MedianInterval five = median_interval({5, 1, 4, 2, 3});
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.low, 1);
  EXPECT_EQ(five.high, 5);
  EXPECT_NEAR(five.coverage, 1 - 2.0 / 32, 1e-12);
  const MedianInterval six = median_interval({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(six.median, 3.5);
  EXPECT_EQ(six.low, 1);
  EXPECT_NEAR(six.coverage, 1 - 2.0 / 64, 1e-12);
  const MedianInterval nine = median_interval({1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(nine.low, 2);
  EXPECT_EQ(nine.high, 8);
  EXPECT_NEAR(nine.coverage, 1 - 20.0 / 512, 1e-12);
  EXPECT_EQ(median_interval({4}).low, 4);
  EXPECT_EQ(median_interval({}).median, 0);
}

TEST(ExperimentTables, BugsAndTheirOverlap) {
  const auto plan = parse_plan(kPlan);
  ASSERT_TRUE(plan.has_value());
  const auto run = [](std::string arm, uint32_t repetition, std::vector<std::string> bugs) {
    ExperimentRun result;
    result.arm = std::move(arm);
    result.repetition = repetition;
    result.counts.tests = 50;
    result.counts.accepted = 25;
    result.cpu_seconds = 10;
    result.keys = 100 + repetition;
    result.bugs = std::move(bugs);
    result.growth = {{10.0, 50}, {20.0, 100}};
    return result;
  };
  const std::vector<ExperimentRun> runs = {
      run("typefuzz", 1, {"z3-crash-1", "z3-crash-2"}), run("typefuzz", 2, {"z3-crash-1"}),
      run("storm-fast", 1, {"z3-crash-2"}), run("storm-fast", 2, {})};
  const std::string text = summary_markdown(*plan, runs);
  EXPECT_THAT(text, HasSubstr("2 distinct bugs"));
  EXPECT_THAT(text, HasSubstr("| typefuzz | 2 | 1 | 2 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| storm-fast | 1 | 0 | 1 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| z3-crash-1 | 2 | 0 |"));
  EXPECT_THAT(text, HasSubstr("4 of 6 runs complete"));
  EXPECT_THAT(runs_csv(runs), HasSubstr("typefuzz,1,0,0.0,10.0,50,5,50,"));
  EXPECT_THAT(summary_csv(*plan, runs),
              HasSubstr("storm-fast,keys,2,101.5,101,102,0.5000,1,0.5000"));
  EXPECT_EQ(larger_share({2, 3}, {1, 2}), 0.875);
  for (const auto& [name, svg] : plots_svg(*plan, runs)) {
    EXPECT_THAT(svg, ::testing::Not(HasSubstr("nan"))) << name;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << name;
  }
}

// A piece of text in a picture: where it begins and ends, by an estimate.
struct Words {
  std::string text;
  double begin = 0;
  double end = 0;
  double y = 0;
};

// What stands between the two texts, from `at` on; `at` is then behind it, or npos.
std::string between(std::string_view text, std::string_view before, std::string_view after,
                    size_t& at) {
  at = text.find(before, at);
  if (at == std::string_view::npos) return {};
  const size_t begin = at + before.size();
  const size_t end = std::min(text.find(after, begin), text.size());
  at = end;
  return std::string(text.substr(begin, end - begin));
}

std::string attribute(std::string_view tag, std::string_view name) {
  size_t at = 0;
  return between(tag, fmt::format(" {}=\"", name), "\"", at);
}

// The tag of each text of the picture, and the text.
std::vector<std::pair<std::string, std::string>> texts_of(std::string_view svg) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (size_t at = 0; true;) {
    std::string tag = between(svg, "<text", ">", at);
    if (at == std::string_view::npos) return texts;
    texts.emplace_back(std::move(tag), between(svg, ">", "</text>", at));
  }
}

std::vector<Words> words_in(const std::string& svg) {
  std::vector<Words> all;
  for (const auto& [tag, text] : texts_of(svg)) {
    constexpr double kLetter = 7;
    Words words{text, std::stod(attribute(tag, "x")), 0, std::stod(attribute(tag, "y"))};
    const double width = kLetter * static_cast<double>(text.size());
    if (attribute(tag, "text-anchor") == "end") words.begin -= width;
    if (attribute(tag, "text-anchor") == "middle") words.begin -= width / 2;
    words.end = words.begin + width;
    all.push_back(words);
  }
  return all;
}

// One, two or five times a power of ten.
bool is_round(double step) {
  while (step > 9.5) step /= 10;
  while (step < 0.95) step *= 10;
  return std::abs(step - 1) < 1e-6 || std::abs(step - 2) < 1e-6 || std::abs(step - 5) < 1e-6;
}

// The differences of the figures beside the picture, from one line to the next.
std::vector<double> steps_in(const std::string& svg) {
  std::vector<double> values;
  for (const auto& [tag, text] : texts_of(svg)) {
    const bool is_figure =
        attribute(tag, "text-anchor") == "end" && attribute(tag, "fill") == "#666";
    if (!is_figure || text.find_first_not_of("0123456789,. kM") != std::string::npos) continue;
    std::string digits = text;
    std::erase(digits, ',');
    const double unit = digits.ends_with(" M") ? 1e6 : (digits.ends_with(" k") ? 1e3 : 1);
    values.push_back(unit * std::stod(digits));
  }
  std::vector<double> steps(values.size());
  std::adjacent_difference(values.begin(), values.end(), steps.begin());
  return steps;
}

TEST(ExperimentTables, PicturesHoldTheirTextAndHaveRoundFigures) {
  for (const size_t arms : {2, 7, 14}) {
    ExperimentPlan plan;
    std::vector<ExperimentRun> runs;
    for (size_t i = 0; i < arms; ++i) {
      Arm& arm = plan.arms.emplace_back();
      arm.name = fmt::format("typefuzz-with-everything-{}", i) + std::string(i == 1 ? 90 : 0, 'x');
      ExperimentRun& run = runs.emplace_back();
      run.arm = arm.name;
      run.counts.tests = 137 * (i + 1);
      run.cpu_seconds = 3.7;
      run.keys = 1733 * (i + 1);
      run.growth = {{10.0, 50}, {73.0, run.keys}};
    }
    for (const auto& [name, svg] : plots_svg(plan, runs)) {
      const std::vector<Words> all = words_in(svg);
      ASSERT_GT(all.size(), arms);
      for (const Words& words : all) {
        EXPECT_GE(words.begin, 0) << name << ": " << words.text;
        EXPECT_LE(words.end, 640) << name << ": " << words.text;
        for (const Words& other : all) {
          if (&other == &words || other.y != words.y) continue;
          EXPECT_TRUE(other.end <= words.begin || words.end <= other.begin)
              << name << ": " << words.text << " and " << other.text;
        }
      }
      const std::vector<double> steps = steps_in(svg);
      ASSERT_GE(steps.size(), 2U) << name;
      EXPECT_EQ(steps[0], 0) << name;
      for (size_t i = 1; i < steps.size(); ++i) EXPECT_TRUE(is_round(steps[i])) << name;
    }
  }
}

}  // namespace
}  // namespace elenchus::experiment
