#include "solver/query.h"

#include <string>

#include <gtest/gtest.h>

#include "smtlib/parser.h"

namespace elenchus::solver {
namespace {

Query query_of(const std::string& text, const QueryOptions& options) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value());
  smtlib::ScriptPrinter printer(store);
  auto query = make_query(printer, store, *script, options);
  EXPECT_TRUE(query.has_value());
  return std::move(*query);
}

constexpr QueryOptions kNothing{.want_models = false, .want_cores = false};

TEST(Query, IsTheScriptAsItIs) {
  const std::string text =
      "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n";
  const Query query = query_of(text, kNothing);
  EXPECT_EQ(query.text, text);
  ASSERT_EQ(query.check_ends.size(), 1U);
  EXPECT_EQ(query.check_ends[0], text.size() - 1);
  EXPECT_FALSE(query.want_models);
}

TEST(Query, AsksForWhatIsWanted) {
  const Query query = query_of("(declare-fun b () Bool)(check-sat-assuming (b))",
                               {.want_models = true, .want_cores = true});
  EXPECT_EQ(query.text,
            "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n"
            "(set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n"
            "(declare-fun b () Bool)\n(check-sat-assuming (b))\n");
  ASSERT_EQ(query.check_ends.size(), 1U);
  EXPECT_EQ(query.check_ends[0], query.text.size() - 1);
}

TEST(Query, AsksAgainAfterAReset) {
  const Query query = query_of(
      "(set-logic QF_UF)(check-sat)(reset)(set-option :produce-models true)(set-logic QF_UF)"
      "(declare-fun b () Bool)(assert b)(check-sat)",
      {.want_models = true, .want_cores = false});
  EXPECT_EQ(query.text,
            "(set-option :produce-models true)\n(set-logic QF_UF)\n(check-sat)\n(reset)\n"
            "(set-option :produce-models true)\n(set-logic QF_UF)\n(declare-fun b () Bool)\n"
            "(assert b)\n(check-sat)\n");
  ASSERT_EQ(query.check_ends.size(), 2U);
  for (const uint32_t end : query.check_ends) {
    EXPECT_EQ(query.text.substr(end - 11, 11), "(check-sat)");
  }
}

TEST(Query, SettingsAreKnownHoweverTheyAreWritten) {
  const Query query = query_of(
      "(set-info   :status sat)(set-info ; why\n :status\n unsat)"
      "(set-option :produce-models\tfalse)(set-option\n:global-decls ; why\n true)"
      "(set-logic QF_UF)(check-sat)",
      kNothing);
  EXPECT_EQ(query.text, "(set-option :global-declarations true)\n(set-logic QF_UF)\n(check-sat)\n");
}

TEST(Query, LeavesOutWhatDisturbs) {
  const Query query = query_of(
      "(set-info :status sat)(set-info :source |x|)(set-option :produce-models false)"
      "(set-option :smt.arith.solver 2)(set-option :produce-unsat-cores true)"
      "(set-option :produce-proofs true)(set-option :global-declarations true)(set-logic QF_LIA)"
      "(declare-fun x () Int)(assert (! (> x 3) :named a))(echo \"hello\")(push 1)(check-sat)"
      "(get-model)(get-value (x))(get-info :reason-unknown)(get-unsat-core)(pop 1)(check-sat)"
      "(get-assertions)(exit)(check-sat)",
      kNothing);
  EXPECT_EQ(query.text,
            "(set-option :produce-unsat-cores true)\n"
            "(set-option :global-declarations true)\n(set-logic QF_LIA)\n(declare-fun x () Int)\n"
            "(assert (! (> x 3) :named a))\n(push 1)\n(check-sat)\n(pop 1)\n(check-sat)\n");
  ASSERT_EQ(query.check_ends.size(), 2U);
  for (const uint32_t end : query.check_ends) {
    EXPECT_TRUE(std::string_view(query.text).substr(0, end).ends_with("(check-sat)"));
  }
}

TEST(Query, RequestsAboutTheLastAnswerAreQuestions) {
  const std::string text =
      "(set-option :produce-unsat-cores true)(set-option :produce-proofs true)"
      "(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 3))(check-sat)(get-value ((+ x 1)))"
      "(check-sat)(get-info :reason-unknown)(get-value (x (+ x 2)))(get-unsat-core)"
      "(get-assignment)(get-proof)(push 1)(get-unsat-core)";
  const Query query = query_of(text, kNothing);
  const std::vector<std::string> questions = {"(get-value (x (+ x 2)))", "(get-unsat-core)",
                                              "(get-proof)"};
  EXPECT_EQ(query.questions, questions);
  EXPECT_TRUE(query.text.starts_with("(set-option :produce-proofs true)\n"));
  EXPECT_EQ(query.text.find("get-"), std::string::npos);
}

TEST(Query, OptionsStandOnce) {
  const Query query = query_of("(set-option :produce-models true)(check-sat)",
                               {.want_models = true, .want_cores = false});
  EXPECT_EQ(query.text, "(set-option :produce-models true)\n(set-logic ALL)\n(check-sat)\n");
}

TEST(Query, ItemsStayWithTheirCommands) {
  const Query query = query_of(
      "(set-info :status sat)(declare-fun p () Bool)(declare-fun q () Bool)"
      "(check-sat-assuming (p (not q)))(get-value (p))(check-sat-assuming (q))",
      kNothing);
  EXPECT_EQ(query.text,
            "(set-logic ALL)\n(declare-fun p () Bool)\n(declare-fun q () Bool)\n"
            "(check-sat-assuming (p (not q)))\n(check-sat-assuming (q))\n");
}

}  // namespace
}  // namespace elenchus::solver
