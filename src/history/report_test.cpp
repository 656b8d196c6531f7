#include "history/report.h"

#include <gtest/gtest.h>

#include <string>

namespace elenchus::history {
namespace {

TEST(Report, KindsFromTitles) {
  EXPECT_EQ(kind_of_title("Soundness bug in QF_S"), "soundness");
  EXPECT_EQ(kind_of_title("incorrect unsat"), "soundness");
  EXPECT_EQ(kind_of_title("Invalid model in NRA"), "invalid-model");
  EXPECT_EQ(kind_of_title("ASSERTION VIOLATION in theory_arith"), "crash");
  EXPECT_EQ(kind_of_title("Segfault with --foo"), "crash");
  EXPECT_EQ(kind_of_title("Feature request: more colours"), "");
}

TEST(Report, ScriptsOfFencedBlocks) {
  const std::string text =
      "Hello\n```\n$ cat bug.smt2\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n"
      "$ z3 bug.smt2\nsat\n(error \"line 1\")\n((x 1))\n```\nand no script:\n```c\nint x = "
      "f(1);\n```\n"
      "~~~smt2\n(assert (= \"```\" \"(\"))\n~~~\n````\n(assert true)\n```\n(check-sat)\n````\n"
      "```\n(assert false)";
  const auto scripts = scripts_in_markdown(text);
  ASSERT_EQ(scripts.size(), 4U);
  EXPECT_EQ(scripts[0], "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n");
  EXPECT_EQ(scripts[1], "(assert (= \"```\" \"(\"))\n");
  EXPECT_EQ(scripts[2], "(assert true)\n(check-sat)\n");
  EXPECT_EQ(scripts[3], "(assert false)\n");
}

TEST(Report, OriginOfAScript) {
  ReportReader reader;
  ASSERT_TRUE(reader.add("bugs/z3_1245_0.smt2", "(assert true)"));
  ASSERT_TRUE(
      reader.add("cvc5/x.smt2", "; date: 2021-03-04\n; issue: #12\n; kind: crash\n(check-sat)"));
  ASSERT_TRUE(reader.add("other.smt2", "; state: open\n(assert true)"));
  const auto reports = reader.take();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].origin, (Origin{"z3", 1245, "", ""}));
  EXPECT_EQ(reports[1].origin, (Origin{"cvc5", 12, "2021-03-04", "crash"}));
  EXPECT_EQ(reader.unresolved(), 1U);
}

TEST(Report, Markdown) {
  ReportReader reader;
  ASSERT_TRUE(reader.add("a/cvc5-99.md",
                         "---\ndate: 2022-01-02\n---\n# Unsound answer\n```\n(assert true)\n```\n"
                         "```\n(assert false)\n```\n"));
  const auto reports = reader.take();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].origin, (Origin{"cvc5", 99, "2022-01-02", "soundness"}));
}

constexpr const char* kIssues = R"([
 {"number": 7, "title": "Wrong answer", "state": "closed", "closed_at": "2020-05-06T01:02:03Z",
  "html_url": "https://github.com/Z3Prover/z3/issues/7",
  "body": "```\n(assert true)\n```", "comments": 2},
 {"number": 8, "title": "Wrong answer too", "state": "open",
  "html_url": "https://github.com/Z3Prover/z3/issues/8", "body": "```\n(assert false)\n```"},
 {"number": 9, "title": "Please document", "state": "closed",
  "html_url": "https://github.com/Z3Prover/z3/issues/9", "body": "```\n(assert false)\n```"},
 {"number": 10, "title": "Crash", "state": "closed", "pull_request": {"url": "x"},
  "html_url": "https://github.com/Z3Prover/z3/pull/10", "body": "```\n(assert false)\n```"},
 {"number": 11, "title": "Crash", "state": "closed", "state_reason": "not_planned",
  "html_url": "https://github.com/Z3Prover/z3/issues/11", "body": "```\n(assert false)\n```"},
 {"number": 12, "title": "Crash", "state": "CLOSED", "closedAt": "2021-01-01T00:00:00Z",
  "url": "https://github.com/cvc5/cvc5/issues/12", "body": "no formula",
  "comments": [{"body": "```\n(assert (not true))\n```"}, {"body": "thanks"}, 5, null]}
])";

TEST(Report, ResolvedIssuesOfATracker) {
  ReportReader reader;
  // Comments in a file of their own, before the issues.
  ASSERT_TRUE(reader.add("comments.json", R"([
    {"issue_url": "https://api.github.com/repos/Z3Prover/z3/issues/7",
     "body": "smaller:\n```\n(assert (or true false))\n```"},
    {"issue_url": "https://api.github.com/repos/Z3Prover/z3/issues/8", "body": "```\n(assert p)\n```"}])"));
  ASSERT_TRUE(reader.add("issues.json", kIssues));
  EXPECT_TRUE(reader.take().empty());
  reader.finish();
  const auto reports = reader.take();
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].text, "(assert (not true))\n");
  EXPECT_EQ(reports[0].origin, (Origin{"cvc5", 12, "2021-01-01", "crash"}));
  EXPECT_EQ(reports[1].text, "(assert (or true false))\n");
  EXPECT_EQ(reports[2].text, "(assert true)\n");
  EXPECT_EQ(reports[2].origin, (Origin{"z3", 7, "2020-05-06", "soundness"}));
  EXPECT_EQ(reader.unresolved(), 2U);
  EXPECT_EQ(reader.other_kinds(), 1U);
}

TEST(Report, HostileJson) {
  ReportReader reader;
  const std::string whole = kIssues;
  for (size_t cut = 0; cut < whole.size(); cut += 7) {
    EXPECT_FALSE(reader.add("x.json", whole.substr(0, cut)).has_value()) << cut;
  }
  EXPECT_FALSE(reader.add("x.json", "\xff\xfe").has_value());
  EXPECT_FALSE(reader.add("x.json", std::string(200'000, '[')).has_value());
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_TRUE(reader.add("x.json", deep).has_value());
  for (const char* odd :
       {"null", "3", "\"x\"", "{}", "[[],[[]],{}]", R"({"items": [1, null, {}]})",
        R"({"items": {"items": {"items": []}}})",
        R"([{"title": 5, "state": [], "body": {}, "number": -1, "comments": {}}])",
        R"([{"title": null, "number": 1e99}])"}) {
    EXPECT_TRUE(reader.add("x.json", odd).has_value()) << odd;
  }
  reader.finish();
  EXPECT_TRUE(reader.take().empty());
}

TEST(Report, HostileMarkdown) {
  std::string unended;
  for (int i = 0; i < 200'000; ++i) unended += "(assert (and\n";
  EXPECT_TRUE(scripts_in_markdown("```\n" + unended).empty());
  EXPECT_TRUE(scripts_in_markdown(std::string(1'000'000, '`')).empty());
  EXPECT_TRUE(scripts_in_markdown(std::string("```\n\0(\0", 7)).empty());
  const std::string deep =
      "```\n(assert " + std::string(200'000, '(') + std::string(200'000, ')') + ")\n```";
  EXPECT_EQ(scripts_in_markdown(deep).size(), 1U);
}

}  // namespace
}  // namespace elenchus::history
