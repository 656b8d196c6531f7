#include "reduce/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using testing::HasSubstr;

// Whether the text of a candidate still shows the bug.
using TextPredicate = std::function<bool(const std::string&)>;

struct Outcome {
  std::string text;
  uint32_t tries = 0;
  bool finished = false;
  std::vector<std::string> bad_candidates;
};

std::string print(const ir::TermStore& store, const ir::Script& script) {
  auto text = smtlib::print_script(store, script);
  return text ? *text : "error: " + text.error().message;
}

// What is wrong with a candidate, by printing it and reading it again.
std::string complaint(const std::string& text, bool strict) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text, {.strict = strict});
  if (!script) return script.error().message + "\n" + text;
  const std::string again = print(store, *script);
  return again == text ? "" : "printed again as\n" + again + "from\n" + text;
}

Outcome reduce_text(const std::string& text, const TextPredicate& still_bad,
                    reduce::Settings settings = {}, bool strict = true) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << script.error().message << text;
  if (!script) return {};
  Outcome outcome;
  const auto predicate = [&](const ir::Script& candidate) {
    const std::string printed = print(store, candidate);
    const std::string wrong = complaint(printed, strict);
    if (!wrong.empty()) outcome.bad_candidates.push_back(wrong);
    return still_bad(printed);
  };
  const reduce::Reduction result = reduce::reduce(store, *script, predicate, settings);
  outcome.text = print(store, result.script);
  outcome.tries = result.tries;
  outcome.finished = result.finished;
  EXPECT_LE(result.size, result.start);
  EXPECT_LE(result.tries, settings.max_tries);
  return outcome;
}

TextPredicate contains(std::vector<std::string> parts) {
  return [parts](const std::string& text) {
    return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return text.find(part) != std::string::npos;
    });
  };
}

std::string minimal(const std::string& text, const TextPredicate& still_bad) {
  const Outcome outcome = reduce_text(text, still_bad);
  EXPECT_THAT(outcome.bad_candidates, testing::IsEmpty());
  EXPECT_TRUE(outcome.finished);
  testing::Test::RecordProperty("tries", std::to_string(outcome.tries));
  return outcome.text;
}

TEST(Reduce, KeepsOneOfManyAssertions) {
  std::string text = "(set-logic QF_LIA)\n(set-info :status sat)\n";
  for (int i = 0; i < 50; ++i) text += "(declare-const x" + std::to_string(i) + " Int)\n";
  for (int i = 0; i < 50; ++i) {
    text += "(assert (< (* x" + std::to_string(i) + " 3) (+ 7 x" + std::to_string((i + 1) % 50) +
            ")))\n";
  }
  text += "(check-sat)\n(get-model)\n";
  EXPECT_EQ(minimal(text, contains({"(* x17 3)"})),
            "(set-logic ALL)\n(declare-const x17 Int)\n(assert (< (* x17 3) 0))\n(check-sat)\n");
}

TEST(Reduce, KeepsWhatIsUnderAQuantifier) {
  const std::string text = R"((set-logic ALL)
(declare-fun f (Int) String)
(declare-const s String)
(declare-const t String)
(assert (= (str.len s) (+ 2 (str.len t))))
(assert (or (= s "abc") (forall ((x Int) (y String)) (=> (and (> x 0) (not (= y "q")))
  (= (str.++ "a" (f x)) (str.replace_all (str.++ y s) "b" (f (+ x 1))))))))
(check-sat)
(get-value (s))
)";
  const auto under = [](const std::string& out) {
    const size_t forall = out.find("forall");
    return forall != std::string::npos && out.find("str.replace_all", forall) != std::string::npos;
  };
  EXPECT_EQ(minimal(text, under),
            "(set-logic ALL)\n(assert (forall ((y String)) (= \"\" (str.replace_all \"\" \"\" "
            "\"\"))))\n(check-sat)\n");
}

TEST(Reduce, OperatorAndConstant) {
  const std::string text = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 16))
(assert (and (= c (concat a b)) (bvult (bvmul a (bvadd b #x05)) (bvudiv a (bvsub b #x07)))
  (not (= ((_ extract 7 0) c) (bvshl b #x03)))))
(assert (= (bvor a b) (ite (bvult a b) (bvurem a #x11) (bvnot b))))
(check-sat)
)";
  EXPECT_EQ(minimal(text, contains({"bvudiv", "#x05"})),
            "(set-logic ALL)\n(assert (bvult #x05 (bvudiv #x00 #x00)))\n(check-sat)\n");
}

std::vector<std::filesystem::path> seed_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(ELENCHUS_SOURCE_DIR) / "data" / "seeds";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Accepts one candidate in `n`, always the same ones.
TextPredicate some(uint64_t salt, uint64_t n) {
  return [salt, n](const std::string& text) {
    return base::hash_mix(base::hash_bytes(text), salt) % n == 0;
  };
}

TEST(ReduceSeeds, EveryCandidateIsWellSorted) {
  for (const auto& file : seed_files()) {
    const std::string text = read(file);
    ir::TermStore store;
    const bool strict = smtlib::parse_script(store, text, {.strict = true}).has_value();
    for (uint64_t salt = 0; salt < 12; ++salt) {
      const Outcome outcome = reduce_text(text, some(salt, 1 + salt), {}, strict);
      ASSERT_THAT(outcome.bad_candidates, testing::IsEmpty()) << file << " " << salt;
      EXPECT_TRUE(outcome.finished) << file << " " << salt << " " << outcome.tries;
    }
  }
}

}  // namespace
}  // namespace elenchus
