#include "history/knowledge.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "history/knowledge_file.h"
#include "history/learner.h"
#include "history/library.h"

namespace elenchus::history {
namespace {

namespace fs = std::filesystem;

const std::string kFirst =
    "(declare-const x Int)(declare-const y Int)"
    "(assert (exists ((v Int)) (and (= 2 v) (= v (+ x v)))))(assert (not (= 2 y)))(check-sat)";
const std::string kSecond =
    "(declare-const a Int)(declare-const s String)"
    "(assert (or (= 5 a) (= a (* a a)) (str.contains s \"x\")))(check-sat)";
const std::string kThird = "(declare-const z Int)(assert (xor (= 1 z) (< z 0)))(check-sat)";

Report report(const std::string& text, Origin origin = {}) {
  return {"test", text, std::move(origin)};
}

RuleSettings two_of_three() {
  RuleSettings settings;
  settings.support = 2;
  settings.confidence = 0.6;
  return settings;
}

Knowledge learn(const std::vector<Report>& reports, LearnCounts* counts = nullptr) {
  KnowledgeBuilder builder;
  Learner learner(builder);
  for (const Report& each : reports) (void)learner.add(each);
  if (counts != nullptr) *counts = learner.counts();
  return builder.build(two_of_three());
}

TEST(Knowledge, WhatThreeInputsTeach) {
  const Knowledge known = learn({report(kFirst), report(kSecond), report(kThird)});
  EXPECT_EQ(known.skeletons,
            (std::vector<std::string>{"(exists (and _ _))", "(not _)", "(or _ _ _)", "(xor _ _)"}));
  EXPECT_EQ(known.signatures, (std::vector<std::string>{"(< IntVar IntConst)",
                                                        "(= IntConst IntVar)", "(= IntVar IntVar)",
                                                        "(str.contains StringVar StringConst)"}));
  // (= IntConst IntVar) is in all three, (= IntVar IntVar) in two of them.
  const std::vector<Rule> rules = {{{1}, {2}, 2, 2.0 / 3.0}, {{2}, {1}, 2, 1.0}};
  EXPECT_EQ(known.rules, rules);
  std::vector<std::string> atoms;
  for (const Atom& atom : known.atoms) atoms.push_back(atom.text);
  EXPECT_EQ(atoms, (std::vector<std::string>{"(< v0_Int 0)", "(= 1 v0_Int)", "(= 2 v0_Int)",
                                             "(= 5 v0_Int)", "(= v0_Int (* v0_Int v0_Int))",
                                             "(= v0_Int (+ v1_Int v0_Int))",
                                             "(str.contains v0_String \"x\")"}));
  EXPECT_EQ(known.declarations.size(), 3U);
}

TEST(Knowledge, IllFormedInputsAreCountedAndDropped) {
  LearnCounts counts;
  const Knowledge known =
      learn({report("(assert (and 1 2))"), report("(assert"), report("(check-sat)"), report(kFirst),
             // The same but for names and numbers of variables.
             report("(declare-const u Int)(declare-const w Int)(assert (not (= 2 w)))"
                    "(assert (exists ((k Int)) (and (= 2 k) (= k (+ u k)))))")},
            &counts);
  EXPECT_EQ(counts.inputs, 5U);
  EXPECT_EQ(counts.ill_formed, 2U);
  EXPECT_EQ(counts.empty, 1U);
  EXPECT_EQ(counts.learnt, 1U);
  EXPECT_EQ(counts.known, 1U);
  EXPECT_EQ(known.lessons.size(), 1U);
}

TEST(Knowledge, TheFileReadsBack) {
  const Knowledge known =
      learn({report(kFirst, {"z3", 7, "2020-01-02", "crash"}), report(kSecond), report(kThird)});
  const std::string text = print_knowledge(known);
  const auto again = read_knowledge(text);
  ASSERT_TRUE(again.has_value()) << again.error().where.line << ": " << again.error().message
                                 << "\n"
                                 << text;
  EXPECT_EQ(again->lessons, known.lessons);
  EXPECT_EQ(again->rules, known.rules);
  EXPECT_EQ(print_knowledge(*again), text);
}

TEST(Knowledge, MergingAndOrderDoNotMatter) {
  const Report one = report(kFirst, {"z3", 7, "2020-01-02", "crash"});
  const Report two = report(kSecond, {"cvc5", 9, "2021-01-02", ""});
  const Report three = report(kThird);
  const std::string all = print_knowledge(learn({one, two, three}));
  EXPECT_EQ(print_knowledge(learn({three, one, two})), all);
  const Knowledge part = learn({one, three});
  const Knowledge other = learn({two, three});
  for (const bool is_swapped : {false, true}) {
    KnowledgeBuilder builder;
    EXPECT_EQ(builder.add(is_swapped ? other : part), 2U);
    EXPECT_EQ(builder.add(is_swapped ? part : other), 1U);
    EXPECT_EQ(builder.add(part), 0U);
    EXPECT_EQ(print_knowledge(builder.build(two_of_three())), all);
    // Learning the same input again adds nothing.
    Learner learner(builder);
    ASSERT_TRUE(learner.add(one));
    EXPECT_EQ(learner.counts().known, 1U);
    EXPECT_EQ(print_knowledge(builder.build(two_of_three())), all);
  }
}

TEST(Knowledge, CutBySolverAndDate) {
  const Knowledge all =
      learn({report(kFirst, {"z3", 7, "2020-01-02", ""}),
             report(kSecond, {"cvc5", 9, "2021-01-02", ""}), report(kThird, {"z3", 40, "", ""})});
  const Knowledge z3 = cut(all, {.solver = "z3", .until = "", .last_issue = 0});
  EXPECT_EQ(z3.lessons.size(), 2U);
  EXPECT_EQ(z3.skeletons.size(), 3U);
  EXPECT_EQ(z3.atoms.size(), 4U);
  EXPECT_TRUE(z3.rules.empty());
  EXPECT_EQ(cut(all, {.solver = "", .until = "2020-12-31", .last_issue = 0}).lessons.size(), 1U);
  EXPECT_EQ(cut(all, {.solver = "", .until = "", .last_issue = 9}).lessons.size(), 2U);
  EXPECT_EQ(print_knowledge(cut(all, {})), print_knowledge(all));
}

TEST(Knowledge, TextsCanBeLeftOut) {
  KnowledgeBuilder builder;
  builder.forget_texts();
  Learner learner(builder);
  ASSERT_TRUE(learner.add(report(kSecond)));
  const Knowledge known = builder.build({});
  EXPECT_TRUE(known.atoms.empty());
  EXPECT_TRUE(known.declarations.empty());
  EXPECT_EQ(known.signatures.size(), 3U);
  EXPECT_EQ(known.lessons[0].fingerprint, learn({report(kSecond)}).lessons[0].fingerprint);
}

std::string error_of(const std::string& text) {
  const auto read = read_knowledge(text);
  if (read) return "no error";
  return std::to_string(read.error().where.line) + ": " + read.error().message;
}

TEST(KnowledgeFile, ErrorsNameTheLine) {
  const std::string head = "elenchus-history 1\n";
  EXPECT_EQ(error_of(""), "1: no knowledge file: it does not start with 'elenchus-history'");
  EXPECT_EQ(error_of("elenchus-history 2\n"),
            "1: version 2 of knowledge files cannot be read; 1 can");
  EXPECT_EQ(error_of(head + "# a comment\n\nfoo 1\n"),
            "4: 'foo' starts no line of a knowledge file");
  EXPECT_EQ(error_of(head + "skeleton (and _)\n"), "2: 'and' with 1 arguments in a skeleton");
  EXPECT_EQ(error_of(head + "signature (= Foo)\n"), "2: 'Foo' is no operand of a signature");
  EXPECT_EQ(error_of(head + "signature (= IntVar IntVar)\natom 1 true\n"),
            "3: there is no signature 1");
  EXPECT_EQ(error_of(head + "rule 0 => 1 support 3 confidence 0.5\n"),
            "2: there is no signature 0");
  EXPECT_EQ(error_of(head + "rule 0 => support 3 confidence 0.5\n"),
            "2: expected: rule NUMBERS => NUMBERS support N confidence C");
  EXPECT_EQ(error_of(head + "input 12 - - - - skeletons 4 signatures atoms\n"),
            "2: there is no skeleton 4");
  EXPECT_EQ(error_of(head + "input xyz\n"),
            "2: the fingerprint of an input is no hexadecimal number");
  EXPECT_EQ(error_of(head + "rules support 0 confidence 0.5 items 4 sets 9\n"),
            "2: support, confidence or a limit of the rules is out of range");
  EXPECT_EQ(error_of(head + "signature (= IntVar IntVar)\ndeclare v0_Int () Int\n"
                            "atom 0 (= v0_Int v1_Int)\n"),
            "4: unknown constant 'v1_Int'");
  EXPECT_EQ(error_of(head + "signature (= IntVar IntVar)\natom 0 true)(assert false\n"),
            "3: expected: atom SIGNATURE TERM");
  EXPECT_EQ(error_of(head + "signature (= StringVar StringVar)\natom 0 (= \";\" \"\")\n"),
            "no error");
  EXPECT_EQ(error_of(head + "signature (true)\natom 0 true ; comment\n"),
            "3: expected: atom SIGNATURE TERM");
}

TEST(KnowledgeFile, TruncatedAndGarbledFilesDoNotCrash) {
  const std::string text =
      print_knowledge(learn({report(kFirst), report(kSecond), report(kThird)}));
  for (size_t cut = 0; cut < text.size(); ++cut) (void)read_knowledge(text.substr(0, cut));
  for (size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'(', ')', ' ', '9', '\n', '\0', '"', '|'}) {
      std::string bad = text;
      bad[at] = c;
      const auto read = read_knowledge(bad);
      if (!read) continue;
      // What is read can be used.
      const Library library(std::make_shared<const Knowledge>(*read));
      EXPECT_LE(library.skeletons().size(), 5U);
    }
  }
  EXPECT_EQ(error_of("elenchus-history 1\nskeleton " + std::string(300'000, '(')),
            "2: '(' is no connective of a skeleton");
}

TEST(Library, GivesAtomsAsTerms) {
  const auto known = std::make_shared<const Knowledge>(learn({report(kFirst), report(kSecond)}));
  const Library library(known);
  EXPECT_EQ(library.find("(= IntConst IntVar)"), 0U);
  EXPECT_EQ(library.find("(= IntConst RealVar)"), Library::kUnknown);
  ir::TermStore store;
  const uint32_t wanted[] = {2, 0};
  const Library::Sample plain = library.sample(store, wanted, false);
  ASSERT_EQ(plain.atoms.size(), 2U);
  EXPECT_EQ(store.symbols().text(store.fun(plain.functions[0]).name), "v0_Int");
  // The names are taken: they get a prefix.
  const Library::Sample again = library.sample(store, wanted, true);
  ASSERT_EQ(again.atoms.size(), 2U);
  EXPECT_EQ(store.symbols().text(store.fun(again.functions[0]).name), "x_v0_Int");
  EXPECT_EQ(again.datatypes.size(), 2U);
}

TEST(ShippedKnowledge, IsThereWithoutAnybodysFormulas) {
  const auto shipped = shipped_knowledge();
  EXPECT_GT(shipped->skeletons.size(), 400U);
  EXPECT_GT(shipped->signatures.size(), 300U);
  EXPECT_GT(shipped->rules.size(), 50U);
  EXPECT_TRUE(shipped->atoms.empty());
  EXPECT_TRUE(shipped->declarations.empty());
}

// The rules that are shipped are those of the inputs that are listed.
TEST(ShippedKnowledge, RulesFollowFromTheInputs) {
  const auto shipped = shipped_knowledge();
  std::vector<ItemSet> sets;
  for (const Lesson& lesson : shipped->lessons) sets.push_back(lesson.signatures);
  EXPECT_EQ(mine_rules(sets, shipped->settings).rules, shipped->rules);
}

TEST(Learner, TheWholeHistory) {
  const fs::path corpus = fs::path(ELENCHUS_SOURCE_DIR) / "../shared/corpus/history";
  if (!fs::exists(corpus)) GTEST_SKIP() << "no corpus in " << corpus;
  KnowledgeBuilder builder;
  Learner learner(builder);
  ReportReader reader;
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    if (entry.path().extension() != ".smt2") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_TRUE(reader.add(entry.path().string(), text));
  }
  for (const Report& each : reader.take()) (void)learner.add(each);
  const LearnCounts& counts = learner.counts();
  EXPECT_EQ(counts.inputs, counts.learnt + counts.known + counts.ill_formed + counts.empty);
  EXPECT_LT(counts.ill_formed, counts.inputs / 50);
  const Knowledge known = builder.build({});
  const auto again = read_knowledge(print_knowledge(known));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(print_knowledge(*again), print_knowledge(known));
}

}  // namespace
}  // namespace elenchus::history
