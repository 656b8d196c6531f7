#include "solver/reading.h"

#include <gtest/gtest.h>

namespace elenchus::solver {
namespace {

const Profile& profile(const char* name) { return *Profiles::standard().find(name); }

TEST(Reading, Answers) {
  EXPECT_EQ(read_answer(profile("z3"), "sat"), Outcome::kSat);
  EXPECT_EQ(read_answer(profile("z3"), "unsat"), Outcome::kUnsat);
  EXPECT_EQ(read_answer(profile("z3"), "unknown"), Outcome::kUnknown);
  EXPECT_EQ(read_answer(profile("z3"), "timeout"), Outcome::kTimeout);
  EXPECT_EQ(read_answer(profile("z3"), "sa"), std::nullopt);
  EXPECT_EQ(read_answer(profile("z3"), "delta-sat with delta = 0.001"), std::nullopt);
  EXPECT_EQ(read_answer(profile("dreal"), "delta-sat with delta = 0.001"), Outcome::kUnknown);
}

TEST(Reading, ErrorsAndOtherLines) {
  const std::string_view text =
      "unsupported\nWARNING: something\nwhat\n"
      "(error \"Parse Error: Symbol 'foo' not declared\n\n  (assert (foo))\n           ^\n\")\n"
      "sat\n(error \"line 2 column 3: more\")\nunsat\n";
  const Reading reading = read_output(profile("z3"), text);
  ASSERT_EQ(reading.answers.size(), 2U);
  EXPECT_EQ(reading.answers[0].outcome, Outcome::kSat);
  EXPECT_TRUE(reading.error.starts_with("(error \"Parse Error"));
  EXPECT_TRUE(reading.error.ends_with("\")"));
  EXPECT_LT(reading.error_at, reading.answers[0].at);
  ASSERT_EQ(reading.others.size(), 2U);
  EXPECT_EQ(reading.others[0], "what");
  EXPECT_EQ(reading.others[1], "(error \"line 2 column 3: more\")");
  EXPECT_EQ(first_line(reading.error), "Parse Error: Symbol 'foo' not declared");
}

TEST(Reading, HarmlessLinesTellNothing) {
  EXPECT_EQ(first_telling_line(profile("z3"),
                               "\n; ignoring unsupported logic HO_ALL line: 2\n"
                               "WARNING: a\n  (error \"b\")\nc\n"),
            "b");
  EXPECT_EQ(first_telling_line(profile("z3"), "WARNING: a\n"), "");
  EXPECT_EQ(first_telling_line(profile("z3"), ""), "");
}

TEST(Reading, SkippedCommands) {
  EXPECT_FALSE(read_output(profile("z3"), "unsupported\nsat\n").has_error());
  const auto skipped = [](const char* name, std::string_view err) {
    return find_skipped(profile(name), err);
  };
  EXPECT_EQ(skipped("z3",
                    "; ignoring unsupported logic FOO line: 1 position: 1\n"
                    "; :foo line: 2 position: 3\n; bar line: 3 position: 5\n"),
            "bar line: 3 position: 5");
  EXPECT_EQ(skipped("z3", "; ignoring unsupported logic FOO line: 1 position: 1\n"), "");
  EXPECT_EQ(skipped("z3", ""), "");
  EXPECT_EQ(skipped("bitwuzla", "[bitwuzla] hm\nEqualities over x not yet supported.\nmore\n"),
            "Equalities over x not yet supported.");
}

TEST(Reading, UnfinishedText) {
  EXPECT_TRUE(read_output(profile("z3"), "(error \"never ends").has_error());
  EXPECT_TRUE(read_output(profile("z3"), "(error").has_error());
  EXPECT_FALSE(read_output(profile("z3"), "\n\n").has_error());
  EXPECT_TRUE(read_output(profile("z3"), "sa").answers.empty());
}

TEST(Reading, Classification) {
  const auto of = [](const char* name, std::string_view text) {
    return classify(profile(name), text);
  };
  EXPECT_EQ(of("z3", "all is well").complaint, Complaint::kNone);
  const Classified violation =
      of("z3", "x\nASSERTION VIOLATION\nFile: a.cpp\n\nLine: 3\nx\nand more\n");
  EXPECT_EQ(violation.complaint, Complaint::kCrash);
  EXPECT_EQ(violation.message, "ASSERTION VIOLATION\nFile: a.cpp\nLine: 3\nx");
  EXPECT_EQ(of("z3", "==7==ERROR: AddressSanitizer: heap-use-after-free").complaint,
            Complaint::kCrash);
  EXPECT_EQ(of("cvc5", "a.cpp:1:2: runtime error: shift").complaint, Complaint::kCrash);
  EXPECT_EQ(of("z3", "(error \"out of memory\")").complaint, Complaint::kMemout);
  EXPECT_EQ(of("cvc5", "terminate called after throwing\n what(): std::bad_alloc").complaint,
            Complaint::kMemout);
  EXPECT_EQ(of("cvc4", "Fatal failure within CVC4::FloatingPointLiteral::unfinished()").complaint,
            Complaint::kUnsupported);
  // A build without a library; the message has two lines.
  EXPECT_EQ(
      of("cvc5",
         "Fatal failure within void ICPSolver::reset() at icp_solver.cpp:375\n"
         "Unimplemented code encountered ICPSolver requires cvc5 to be configured with LibPoly")
          .complaint,
      Complaint::kUnsupported);
  const Classified check =
      of("cvc5", "Fatal failure within x\nERRORS SATISFYING ASSERTIONS WITH MODEL:\nassertion: y");
  EXPECT_EQ(check.complaint, Complaint::kSelfCheck);
  EXPECT_EQ(check.answer, "sat");
  EXPECT_EQ(check.message, "ERRORS SATISFYING ASSERTIONS WITH MODEL:\nassertion: y");
}

TEST(Reading, SignalNames) {
  EXPECT_EQ(signal_name(11), "SIGSEGV");
  EXPECT_EQ(signal_name(99), "signal 99");
}

TEST(Names, WithinQuotesAreLeftOut) {
  EXPECT_EQ(without_quoted_names("no |a b| and 'c' in `d'"), "no || and '' in `'");
  EXPECT_EQ(without_quoted_names("(error \"no \"\"x\"\" here\")"), "(error \"no \"\"\"\" here\")");
  // Apostrophes are no quotes.
  EXPECT_EQ(without_quoted_names("can't be: it's"), "can't be: it's");
  EXPECT_EQ(without_quoted_names("'"), "'");
}

}  // namespace
}  // namespace elenchus::solver
