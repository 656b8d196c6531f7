#include "history/knowledge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_corpus.h"
#include "history/importer.h"
#include "history/knowledge_file.h"
#include "history/learner.h"
#include "history/library.h"
#include "smtlib/printer.h"

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
  for (const AtomText& atom : known.atoms) atoms.push_back(atom.text);
  EXPECT_EQ(atoms, (std::vector<std::string>{"(< v0_Int 0)", "(= 1 v0_Int)", "(= 2 v0_Int)",
                                             "(= 5 v0_Int)", "(= v0_Int (* v0_Int v0_Int))",
                                             "(= v0_Int (+ v1_Int v0_Int))",
                                             "(str.contains v0_String \"x\")"}));
  std::vector<std::string> shapes;
  for (const AtomText& shape : known.shapes) shapes.push_back(shape.text);
  EXPECT_EQ(shapes, (std::vector<std::string>{
                        "(< v0_Int zero0_Int)", "(= one0_Int v0_Int)", "(= small0_Int v0_Int)",
                        "(= v0_Int (* v0_Int v0_Int))", "(= v0_Int (+ v1_Int v0_Int))",
                        "(str.contains v0_String letter0_String)"}));
  EXPECT_EQ(known.lessons[0].shapes.size() + known.lessons[1].shapes.size() +
                known.lessons[2].shapes.size(),
            7U);
}

// Which variable comes again, and which constant, and what kind of constant it is.
TEST(Knowledge, ShapesSayWhatLeavesAre) {
  const Knowledge known =
      learn({report("(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)"
                    "(declare-const b (_ BitVec 8))(declare-const s String)(declare-const r Real)"
                    "(assert (< (+ x 77 (f y)) (* 77 (f 78) x 1000000000000)))"
                    "(assert (= (bvadd b #xff #x80 #x7f) #x2b))"
                    "(assert (= (str.++ s \"\" \"12\") \"secret text\"))"
                    "(assert (> r (- 0.25)))")});
  std::vector<std::string> shapes;
  for (const AtomText& shape : known.shapes) shapes.push_back(shape.text);
  EXPECT_EQ(shapes, (std::vector<std::string>{
                        "(< (+ v0_Int plain0_Int (f0_Int_Int v1_Int)) "
                        "(* plain0_Int (f0_Int_Int plain1_Int) v0_Int large0_Int))",
                        "(= (bvadd v0_BitVec_8 ones0_BitVec_8 least0_BitVec_8 most0_BitVec_8) "
                        "plain0_BitVec_8)",
                        "(= (str.++ v0_String empty0_String numeral0_String) text0_String)",
                        "(> v0_Real (- fraction0_Real))"}));
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
  EXPECT_EQ(known.shapes.size(), 3U);
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
  EXPECT_EQ(error_of(""), "1: not a knowledge file: it does not start with 'elenchus-history'");
  EXPECT_EQ(error_of("elenchus-history 3\n"),
            "1: version 3 of knowledge files cannot be read; 1 to 2 can");
  EXPECT_EQ(error_of(head + "# a comment\n\nfoo 1\n"),
            "4: 'foo' starts no line of a knowledge file");
  EXPECT_EQ(error_of(head + "skeleton (=> _)\n"), "2: '=>' with 1 arguments in a skeleton");
  EXPECT_EQ(error_of(head + "signature (= IntVar IntVar)\nshape 0\n"),
            "3: expected: shape SIGNATURE TERM");
  EXPECT_EQ(error_of(head + "input 12 - - - - skeletons signatures atoms shapes 0\n"),
            "2: there is no shape 0");
  EXPECT_EQ(error_of(head + "signature (= Foo)\n"), "2: 'Foo' is not an operand of a signature");
  EXPECT_EQ(error_of(head + "signature (= IntVar IntVar)\natom 1 true\n"),
            "3: there is no signature 1");
  EXPECT_EQ(error_of(head + "rule 0 => 1 support 3 confidence 0.5\n"),
            "2: there is no signature 0");
  EXPECT_EQ(error_of(head + "rule 0 => support 3 confidence 0.5\n"),
            "2: expected: rule NUMBERS => NUMBERS support N confidence C");
  EXPECT_EQ(error_of(head + "input 12 - - - - skeletons 4 signatures atoms\n"),
            "2: there is no skeleton 4");
  EXPECT_EQ(error_of(head + "input xyz\n"),
            "2: the fingerprint of an input is not a hexadecimal number");
  EXPECT_EQ(error_of(head + "rules support 3 confidence 1.5 items 4 sets 9\n"),
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
            "2: '(' is not a connective of a skeleton");
}

TEST(Library, GivesFormsWithTheirLeaves) {
  const auto known = std::make_shared<const Knowledge>(learn({report(kFirst), report(kSecond)}));
  const Library library(known);
  const uint32_t place = library.find("(= IntConst IntVar)");
  EXPECT_EQ(place, 0U);
  EXPECT_EQ(library.find("(= IntConst RealVar)"), Library::kUnknown);
  const Library::Entry& entry = library.signatures()[place];
  EXPECT_EQ(entry.atoms.size(), 2U);
  ASSERT_EQ(entry.shapes.size(), 1U);
  const Library::Form& form = library.forms()[entry.shapes[0]];
  EXPECT_EQ(form.kinds, kind_bit(ir::SortKind::kInt) | kind_bit(ir::SortKind::kBool));
  std::vector<std::optional<ConstantClass>> classes;
  for (const Library::Leaf& leaf : form.leaves) classes.push_back(leaf.meaning.constant);
  std::sort(classes.begin(), classes.end());
  EXPECT_EQ(classes, (std::vector<std::optional<ConstantClass>>{{}, ConstantClass::kSmall}));
}

// Copies from the library's store are what reading the text in the other store would give.
TEST(Library, AtomsComeOutAsTheyWereWritten) {
  const std::string_view declarations =
      "(declare-sort S 0)(declare-fun f (Int S) Bool)(declare-const u S)(declare-const v S)"
      "(declare-const b (_ BitVec 8))(declare-const x Float16)(declare-const s String)"
      "(declare-const r Real)(declare-const a (Array Int (_ BitVec 8)))(declare-const n Int)";
  std::vector<Report> reports;
  for (const std::string_view atom :
       {"(f 1048577 v)", "(distinct u v)", "(bvult ((_ extract 3 0) b) #xf)", "(> r 0.125)",
        "(fp.leq x ((_ to_fp 5 11) RNE 1.5))", "(str.in_re s (re.+ (str.to_re \"a\\u{e9}\")))",
        "(= (select (store a (- n 3) b) 7) ((_ rotate_left 2) b))", "((_ divisible 3) n)",
        "(= n (ite (forall ((i Int)) (exists ((j Int)) (< i j n))) 1 2))"}) {
    reports.push_back(report(fmt::format("{}(assert {})(check-sat)", declarations, atom)));
  }
  const auto known = std::make_shared<const Knowledge>(learn(reports));
  ASSERT_EQ(known->atoms.size(), 9U);
  const Library library(known);
  ir::TermStore store;
  store.symbols().intern("shifts all ids");
  for (uint32_t i = 0; i < known->atoms.size(); ++i) {
    const ir::TermStore::Mark start = store.mark();
    Importer importer(library.store(), store, "");
    const ir::TermId atom = importer.term(library.forms()[known->shapes.size() + i].term);
    EXPECT_EQ(smtlib::print_term(store, atom, {.let_size = UINT32_MAX}).value(),
              known->atoms[i].text);
    store.rollback(start);
  }
}

TEST(ShippedKnowledge, IsThereWithoutAnybodysFormulas) {
  const auto shipped = shipped_knowledge();
  EXPECT_GT(shipped->skeletons.size(), 400U);
  EXPECT_GT(shipped->signatures.size(), 300U);
  EXPECT_GT(shipped->rules.size(), 500U);
  EXPECT_GT(shipped->shapes.size(), 2'000U);
  EXPECT_TRUE(shipped->atoms.empty());
  // Names say sorts, numbers and classes; there is no literal in a shape.
  for (const auto& [name, sorts] : shipped->declarations) {
    const std::string leading = name.substr(0, name.find_first_of("0123456789"));
    EXPECT_TRUE(leading == "v" || leading == "f" || class_named(leading)) << name;
  }
  const Library library(shipped);
  const ir::TermStore& store = library.store();
  ir::Walker walker(store);
  for (const Library::Form& form : library.forms()) {
    ASSERT_TRUE(form.term.valid());
    walker.walk(form.term, [&](ir::TermId term) { EXPECT_FALSE(ir::is_literal(store.op(term))); });
  }
}

// The rules that are shipped are those of the inputs that are listed.
TEST(ShippedKnowledge, RulesFollowFromTheInputs) {
  const auto shipped = shipped_knowledge();
  std::vector<ItemSet> sets;
  for (const Lesson& lesson : shipped->lessons) sets.push_back(lesson.signatures);
  EXPECT_EQ(mine_rules(sets, shipped->settings).rules, shipped->rules);
}

TEST(Learner, TheWholeHistory) {
  const auto corpus = base::corpus_folder("history");
  if (!corpus) GTEST_SKIP() << base::kNoCorpus;
  ASSERT_TRUE(fs::is_directory(*corpus)) << *corpus;
  KnowledgeBuilder builder;
  Learner learner(builder);
  ReportReader reader;
  for (const auto& entry : fs::recursive_directory_iterator(*corpus)) {
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
