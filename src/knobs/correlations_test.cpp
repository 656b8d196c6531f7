#include "knobs/correlations.h"

#include <gtest/gtest.h>

#include "knobs/relevance.h"
#include "smtlib/parser.h"

namespace elenchus::knobs {
namespace {

Effects effects_of(uint32_t trials, uint32_t conflicts, uint32_t statistics) {
  return {.trials = trials, .conflicts = conflicts, .statistics = statistics};
}

Correlations example() {
  Correlations learnt;
  learnt.solver = "z3";
  learnt.version = "4.8.12";
  learnt.formulas = 12;
  learnt.add("smt.seq.split_w_len", "str.++", effects_of(10, 0, 6));
  learnt.add("smt.seq.split_w_len", "bvadd", effects_of(10, 0, 0));
  learnt.add("rewriter.elim_rem", "push", effects_of(10, 10, 0));
  learnt.add("rewriter.elim_rem", "mod", effects_of(10, 0, 9));
  return learnt;
}

TEST(Correlations, RelevantIrrelevantAndConflict) {
  const Correlations learnt = example();
  EXPECT_DOUBLE_EQ(learnt.probability("smt.seq.split_w_len", "str.++"), 0.6);
  EXPECT_TRUE(learnt.is_relevant({"str.++", "bvadd"}, "smt.seq.split_w_len"));
  EXPECT_FALSE(learnt.is_relevant({"bvadd"}, "smt.seq.split_w_len"));
  EXPECT_FALSE(learnt.knows("smt.relevancy"));
}

// Then it is not the operations that it is refused for.
TEST(Correlations, AConflictWithAllOperationsIsNone) {
  Correlations learnt;
  learnt.add("ackermann", "+", effects_of(9, 9, 0));
  learnt.add("ackermann", "bvadd", effects_of(9, 9, 0));
  EXPECT_FALSE(learnt.is_in_conflict({"+", "-"}, "ackermann"));
  EXPECT_FALSE(learnt.knows("ackermann"));
  learnt.add("ackermann", "bvmul", effects_of(9, 0, 5));
  EXPECT_TRUE(learnt.is_in_conflict({"+", "-"}, "ackermann"));
  EXPECT_TRUE(learnt.knows("ackermann"));
}

TEST(Correlations, FewTrialsSayNothing) {
  Correlations learnt;
  learnt.add("o", "+", effects_of(2, 0, 2));
  EXPECT_FALSE(learnt.knows("o"));
  EXPECT_FALSE(learnt.is_relevant({"+"}, "o"));
}

TEST(Correlations, OneEffectMayBeAnothersDoing) {
  Correlations learnt;
  learnt.add("o", "+", effects_of(5, 0, 1));
  EXPECT_FALSE(learnt.is_relevant({"+"}, "o"));
  learnt.add("o", "+", effects_of(5, 0, 1));
  EXPECT_TRUE(learnt.is_relevant({"+"}, "o"));
}

TEST(Correlations, PrintedReadAndMerged) {
  const Correlations learnt = example();
  const std::string text = print_correlations(learnt);
  auto read = read_correlations(text);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(print_correlations(*read), text);
  EXPECT_EQ(read->solver, "z3");
  EXPECT_EQ(read->version, "4.8.12");
  read->merge(learnt);
  EXPECT_EQ(read->formulas, 24U);
  EXPECT_EQ(read->table().at("rewriter.elim_rem").at("mod").trials, 20U);
  EXPECT_DOUBLE_EQ(read->probability("smt.seq.split_w_len", "str.++"), 0.6);
}

TEST(Correlations, MistakesHaveAPlace) {
  const struct {
    const char* text;
    uint32_t line;
  } kCases[] = {
      {"", 1},
      {"nonsense\n", 1},
      {"elenchus-options 2\nbogus\n", 2},
      {"elenchus-options 2\n\na\tb\t1\t2\n", 3},
      {"elenchus-options 2\na\tb\t1\t0\t1\t1\t0\t0\n", 2},
      {"elenchus-options 2\na\tb\t1\t0\tx\t0\t0\t0\n", 2},
      {"elenchus-options 2\na\tb\t1\t-1\t0\t0\t0\t0\n", 2},
  };
  for (const auto& [text, line] : kCases) {
    const auto read = read_correlations(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().where.line, line) << text;
  }
}

Knob knob_of(std::string name, std::string group, bool is_expert = false) {
  Knob knob;
  knob.name = std::move(name);
  knob.group = std::move(group);
  knob.is_expert = is_expert;
  return knob;
}

std::vector<std::string> names(const std::vector<const Knob*>& knobs) {
  std::vector<std::string> result;
  for (const Knob* knob : knobs) result.push_back(knob->name);
  return result;
}

TEST(Relevance, ByModuleAndName) {
  Catalogue catalogue;
  catalogue.knobs = {knob_of("smt.arith.solver", "smt"), knob_of("strings-ff", "strings theory"),
                     knob_of("smt.relevancy", "smt"),    knob_of("mbqi", "quantifiers"),
                     knob_of("sat.gc", "sat", true),     knob_of("smt.bv.delay", "smt")};
  catalogue.knobs[2].ignored = "";
  Features features;
  features.theories = {ir::Theory::kStrings};
  EXPECT_EQ(names(relevant_knobs(catalogue, features, nullptr, false)),
            (std::vector<std::string>{"strings-ff", "smt.relevancy"}));
  EXPECT_EQ(names(relevant_knobs(catalogue, features, nullptr, true)),
            (std::vector<std::string>{"strings-ff", "smt.relevancy", "sat.gc"}));
  features.theories = {ir::Theory::kInts};
  features.has_quantifiers = true;
  EXPECT_EQ(names(relevant_knobs(catalogue, features, nullptr, false)),
            (std::vector<std::string>{"smt.arith.solver", "smt.relevancy", "mbqi"}));
}

TEST(Relevance, WhatWasLearntCountsMoreThanNames) {
  Catalogue catalogue;
  catalogue.knobs = {knob_of("rewriter.elim_rem", "rewriter"), knob_of("smt.arith.solver", "smt")};
  Correlations learnt = example();
  learnt.add("rewriter.elim_rem", "+", effects_of(10, 0, 0));
  Features features;
  features.theories = {ir::Theory::kInts};
  features.operations = {"+"};
  EXPECT_EQ(names(relevant_knobs(catalogue, features, &learnt, true)),
            (std::vector<std::string>{"smt.arith.solver"}));
  features.operations = {"+", "mod"};
  EXPECT_EQ(relevant_knobs(catalogue, features, &learnt, true).size(), 2U);
}

// elim_rem is known from `+` only, where it does nothing: that says nothing about `rem`.
TEST(Relevance, OperationsThatWereNeverTriedFallBackToNames) {
  Catalogue catalogue;
  catalogue.knobs = {knob_of("rewriter.elim_rem", "rewriter"), knob_of("smt.seq.x", "smt"),
                     knob_of("smt.mbqi", "smt")};
  Correlations learnt;
  for (const Knob& knob : catalogue.knobs) {
    for (const char* tried : {"+", "="}) learnt.add(knob.name, tried, {.trials = 9});
  }
  const auto options = [&](std::string_view text) {
    ir::TermStore terms;
    const auto script = smtlib::parse_script(terms, text);
    EXPECT_TRUE(script.has_value());
    return names(relevant_knobs(catalogue, features_of(terms, *script), &learnt, true));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(options("(declare-const x Int)(assert (= (+ x x) x))(check-sat)"), Names());
  EXPECT_EQ(options("(declare-const x Int)(assert (= (+ x x) (rem x 3)))(check-sat)"),
            Names{"rewriter.elim_rem"});
  EXPECT_EQ(options("(declare-const x Int)(assert (exists ((y Int)) (= y (+ x x))))(check-sat)"),
            Names{"smt.mbqi"});
  for (const Knob& knob : catalogue.knobs) learnt.add(knob.name, "rem", {.trials = 9});
  EXPECT_EQ(options("(declare-const x Int)(assert (= (+ x x) (rem x 3)))(check-sat)"), Names());
  learnt.add("rewriter.elim_rem", "mod", {.trials = 9, .conflicts = 9});
  EXPECT_EQ(options("(declare-const x Int)(assert (= (mod x 2) (div x 3)))(check-sat)"), Names());
}

// Functions and datatypes of a script's own are operations, too.
TEST(Relevance, WhatNobodyTrainedOnKeepsItsOptions) {
  Catalogue catalogue;
  catalogue.knobs = {knob_of("smt.relevancy", "smt"), knob_of("smt.dt_lazy_splits", "smt"),
                     knob_of("smt.arith.solver", "smt"), knob_of("smt.mbqi", "smt")};
  Correlations learnt;
  const auto options = [&](std::string_view text) {
    ir::TermStore terms;
    const auto script = smtlib::parse_script(terms, text);
    EXPECT_TRUE(script.has_value());
    return names(relevant_knobs(catalogue, features_of(terms, *script), &learnt, true));
  };
  using Names = std::vector<std::string>;
  const char* functions =
      "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (= (f a) a))(check-sat)";
  const char* datatypes =
      "(declare-datatype D ((c (h Bool)) (n)))(declare-const d D)(assert (not (= d n)))(check-sat)";
  const char* plain = "(declare-sort U 0)(declare-const a U)(assert (= a a))(check-sat)";
  for (const char* tried : {"+", "not"}) {
    for (const Knob& knob : catalogue.knobs) learnt.add(knob.name, tried, {.trials = 9});
  }
  EXPECT_EQ(options(plain), Names{"smt.relevancy"});
  for (const Knob& knob : catalogue.knobs) learnt.add(knob.name, "=", {.trials = 9});
  EXPECT_EQ(options(plain), Names());
  EXPECT_EQ(options(functions), Names{"smt.relevancy"});
  EXPECT_EQ(options(datatypes), (Names{"smt.relevancy", "smt.dt_lazy_splits"}));
}

// By the profile's name; the threshold and the trials are those of the files in data/options.
TEST(Correlations, SomeShip) {
  for (const char* solver : {"z3", "cvc5"}) {
    const Correlations* shipped = shipped_correlations(solver);
    ASSERT_NE(shipped, nullptr) << solver;
    EXPECT_EQ(shipped->solver, solver);
    EXPECT_GT(shipped->table().size(), 100U);
  }
  EXPECT_EQ(shipped_correlations("unheard-of"), nullptr);
}

}  // namespace
}  // namespace elenchus::knobs
