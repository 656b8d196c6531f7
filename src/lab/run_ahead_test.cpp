#include "lab/run_ahead.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <string>

namespace elenchus::lab {
namespace {

using solver::Outcome;

solver::Solver fake(const std::string& mode) {
  const std::string spec = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake " + mode;
  return solver::find_solver(solver::Profiles::standard(), spec).value();
}

solver::Query query(const std::string& assertion) {
  solver::Query query;
  query.text = "(assert " + assertion + ")\n(check-sat)\n";
  query.check_ends = {static_cast<uint32_t>(query.text.size() - 1)};
  return query;
}

TEST(RunAhead, WhatIsExpectedIsThere) {
  for (const bool fresh : {false, true}) {
    RunAhead ahead(fake("honest"), fresh, 2);
    ahead.expect(query("false"), {});
    ahead.expect(query("true"), {});
    const auto no = ahead.take(query("false"));
    const auto yes = ahead.take(query("true"));
    ASSERT_TRUE(no && yes);
    EXPECT_EQ(no->checks.at(0).outcome, Outcome::kUnsat);
    EXPECT_EQ(yes->checks.at(0).outcome, Outcome::kSat);
    EXPECT_FALSE(ahead.take(query("(> x 1)")).has_value());
  }
}

TEST(RunAhead, AQueryThatWantsMoreIsAnother) {
  RunAhead ahead(fake("honest"), false, 1);
  ahead.expect(query("true"), {});
  solver::Query with_model = query("true");
  with_model.want_models = true;
  EXPECT_FALSE(ahead.take(with_model).has_value());
  EXPECT_TRUE(ahead.take(query("true")).has_value());
}

TEST(RunAhead, OnlyAsManyAsThereAreThreads) {
  RunAhead ahead(fake("slow-wrong"), false, 1);
  ahead.expect(query("(> x 1)"), {});
  ahead.expect(query("(> x 2)"), {});
  EXPECT_TRUE(ahead.take(query("(> x 1)")).has_value());
  EXPECT_FALSE(ahead.take(query("(> x 2)")).has_value());
  // There is room again.
  ahead.expect(query("(> x 2)"), {});
  EXPECT_TRUE(ahead.take(query("(> x 2)")).has_value());
}

TEST(RunAhead, LongWorkKeepsLittle) {
  RunAhead ahead(fake("honest"), false, 1);
  for (int i = 0; i < 20; ++i) {
    const std::string assertion = "(> x " + std::to_string(i) + ")";
    ahead.expect(query(assertion), {});
    EXPECT_TRUE(ahead.take(query(assertion)).has_value());
  }
  EXPECT_FALSE(ahead.take(query("(> x 0)")).has_value());
}

TEST(RunAhead, EndsWithWorkUnderWay) {
  {
    RunAhead ahead(fake("slow-wrong"), true, 3);
    for (int i = 0; i < 3; ++i) ahead.expect(query("(> x " + std::to_string(i) + ")"), {});
  }
  // No solver is left, running or not waited for.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace elenchus::lab
