#include "lane/term_session.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace elenchus::lane {
namespace {

const std::string kTermFaults = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/planted_terms.py";

constexpr std::string_view kDeclarations = "(set-logic ALL)\n(declare-const x (_ BitVec 4))\n";

std::vector<Reply> ask_planted(const std::string& fault, std::vector<std::string>& texts) {
  const auto solver = solver::find_solver(solver::Profiles::standard(), kTermFaults + " " + fault);
  EXPECT_TRUE(solver.has_value());
  TermSession session(*solver, {.seconds = 5});
  EXPECT_TRUE(session.declare(kDeclarations));
  const std::vector<std::string_view> questions = {
      "(simplify (bvand x x))", "(simplify (bvsmod x x))", "(simplify (bvor x #x0))",
      "(simplify (bvfoo x))", "(simplify (bvxor x #x0))"};
  const auto replies = session.ask(questions);
  for (const Reply& reply : replies) {
    texts.emplace_back(reply.fate == Fate::kAnswered ? session.text_of(reply) : "");
  }
  return replies;
}

// Whatever becomes of the second question, the others have their replies.
void expect_others_answered(const std::string& fault, Fate second) {
  SCOPED_TRACE(fault);
  std::vector<std::string> texts;
  const auto replies = ask_planted(fault, texts);
  ASSERT_EQ(replies.size(), 5u);
  EXPECT_EQ(replies[1].fate, second);
  EXPECT_EQ(replies[3].fate, Fate::kRefused);
  for (const size_t i : {0, 2, 4}) {
    EXPECT_EQ(replies[i].fate, Fate::kAnswered);
    EXPECT_EQ(texts[i].substr(0, 1), "x");
  }
}

TEST(TermSessionTest, EachQuestionHasItsOwnFate) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  expect_others_answered("none", Fate::kAnswered);
  expect_others_answered("dies", Fate::kFatal);
  expect_others_answered("hangs", Fate::kTooLong);
  expect_others_answered("endless", Fate::kTooLong);
  expect_others_answered("deep", Fate::kTooLong);
}

// One in WebAssembly needs most of a minute; here it is two seconds, of which a batch has but one.
TEST(TermSessionTest, WhatStartsSlowlyIsWaitedFor) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  auto solver = solver::find_solver(solver::Profiles::standard(), kTermFaults + " late");
  ASSERT_TRUE(solver.has_value());
  solver::Profile profile = *solver->profile;
  profile.start_seconds = 60;
  solver->profile = std::make_shared<const solver::Profile>(profile);
  TermSession session(*solver, {.seconds = 0.1});
  EXPECT_TRUE(session.declare(kDeclarations));
}

TEST(TermSessionTest, ABatchEndsInTime) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  const auto solver = solver::find_solver(solver::Profiles::standard(), kTermFaults + " hangs");
  ASSERT_TRUE(solver.has_value());
  TermSession session(*solver, {.seconds = 5});
  ASSERT_TRUE(session.declare(kDeclarations));
  const std::vector<std::string_view> questions(12, "(simplify (bvsmod x x))");
  // Each takes a second and more.
  const auto replies = session.ask(questions);
  EXPECT_EQ(replies.front().fate, Fate::kTooLong);
  EXPECT_EQ(replies.back().fate, Fate::kLost);
  session.set_stop([] { return true; });
  for (const Reply& reply : session.ask(questions)) EXPECT_EQ(reply.fate, Fate::kLost);
}

// A reply that comes too late is taken for that of the next question; what is compared decides.
TEST(TermSessionTest, RepliesOutOfOrderEndNothing) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  std::vector<std::string> texts;
  const auto replies = ask_planted("swaps", texts);
  ASSERT_EQ(replies.size(), 5u);
  EXPECT_EQ(replies[4].fate, Fate::kAnswered);
}

}  // namespace
}  // namespace elenchus::lane
