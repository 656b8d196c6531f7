#include "lane/lane.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lane/batches.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/readership.h"

namespace elenchus::lane {
namespace {

const std::string kPlantedTerms = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/planted_terms.py";

std::vector<Suspect> suspects_of(const std::string& spec, const std::string& text, Counts& counts) {
  const auto solver = solver::find_solver(solver::Profiles::standard(), spec);
  EXPECT_TRUE(solver.has_value());
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value());
  base::Rng rng(1);
  const Batch batch = subterms_of(store, std::span(&*script, 1), {}, rng);
  TermLane lane(*solver, {.seconds = 5});
  return lane.examine(store, batch.script, batch.terms, batch.assignments,
                      solver->profile->simplify_command, counts);
}

constexpr const char* kScript =
    "(declare-const x (_ BitVec 4))\n(declare-const s String)\n"
    "(assert (= (bvsmod x #x3) (bvadd x x)))\n(assert (= (str.++ s \"\\u{e9}\") s))\n"
    "(assert (forall ((y (_ BitVec 2))) (bvuge (concat y y) x)))\n(check-sat)\n";

TEST(TermLaneTest, AWrongRewriteIsSuspectAndNothingElse) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  Counts counts;
  EXPECT_TRUE(suspects_of("z3", kScript, counts).empty());
  EXPECT_GT(counts.of(Fate::kAnswered), 5u);
  const auto suspects = suspects_of(kPlantedTerms + " rewrite", kScript, counts);
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_TRUE(suspects[0].assignment.has_value());
  // Another sort is counted, and accuses nobody.
  counts = {};
  EXPECT_TRUE(suspects_of(kPlantedTerms + " other-sort", kScript, counts).empty());
  EXPECT_EQ(counts.other_sorts, 1u);
}

TEST(TermLaneTest, AnOperatorThatHangsIsGivenUp) {
  if (proc::find_program("z3").empty()) GTEST_SKIP() << "z3 is not installed";
  const auto solver = solver::find_solver(solver::Profiles::standard(), kPlantedTerms + " hangs");
  ASSERT_TRUE(solver.has_value());
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, kScript);
  ASSERT_TRUE(script.has_value());
  base::Rng rng(1);
  const Batch batch = subterms_of(store, std::span(&*script, 1), {}, rng);
  TermLane lane(*solver, {.seconds = 5});
  std::vector<Counts> counts(3);
  for (Counts& one : counts) {
    lane.examine(store, batch.script, batch.terms, batch.assignments,
                 solver->profile->simplify_command, one);
    ASSERT_EQ(lane.replies().size(), batch.terms.size());
  }
  EXPECT_EQ(counts[0].of(Fate::kTooLong), 1u);
  EXPECT_EQ(counts[0].terms, batch.terms.size());
  EXPECT_EQ(counts[2].of(Fate::kTooLong), 0u);
  EXPECT_EQ(counts[2].of(Fate::kAnswered), batch.terms.size() - 1);
  const auto refused = [](const Reply& reply) { return reply.fate == Fate::kRefused; };
  EXPECT_EQ(std::count_if(lane.replies().begin(), lane.replies().end(), refused), 1);
}

TEST(SubtermsTest, WhatIsTakenBackIsASourceAllTheSame) {
  ir::TermStore store;
  base::Rng rng(1);
  const auto terms_of = [&](const std::string& text) {
    const auto script = smtlib::parse_script(store, text);
    EXPECT_TRUE(script.has_value());
    return subterms_of(store, std::span(&*script, 1), {}, rng).terms.size();
  };
  const std::string first = "(push 1)(declare-const a Int)(assert (< (* a 3) 4))(check-sat)(pop 1)";
  EXPECT_EQ(terms_of(first + "(declare-const b Int)(assert (< (+ b 1) 4))(check-sat)"), 4u);
  // One name of two sorts.
  EXPECT_EQ(terms_of(first + "(declare-const a Real)(assert (< (+ a 1.0) 4.0))(check-sat)"), 0u);
}

TEST(ChoiceTest, OperatorsTakeTurns) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(
      store,
      "(declare-const x (_ BitVec 4))"
      "(assert (bvult x #x1))(assert (bvult x #x2))(assert (bvult x #x3))"
      "(assert (bvult x #x4))(assert (bvugt x #x1))(assert (bvule x #x1))(check-sat)");
  ASSERT_TRUE(script.has_value());
  std::vector<Suspect> suspects;
  for (const ir::Command& command : script->commands) {
    if (ir::has_term(command.kind)) suspects.push_back({command.term, {}});
  }
  ASSERT_EQ(suspects.size(), 6u);
  Choice choice;
  const auto ops = [&](std::vector<Suspect> some, size_t most) {
    std::vector<ir::Op> found;
    for (const Suspect& one : choice.choose(store, std::move(some), most)) {
      found.push_back(store.op(one.term));
    }
    return found;
  };
  using ir::Op;
  EXPECT_EQ(ops(suspects, 4), (std::vector<Op>{Op::kBvUlt, Op::kBvUgt, Op::kBvUle, Op::kBvUlt}));
  // The one that was looked into most has to wait.
  EXPECT_EQ(ops(suspects, 2), (std::vector<Op>{Op::kBvUgt, Op::kBvUle}));
  EXPECT_EQ(ops({suspects[0]}, 4), (std::vector<Op>{Op::kBvUlt}));
}

TEST(FormsTest, SequencesSetsAndArraysHaveValues) {
  ir::TermStore store;
  const Forms forms(store, ir::kCvc5Reader);
  const ir::SortId bit = store.sorts().bit_vec(1);
  const auto of = [&](ir::SortKind kind, std::vector<ir::SortId> parts) {
    return forms.values(store.sorts().make(kind, parts)).size();
  };
  EXPECT_EQ(of(ir::SortKind::kArray, {bit, bit}), 4u);
  EXPECT_EQ(of(ir::SortKind::kSet, {bit}), 4u);
  EXPECT_EQ(of(ir::SortKind::kSeq, {bit}), 7u);
  std::set<ir::Op> ops;
  for (const Form& form : forms.all()) ops.insert(form.op);
  for (const ir::Op op : {ir::Op::kSelect, ir::Op::kStore, ir::Op::kSetUnion, ir::Op::kSeqConcat}) {
    EXPECT_TRUE(ops.contains(op));
  }
}

TEST(FormsTest, AllApplicationsOfSmallOperatorsAreThere) {
  ir::TermStore store;
  const Forms forms(store, ir::kStdReader);
  const ir::SortId bits = store.sorts().bit_vec(2);
  uint64_t sums = 0;
  for (const Form& form : forms.all()) {
    const bool is_sum = form.op == ir::Op::kBvAdd && form.arguments == std::vector{bits, bits};
    if (!is_sum) continue;
    EXPECT_EQ(form.result, bits);
    sums += forms.count(form);
    for (uint64_t i = 0; i < forms.count(form); ++i) {
      EXPECT_TRUE(forms.application(store, form, i).valid());
    }
  }
  EXPECT_EQ(sums, 16u);
  EXPECT_GT(forms.all().size(), 500u);
}

// Operators that fit anything and have no known sort are left out.
TEST(FormsTest, ThereAreNotTooMany) {
  for (const uint16_t reader : {ir::kZ3Reader, ir::kCvc4Reader, ir::kCvc5Reader}) {
    ir::TermStore store;
    EXPECT_LT(Forms(store, reader).all().size(), 5000u);
  }
}

TEST(FormsTest, ATourHasEveryNumberOnce) {
  base::Rng rng(3);
  for (const uint64_t count : {0, 1, 2, 7, 64, 100}) {
    std::vector<uint64_t> seen;
    for (Tour tour(count, rng); !tour.is_over();) seen.push_back(tour.next());
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen.size(), count);
    for (uint64_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], i);
  }
}

// All floats of eight bits, and operators of four arguments.
TEST(FormsTest, SmallFormatsAreComplete) {
  ir::TermStore store;
  const Forms forms(store, ir::kStdReader);
  EXPECT_EQ(forms.values(store.sorts().floating_point(3, 5)).size(), 227u);
  EXPECT_EQ(forms.values(store.sorts().bit_vec(4)).size(), 16u);
  const auto is_fma = [](const Form& form) { return form.op == ir::Op::kFpFma; };
  EXPECT_TRUE(std::any_of(forms.all().begin(), forms.all().end(), is_fma));
}

// What cvc5 calls experimental is not made for it.
TEST(FormsTest, FormatsAreThoseOfTheReader) {
  ir::TermStore store;
  const Forms forms(store, ir::kCvc5Reader);
  size_t conversions = 0;
  for (const Form& form : forms.all()) {
    const ir::SortNode node = store.sorts()[form.result];
    EXPECT_TRUE(node.kind != ir::SortKind::kFloatingPoint || ir::is_single_or_double(node));
    conversions += node.kind == ir::SortKind::kFloatingPoint && !form.indices.empty() ? 1 : 0;
  }
  EXPECT_GT(conversions, 5u);
}

// How many sums of two bits each are folded, if sums are all that the solver takes; checks that
// none comes twice.
size_t folded_sums(Part part) {
  ir::TermStore store;
  Batches batches(store, ir::kStdReader, part);
  const ir::TermStore::Mark clean = store.mark();
  base::Rng rng(5);
  std::set<std::string> seen;
  const auto is_small = [&](ir::TermId term) {
    return store.op(term) == ir::Op::kBvAdd && store.args(term).size() == 2 &&
           store.sort(term) == store.sorts().bit_vec(2);
  };
  for (;;) {
    store.rollback(clean);
    const Batch batch = batches.folded(store, rng);
    if (batch.terms.empty()) break;
    std::vector<Reply> replies;
    for (const ir::TermId term : batch.terms) {
      // Sums alone are taken, so that this is quick.
      const bool is_sum = store.op(term) == ir::Op::kBvAdd;
      replies.push_back({.fate = is_sum ? Fate::kAnswered : Fate::kRefused});
      if (!is_small(term)) continue;
      EXPECT_TRUE(seen.insert(*smtlib::print_term(store, term)).second);
    }
    batches.learn(replies);
  }
  return seen.size();
}

// Whatever a solver takes comes once, and ends.
TEST(BatchesTest, FoldingComesToItsEnd) { EXPECT_EQ(folded_sums({}), 16u); }

// The others ask once, to know whether the solver takes it.
TEST(BatchesTest, WorkersShareTheForms) {
  std::multiset<size_t> sums;
  for (size_t number = 0; number < 3; ++number) sums.insert(folded_sums({number, 3}));
  EXPECT_EQ(sums, (std::multiset<size_t>{1, 1, 16}));
}

TEST(BatchesTest, EverySourceHasTermsOfItsOwn) {
  ir::TermStore store;
  Batches batches(store, ir::kStdReader);
  base::Rng rng(7);
  // New forms come a few at a time, as the solver may refuse each.
  size_t folded = 0;
  for (int i = 0; i < 12; ++i) folded += batches.folded(store, rng).terms.size();
  EXPECT_GT(folded, 100u);
  EXPECT_GT(batches.nested(store, rng).terms.size(), 100u);
  EXPECT_GT(batches.generated(store, rng).terms.size(), 2u);
}

}  // namespace
}  // namespace elenchus::lane
