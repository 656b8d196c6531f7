#include "triage/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace elenchus::triage {
namespace {

using testing::HasSubstr;
using testing::Not;

record::Bug wrong_model() {
  record::Bug bug;
  bug.kind = "invalid-model";
  bug.solver = "cvc5";
  bug.version = "1.3.1";
  bug.title = "cvc5 1.3.1: wrong model on (= x1 c)";
  bug.command = "/opt/cvc5 reduced.smt2";
  bug.evidence = "(= x 1) is false";
  bug.engine = "storm";
  bug.shown_by = {"1.3.1"};
  bug.size_original = 305;
  bug.size_reduced = 120;
  return bug;
}

std::string text_before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

TEST(ReportTest, WhatNobodySupportsIsSaidFirst) {
  record::Bug bug = wrong_model();
  bug.disclaimed = {"--fp-exp", "not --safe-mode=stable"};
  const std::string text =
      report_text(bug, {.command = "cvc5 f", .beyond_rules = "with --safe-mode=stable it refuses"});
  const std::string head = text_before(text, "    cvc5 f\n");
  EXPECT_THAT(head, HasSubstr("Needs `--fp-exp`, which cvc5 itself calls experimental."));
  EXPECT_THAT(head, HasSubstr("maintainers support: with --safe-mode=stable it refuses."));
  EXPECT_THAT(report_text(wrong_model(), {}), Not(HasSubstr("Beyond")));
}

TEST(ReportTest, WhatItProbablyIsIsSaidFirst) {
  record::Bug bug = wrong_model();
  bug.probable = "solution-unsound";
  const std::string text = report_text(bug, {.command = "cvc5 f", .probably = "z3 answers unsat"});
  EXPECT_THAT(text_before(text, "    cvc5 f\n"),
              HasSubstr("Probably a wrong sat: z3 answers unsat."));
}

TEST(ReportTest, WhatIsNotFinishedIsSaidFirst) {
  record::Bug bug = wrong_model();
  EXPECT_THAT(report_text(bug, {}), Not(HasSubstr("Not finished")));
  bug.is_provisional = true;
  const std::string text = report_text(bug, {.command = "cvc5 f"});
  EXPECT_THAT(text_before(text, "    cvc5 f\n"), HasSubstr("Not finished: the time was up"));
}

TEST(ReportTest, WhatOfItsSessionABugTakesIsSaid) {
  record::Bug bug = wrong_model();
  bug.needs_history = true;
  const auto told = [&](const char* script) { return report_text(bug, {.script = script}); };
  EXPECT_THAT(told("(check-sat)\n(reset)\n(check-sat)\n"), HasSubstr("before the last `(reset)`"));
  EXPECT_THAT(told("(check-sat)\n(check-sat)\n"),
              HasSubstr("after the queries before the last one"));
  EXPECT_THAT(told("(check-sat)\n"), Not(HasSubstr("shows only after")));
}

TEST(ReportTest, SizesAreOfTheSame) {
  record::Bug bug = wrong_model();
  EXPECT_THAT(report_text(bug, {}), HasSubstr("305 bytes reduced to 120."));
  bug.size_reduced = 313;
  EXPECT_THAT(report_text(bug, {}), HasSubstr(" 313 bytes."));
  bug.size_reduced = 0;
  EXPECT_THAT(report_text(bug, {}), HasSubstr("305 bytes, not reduced."));
}

TEST(ReportTest, FoldersOfThisMachineAreNotNamed) {
  record::Bug bug = wrong_model();
  bug.seeds = {"/home/me/a.smt2", "data/seeds/b.smt2"};
  EXPECT_THAT(report_text(bug, {}), HasSubstr(" from a.smt2, data/seeds/b.smt2;"));
}

// A script that closes the fence would write the rest of the report.
TEST(ReportTest, ScriptsStayWithinTheirFence) {
  const std::string text = report_text(wrong_model(), {.script = "; ```\n# Not ours\n"});
  EXPECT_THAT(text, HasSubstr("````smt2\n; ```\n# Not ours\n````\n"));
}

}  // namespace
}  // namespace elenchus::triage
