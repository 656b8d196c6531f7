#include "docket/history.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "solver/transcript.h"

namespace elenchus::docket {
namespace {

// A session with queries "(echo 0)", "(echo 1)", ...; the last one is the suspicion's own.
Suspicion in_session(size_t queries) {
  solver::Transcript transcript;
  for (size_t i = 0; i < queries; ++i) {
    solver::Asked asked;
    asked.query.text = fmt::format("(echo \"{}\")\n(check-sat)\n", i);
    asked.query.check_ends = {static_cast<uint32_t>(asked.query.text.size() - 1)};
    asked.prologue = "(reset)\n";
    asked.outcome = solver::Outcome::kSat;
    asked.answers = {solver::Outcome::kSat};
    transcript.queries.push_back(std::make_shared<const solver::Asked>(std::move(asked)));
  }
  Suspicion one;
  one.session = solver::write_transcript(transcript);
  one.script = transcript.queries.back()->query.text;
  one.expected = {"sat"};
  return one;
}

bool has(const Suspicion& one, size_t query) {
  return one.script.find(fmt::format("(echo \"{}\")", query)) != std::string::npos;
}

const auto kNever = [] { return false; };

TEST(HistoryTest, FindsTheOneQueryThatIsNeeded) {
  size_t tries = 0;
  const auto found = with_history(
      in_session(100), solver::Profile(),
      [&](const Suspicion& one) { return ++tries, has(one, 60) && has(one, 99); }, kNever);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->needs_history);
  EXPECT_EQ(found->script,
            "(reset)\n(echo \"60\")\n(check-sat)\n(reset)\n(echo \"99\")\n(check-sat)\n");
  EXPECT_EQ(found->check, 1u);
  EXPECT_EQ(found->expected, (std::vector<std::string>{"unknown", "sat"}));
  EXPECT_LT(tries, 60u);
}

TEST(HistoryTest, WhereAnyQueryBeforeItWillDoOneIsLeft) {
  const auto found = with_history(
      in_session(50), solver::Profile(), [](const Suspicion&) { return true; }, kNever);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->check, 1u);
  EXPECT_TRUE(has(*found, 48));
}

TEST(HistoryTest, NothingWhereItDoesNotShowWithAllOfThem) {
  EXPECT_FALSE(with_history(
      in_session(20), solver::Profile(), [](const Suspicion&) { return false; }, kNever));
  Suspicion alone = in_session(1);
  EXPECT_FALSE(with_history(
      alone, solver::Profile(), [](const Suspicion&) { return true; }, kNever));
  alone.session = "no transcript";
  EXPECT_FALSE(with_history(
      alone, solver::Profile(), [](const Suspicion&) { return true; }, kNever));
}

TEST(HistoryTest, EndsWithWhatItHasWhenItIsStopped) {
  size_t tries = 0;
  const auto found = with_history(
      in_session(64), solver::Profile(), [&](const Suspicion& one) { return ++tries, has(one, 0); },
      [&] { return tries > 8; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(has(*found, 0));
  EXPECT_LE(tries, 10u);
}

}  // namespace
}  // namespace elenchus::docket
