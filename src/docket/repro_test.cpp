#include "docket/repro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "docket/dossier.h"
#include "docket/evidence.h"
#include "docket/short_run.h"
#include "lab/fake_solver.h"
#include "smtlib/parser.h"

namespace elenchus::docket {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

bool has(const Call& call, const std::string& option) {
  return std::find(call.options.begin(), call.options.end(), option) != call.options.end();
}

TEST(PlainestCallTest, TriesNoOptionsAtAllFirst) {
  int tried = 0;
  const Call plain = plainest_call({"/bin/s", {"-q", "-in", "--own"}, false}, 1,
                                   [&](const Call&) { return ++tried > 0; });
  EXPECT_THAT(plain.options, ElementsAre("--own"));
  EXPECT_TRUE(plain.by_file);
  EXPECT_EQ(tried, 2);
}

TEST(PlainestCallTest, KeepsWhatIsNeeded) {
  const Call given{"/bin/s", {"-q", "--exp", "-x"}, false};
  const Call plain = plainest_call(given, 0, [](const Call& call) { return has(call, "--exp"); });
  EXPECT_THAT(plain.options, ElementsAre("--exp"));
  EXPECT_TRUE(plain.by_file);
  const Call by_input = plainest_call(given, 0, [](const Call& call) { return !call.by_file; });
  EXPECT_THAT(by_input.options, IsEmpty());
  EXPECT_FALSE(by_input.by_file);
  EXPECT_EQ(plainest_call(given, 0, [](const Call&) { return false; }), given);
}

Indictment indictment(oracle::Kind kind) {
  Indictment one;
  one.solver = lab::fake_solver("one");
  one.finding.kind = kind;
  one.told = "(set-logic ALL)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";
  one.call = {"/nowhere/one", {"--it's"}, true};
  return one;
}

TEST(ReproTest, EveryKindHasAScript) {
  for (const record::KindInfo& kind : record::kinds()) {
    const auto files = repro_files(indictment(kind.kind));
    EXPECT_EQ(files.front().name, "reduced.smt2");
    EXPECT_EQ(files.back().name, "repro.sh");
    EXPECT_TRUE(files.back().executable);
    EXPECT_THAT(files.back().content, HasSubstr("reduced.smt2"));
    lab::Expense expense;
    EXPECT_FALSE(shows_by_script(indictment(kind.kind), indictment(kind.kind).call, {}, expense));
    EXPECT_GT(expense.seconds, 0);
  }
}

TEST(ReproTest, AsksForWhatItNeeds) {
  Indictment one = indictment(oracle::Kind::kCrash);
  EXPECT_EQ(with_requests(one), one.told);
  EXPECT_EQ(requests_for(one.finding).size(), 4U);
  one.requests = Requests::kModels;
  EXPECT_EQ(with_requests(one), "(set-option :produce-models true)\n" + one.told);
  one.requests = Requests::kShownCore;
  EXPECT_EQ(with_requests(one),
            "(set-option :produce-unsat-cores true)\n" + one.told + "(get-unsat-core)\n");
  EXPECT_THAT(requests_for(indictment(oracle::Kind::kInvalidModel).finding),
              ElementsAre(Requests::kNone));
}

TEST(ReproTest, AnUntriedCallClaimsNoOptions) {
  Indictment one = indictment(oracle::Kind::kCrash);
  one.solver.profile = solver::Profiles::standard().find("cvc5");
  one.call.options = {"--fp-exp"};
  EXPECT_THAT(dossier(one, {}, "").manifest.disclaimed, IsEmpty());
  one.shows_by_script = true;
  EXPECT_THAT(dossier(one, {}, "").manifest.disclaimed, ElementsAre("--fp-exp"));
  one.odd_format = "(_ FloatingPoint 2 3)";
  EXPECT_THAT(dossier(one, {}, "").manifest.disclaimed, ElementsAre("--fp-exp"));
}

TEST(ReproTest, AnOddFormatIsDisclaimedToo) {
  ir::TermStore store;
  const solver::Profile& cvc5 = *solver::Profiles::standard().find("cvc5");
  const auto odd = [&](const std::string& format) {
    const std::string text = "(declare-const x (_ FloatingPoint " + format +
                             "))(assert (fp.isZero (fp.neg x)))(check-sat)";
    return odd_format_in(store, smtlib::parse_script(store, text).value(), cvc5);
  };
  EXPECT_EQ(odd("8 24"), "");
  EXPECT_EQ(odd("2 3"), "(_ FloatingPoint 2 3)");
  Indictment one = indictment(oracle::Kind::kWrongRewrite);
  one.solver.profile = solver::Profiles::standard().find("cvc5");
  one.odd_format = "(_ FloatingPoint 2 3)";
  EXPECT_THAT(dossier(one, {}, "").manifest.disclaimed, ElementsAre("(_ FloatingPoint 2 3)"));
  const auto files = dossier(one, {}, "").files;
  const auto report = std::find_if(files.begin(), files.end(),
                                   [](const auto& file) { return file.name == "report.md"; });
  EXPECT_THAT(report->content, HasSubstr("Beyond what its maintainers support: (_ FloatingPoint"));
}

TEST(ReproTest, NamesTheProgramAsOneTypesIt) {
  const Call call{"/opt/z3 new/bin/z3", {"a b"}, false};
  EXPECT_EQ(shell_command(call, "reduced.smt2", Naming::kName), "z3 'a b' < reduced.smt2");
  EXPECT_EQ(shell_command(call, "reduced.smt2"), "'/opt/z3 new/bin/z3' 'a b' < reduced.smt2");
}

// What repro.sh says of a solver that is this shell script: 1 where the bug shows, 0 where it does
// not, 2 where it cannot tell.
int played(const Indictment& one, const std::string& solver) {
  const ShortLivedFolder folder;
  EXPECT_TRUE(folder.put(repro_files(one)));
  EXPECT_TRUE(folder.put({{"solver", "#!/bin/sh\n" + solver + "\n"}}));
  std::filesystem::permissions(folder.path() / "solver", std::filesystem::perms::owner_all);
  lab::Expense expense;
  const auto run = run_briefly(
      {"/bin/sh", (folder.path() / "repro.sh").string(), (folder.path() / "solver").string()}, 30,
      {}, expense);
  return run ? run->exit.code : -1;
}

TEST(PlayedReproTest, AWrongSat) {
  const Indictment one = indictment(oracle::Kind::kSolutionUnsound);
  EXPECT_EQ(played(one, "echo sat"), 1);
  EXPECT_EQ(played(one, "echo unsat"), 0);
  EXPECT_EQ(played(one, "echo oh"), 2);
  // An answer to what is left after something that it does not know.
  EXPECT_EQ(played(one, "echo '(error \"unknown constant\")'; echo sat"), 2);
  EXPECT_EQ(played(one, "echo unsat; echo '(error \"no model\")'"), 0);
}

TEST(PlayedReproTest, ACrash) {
  Indictment one = indictment(oracle::Kind::kCrash);
  one.finding.evidence = "SIGSEGV";
  EXPECT_EQ(played(one, "kill -SEGV $$"), 1);
  EXPECT_EQ(played(one, "echo sat"), 0);
  EXPECT_EQ(played(one, "echo oh"), 2);
  // For want of memory, or by somebody who waits no longer.
  EXPECT_EQ(played(one, "kill -KILL $$"), 2);
  EXPECT_EQ(played(one, "kill -TERM $$"), 2);
  one.finding.evidence = "exited with code 1";
  EXPECT_EQ(played(one, "exit 1"), 1);
  EXPECT_EQ(played(one, "echo '(error \"unknown option\")'; exit 1"), 2);
}

TEST(PlayedReproTest, TwoWaysToAsk) {
  Indictment one = indictment(oracle::Kind::kInconsistent);
  one.variant = "(declare-const x Int)\n(push 1)\n(assert (> x 0))\n(check-sat)\n";
  const std::string liar = "if grep -q push \"$2\"; then echo sat; else echo unsat; fi";
  EXPECT_EQ(played(one, liar), 1);
  EXPECT_EQ(played(one, "echo sat"), 0);
  EXPECT_EQ(played(one, "if grep -q push \"$2\"; then echo sat; else echo oh; fi"), 2);
}

TEST(PlayedReproTest, TwoSetsOfOptions) {
  Indictment one = indictment(oracle::Kind::kInconsistentOptions);
  one.other = one.solver;
  one.other->program = one.call.program;
  one.other->options = {"other=true"};
  const std::string liar = "case \"$*\" in *other=true*) echo sat ;; *) echo unsat ;; esac";
  EXPECT_EQ(played(one, liar), 1);
  EXPECT_EQ(played(one, "echo sat"), 0);
}

TEST(PlayedReproTest, AWrongElimination) {
  Indictment one = indictment(oracle::Kind::kWrongElimination);
  one.finding.reply = "(goals\n(goal false))";
  one.finding.claim = "the result is false";
  EXPECT_EQ(played(one, "printf '(goals\\n(goal false))\\nsat\\n'"), 1);
  EXPECT_EQ(played(one, "printf '(goals\\n(goal (> x 0)))\\nsat\\n'"), 2);
}

TEST(PlayedReproTest, WhatTakesItsTime) {
  Indictment one = indictment(oracle::Kind::kSlow);
  // Others are quick even on a machine that is not.
  one.seconds = 4;
  EXPECT_EQ(played(one, "exec sleep 1000"), 1);
  EXPECT_EQ(played(one, "kill -SEGV $$"), 2);
  EXPECT_EQ(played(one, "echo sat"), 0);
}

// A solver with this model, which answers a question about it, an (assert (= x ..)), so.
std::string modelled(const std::string& model, const std::string& answer) {
  return "if grep -q define-fun \"$2\"; then " + answer + "; else printf 'sat\\n(\\n" + model +
         "\\n)\\n'; fi";
}

TEST(PlayedReproTest, AnotherModelThanBefore) {
  Indictment one = indictment(oracle::Kind::kInvalidModel);
  one.finding.witness = "(\n(define-fun x () Int 0)\n)";
  one.finding.evidence = "(> x 0) is false";
  const std::string other = "(define-fun x () Int (- 1))";
  EXPECT_EQ(played(one, modelled("(define-fun x () Int 0)", "echo unknown")), 1);
  EXPECT_EQ(played(one, modelled(other, "echo unsat")), 1);
  EXPECT_EQ(played(one, modelled(other, "echo sat")), 0);
  EXPECT_EQ(played(one, modelled(other, "echo '(error \"no\")'; echo sat")), 2);
  EXPECT_EQ(played(one, modelled(other, "echo unsupported; echo sat")), 2);
  EXPECT_EQ(played(one, "echo unsat"), 0);
  // The question is asked as the script was, and has what the call has.
  EXPECT_EQ(played(one, modelled(other, "case $1 in \"--it's\") echo unsat ;; esac")), 1);
  one.told = "(declare-sort U 0)\n(declare-const x U)\n(assert (distinct x x))\n(check-sat)\n";
  EXPECT_EQ(played(one, modelled("(declare-fun U!0 () U)", "echo sat")), 2);
}

}  // namespace
}  // namespace elenchus::docket
