// Parse, print, parse: the same script, and the same text when it is printed again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/test_corpus.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "random_script.h"
#include "same_script.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

namespace fs = std::filesystem;

// Empty when the text says the same as the script, else what differs.
std::string compare(const ir::TermStore& store, const ir::Script& script, ir::TermStore& other,
                    const base::Result<ir::Script>& again, const std::string& printed) {
  if (!again) return describe(again.error(), "printed") + "\n" + printed;
  const std::string difference = SameScript(store, script, other, *again).difference();
  return difference.empty() ? "" : difference + "\n" + printed;
}

// Two stores, one for each side, that are rolled back after each script.
class RoundTrip {
 public:
  // Empty when all is well, else what went wrong.
  std::string check(std::string_view text, const smtlib::PrintOptions& options = {}) {
    const auto first_mark = first_.mark();
    const auto second_mark = second_.mark();
    const auto script = smtlib::parse_script(first_, text);
    accepted_ = script.has_value();
    std::string problem = accepted_ ? check(*script, options) : std::string();
    first_.rollback(first_mark);
    second_.rollback(second_mark);
    return problem;
  }

  // Whether the last text was a script.
  bool accepted() const { return accepted_; }

 private:
  std::string check(const ir::Script& script, const smtlib::PrintOptions& options) {
    const auto printed = smtlib::print_script(first_, script, options);
    if (!printed) return printed.error().message;
    const auto again = smtlib::parse_script(second_, *printed);
    std::string problem = compare(first_, script, second_, again, *printed);
    if (!problem.empty()) return problem;
    const auto twice = smtlib::print_script(second_, *again, options);
    if (!twice) return twice.error().message;
    if (*twice != *printed) return "printed otherwise:\n" + *printed + "---\n" + *twice;
    return {};
  }

  ir::TermStore first_;
  ir::TermStore second_;
  bool accepted_ = false;
};

std::vector<fs::path> scripts_under(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Counts {
  size_t files = 0;
  size_t accepted = 0;
};

Counts check_all(const fs::path& folder) {
  Counts counts;
  RoundTrip trip;
  for (const fs::path& file : scripts_under(folder)) {
    const std::string problem = trip.check(contents(file));
    EXPECT_EQ(problem, "") << file;
    ++counts.files;
    counts.accepted += trip.accepted() ? 1 : 0;
  }
  return counts;
}

TEST(RoundTripTest, OfTheSeedsWeShip) {
  const Counts counts = check_all(fs::path(ELENCHUS_SOURCE_DIR) / "data/seeds");
  EXPECT_GT(counts.files, 0U);
  EXPECT_EQ(counts.accepted, counts.files);
}

TEST(RoundTripTest, OfTheRegressionScripts) {
  const Counts counts = check_all(fs::path(ELENCHUS_SOURCE_DIR) / "tests/regress");
  EXPECT_GT(counts.accepted, 0U);
}

TEST(RoundTripTest, OfTheCorpus) {
  const auto corpus = base::corpus_folder("");
  if (!corpus) GTEST_SKIP() << base::kNoCorpus;
  const Counts seeds = check_all(*corpus / "seeds");
  EXPECT_GT(seeds.files, 0U) << "no scripts in " << *corpus;
  EXPECT_EQ(seeds.accepted, seeds.files);
  const Counts history = check_all(*corpus / "history");
  EXPECT_GE(history.accepted * 100, history.files * 97);
}

// --- Generated scripts. ---

// The made-up names in the text depend on what else is in the store, so that only a text that was
// parsed is printed as it is.
TEST(RoundTripTest, OfRandomScripts) {
  constexpr uint64_t kScripts = 2000;
  ir::TermStore store;
  ir::TermStore other;
  RoundTrip trip;
  base::Rng rng(1);
  RandomScript random(store, rng);
  for (uint64_t i = 0; i < kScripts; ++i) {
    const auto start = store.mark();
    const auto other_start = other.mark();
    const ir::Script script = random.make(20 + static_cast<uint32_t>(rng.below(100)));
    const smtlib::PrintOptions options{.let_size = 2 + static_cast<uint32_t>(rng.below(12))};
    const auto printed = smtlib::print_script(store, script, options);
    ASSERT_TRUE(printed.has_value());
    const auto again = smtlib::parse_script(other, *printed);
    std::string problem = compare(store, script, other, again, *printed);
    if (problem.empty()) problem = trip.check(*printed, options);
    ASSERT_TRUE(problem.empty()) << "script " << i << ": " << problem;
    store.rollback(start);
    other.rollback(other_start);
  }
  for (const ir::Op op : RandomScript::operators(store.ops())) {
    EXPECT_TRUE(random.used().contains(op)) << store.ops().name(op);
  }
}

// --- The comparison itself. ---

std::string difference(std::string_view a, std::string_view b) {
  ir::TermStore store_a;
  ir::TermStore store_b;
  const auto script_a = smtlib::parse_script(store_a, a);
  const auto script_b = smtlib::parse_script(store_b, b);
  if (!script_a || !script_b) return "no script";
  return SameScript(store_a, *script_a, store_b, *script_b).difference();
}

TEST(SameScriptTest, SeesThroughNames) {
  const std::pair<const char*, const char*> same[] = {
      {"(assert (forall ((x Int)) (= x 1)))", "(assert (forall ((y Int)) (= y 1)))"},
      {"(assert (forall ((x Int)) (let ((z x)) (exists ((x Int)) (= x z)))))",
       "(assert (forall ((a Int)) (exists ((b Int)) (= b a))))"},
      {"(define-fun f ((x Int)) Int x)", "(define-fun f ((y Int)) Int y)"},
      {"(check-sat)", "(set-logic ALL)(check-sat)"},
      {"(assert (let ((x true)) x))", "(assert true)"},
  };
  for (const auto& [a, b] : same) EXPECT_EQ(difference(a, b), "") << a;
}

TEST(SameScriptTest, SeesDifferences) {
  const std::pair<const char*, const char*> different[] = {
      {"(assert true)", "(assert false)"},
      {"(assert true)", "(assert true)(check-sat)"},
      {"(check-sat)(check-sat)", "(check-sat)"},
      {"(push 1)", "(push 2)"},
      {"(set-logic QF_LIA)", "(set-logic QF_LRA)"},
      {"(get-model)", "(get-info :name)"},
      {"(assert (= 1 2))", "(assert (= 2 1))"},
      {"(declare-const x Int)", "(declare-const y Int)"},
      {"(declare-const x Int)", "(declare-const x Real)"},
      {"(declare-fun f (Int Int) Int)", "(declare-fun f (Int Real) Int)"},
      {"(declare-datatype D ((a) (b)))", "(declare-datatype D ((b) (a)))"},
      {"(declare-datatype D ((a (s Int))))", "(declare-codatatype D ((a (s Int))))"},
      {"(assert (forall ((x Int) (y Int)) (< x y)))",
       "(assert (forall ((x Int) (y Int)) (< y x)))"},
      {"(assert (forall ((x Int)) (let ((z x)) (exists ((x Int)) (< x z)))))",
       "(assert (forall ((a Int)) (exists ((b Int)) (< a b))))"},
      {"(assert (forall ((x Int)) (exists ((x Int)) (= x 1))))",
       "(assert (forall ((x Int)) (exists ((y Int)) (= x 1))))"},
      {"(define-fun f ((x Int) (y Int)) Int x)", "(define-fun f ((x Int) (y Int)) Int y)"},
      {"(assert (! true :qid a))", "(assert (! true :qid b))"},
      {"(assert (! true :named a))", "(assert (! true :named b))"},
      {"(assert (= ((_ extract 1 0) #x0) #b00))", "(assert (= ((_ extract 2 1) #x0) #b00))"},
      {"(declare-const x Int)(push)(declare-fun f (Int) Int)(assert (= (f x) x))",
       "(declare-const x Int)(push)(declare-fun f (Int) Int)(assert (= (f x) (f x)))"},
  };
  for (const auto& [a, b] : different) EXPECT_NE(difference(a, b), "") << a;
}

}  // namespace
}  // namespace elenchus
