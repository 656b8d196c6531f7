// Mutants asked in steps: the same question in the end, parts of it before.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/check.h"
#include "ir/timeline.h"
#include "mutate/incremental.h"
#include "mutate/registry.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using ir::CommandKind;
using ir::Truth;
using mutate::Mutant;

constexpr std::string_view kPlain =
    "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(declare-const y Int)"
    "(assert (< y x))(define-fun f ((a Int)) Int (+ a y))(assert (> (f x) 3))(assert (< x 9))"
    "(check-sat)(exit)";

// Gives what it is told, again and again, and notes what it gave.
class Echo : public mutate::Engine {
 public:
  explicit Echo(Mutant mutant) : mutant_(std::move(mutant)) {}
  std::string_view name() const override { return "echo"; }
  uint32_t series_length() const override { return 10; }
  mutate::Start start(ir::TermStore&, const mutate::Seed&) override {
    return std::make_unique<Same>(mutant_);
  }

 private:
  class Same : public mutate::Series {
   public:
    explicit Same(const Mutant& mutant) : mutant_(mutant) {}
    mutate::Attempt next(base::Rng&) override { return mutant_; }

   private:
    const Mutant& mutant_;
  };
  Mutant mutant_;
};

// Another engine, and the last mutant that it gave.
class Spy : public mutate::Engine {
 public:
  Spy(std::unique_ptr<mutate::Engine> inner, Mutant& last)
      : inner_(std::move(inner)), last_(last) {}
  std::string_view name() const override { return inner_->name(); }
  uint32_t series_length() const override { return inner_->series_length(); }
  mutate::Start start(ir::TermStore& store, const mutate::Seed& seed) override {
    auto started = inner_->start(store, seed);
    if (std::holds_alternative<mutate::Skip>(started)) return started;
    return std::make_unique<Watched>(series_in(std::move(started)), last_);
  }

 private:
  class Watched : public mutate::Series {
   public:
    Watched(std::unique_ptr<mutate::Series> inner, Mutant& last)
        : inner_(std::move(inner)), last_(last) {}
    mutate::Attempt next(base::Rng& rng) override {
      auto attempt = inner_->next(rng);
      if (const auto* mutant = std::get_if<Mutant>(&attempt)) last_ = *mutant;
      return attempt;
    }

   private:
    std::unique_ptr<mutate::Series> inner_;
    Mutant& last_;
  };
  std::unique_ptr<mutate::Engine> inner_;
  Mutant& last_;
};

ir::Script read(ir::TermStore& store, std::string_view text) {
  auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << text;
  return script ? std::move(*script) : ir::Script();
}

std::string print(const ir::TermStore& store, const ir::Script& script) {
  return smtlib::print_script(store, script).value();
}

std::vector<uint32_t> terms_at(const ir::Script& script, size_t check) {
  std::vector<uint32_t> terms;
  for (const ir::Claim& claim : ir::claims_at(script, check)) terms.push_back(claim.term.value);
  std::sort(terms.begin(), terms.end());
  return terms;
}

// Levels are opened before they are closed, and not too many; nothing is declared in them.
void expect_levels(const ir::Script& script) {
  uint32_t depth = 0;
  bool was_opened = false;
  for (const ir::Command& command : script.commands) {
    if (command.kind == CommandKind::kPush) {
      depth += command.number;
      was_opened = true;
    }
    if (command.kind == CommandKind::kPop) {
      ASSERT_GE(depth, command.number);
      depth -= command.number;
    }
    EXPECT_LE(depth, 5U);
    if (was_opened) {
      EXPECT_TRUE(command.kind == CommandKind::kPush || command.kind == CommandKind::kPop ||
                  command.kind == CommandKind::kAssert || ir::is_check(command.kind) ||
                  command.kind == CommandKind::kGetValue || command.kind == CommandKind::kText ||
                  command.kind == CommandKind::kExit);
    }
  }
}

bool has_steps(const ir::Script& script) {
  const auto moves_levels = [](const ir::Command& command) {
    return command.kind == CommandKind::kPush || command.kind == CommandKind::kPop;
  };
  return ir::checks_of(script).size() != 1 ||
         std::any_of(script.commands.begin(), script.commands.end(), moves_levels);
}

// What is asked in steps is what the plain script asks.
void expect_same_question(const ir::Script& plain, const ir::Script& steps) {
  const auto checks = ir::checks_of(steps);
  const size_t plain_check = ir::checks_of(plain).back();
  ASSERT_FALSE(checks.empty());
  EXPECT_LE(checks.size(), 8U);
  EXPECT_EQ(steps.commands[checks.back()].kind, plain.commands[plain_check].kind);
  const auto all = terms_at(plain, plain_check);
  EXPECT_EQ(terms_at(steps, checks.back()), all);
  for (const size_t check : checks) {
    const auto part = terms_at(steps, check);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), part.begin(), part.end()));
  }
  std::map<uint32_t, size_t> repeats;
  for (const ir::Command& command : steps.commands) {
    if (command.kind == CommandKind::kAssert) ++repeats[command.term.value];
  }
  for (const auto& [term, count] : repeats) {
    EXPECT_LE(count, 3U * static_cast<size_t>(std::count(all.begin(), all.end(), term)));
  }
}

// `count` mutants of a script in steps, by an engine that gives the script itself.
std::vector<Mutant> steps_of(ir::TermStore& store, const Mutant& mutant, size_t count = 200) {
  const auto engine = mutate::make_incremental(std::make_unique<Echo>(mutant));
  EXPECT_EQ(engine->name(), "echo+incremental");
  EXPECT_EQ(engine->series_length(), 10U);
  const auto series = series_in(engine->start(store, {mutant.script, {}, Truth::kUnknown}));
  base::Rng rng(1);
  std::vector<Mutant> mutants;
  for (size_t i = 0; i < count; ++i) mutants.push_back(std::get<Mutant>(series->next(rng)));
  return mutants;
}

TEST(IncrementalTest, AsksTheSameInTheEnd) {
  ir::TermStore store;
  Mutant plain;
  plain.script = read(store, kPlain);
  std::set<std::string> texts;
  for (const Mutant& mutant : steps_of(store, plain)) {
    expect_levels(mutant.script);
    expect_same_question(plain.script, mutant.script);
    const std::string text = print(store, mutant.script);
    ir::TermStore other;
    const auto again = smtlib::parse_script(other, text, {.strict = true});
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(print(other, *again), text);
    EXPECT_NE(text.find("(push 1)"), std::string::npos);
    EXPECT_NE(text.find("(pop 1)"), std::string::npos);
    EXPECT_TRUE(text.ends_with("(check-sat)\n(exit)\n")) << text;
    EXPECT_TRUE(mutant.expected.empty());
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 100U);
}

TEST(IncrementalTest, MutantsOfOtherEnginesAskTheSame) {
  for (const std::string_view name : mutate::engine_names()) {
    ir::TermStore store;
    const ir::Script seed = read(store, kPlain);
    Mutant last;
    const auto engine =
        mutate::make_incremental(std::make_unique<Spy>(mutate::make_engine(name), last));
    const auto series = series_in(engine->start(store, {seed, {}, Truth::kUnknown}));
    if (series == nullptr) continue;
    base::Rng rng(3);
    for (int i = 0; i < 100; ++i) {
      const auto attempt = series->next(rng);
      const auto* mutant = std::get_if<Mutant>(&attempt);
      if (mutant == nullptr) continue;
      if (has_steps(last.script)) {
        // What is asked in steps already stays as it is.
        EXPECT_EQ(print(store, mutant->script), print(store, last.script));
        continue;
      }
      expect_levels(mutant->script);
      expect_same_question(last.script, mutant->script);
      ir::TermStore other;
      const std::string text = print(store, mutant->script);
      EXPECT_TRUE(smtlib::parse_script(other, text).has_value()) << text;
    }
  }
}

TEST(IncrementalTest, TheSameNumberGivesTheSameMutants) {
  std::vector<std::string> runs;
  for (int run = 0; run < 2; ++run) {
    ir::TermStore store;
    const ir::Script seed = read(store, kPlain);
    const auto engine = mutate::make_engine("typefuzz+incremental");
    const auto series = series_in(engine->start(store, {seed, {}, Truth::kUnknown}));
    base::Rng rng(5);
    std::string text;
    for (int i = 0; i < 50; ++i) {
      const auto attempt = series->next(rng);
      const auto* mutant = std::get_if<Mutant>(&attempt);
      if (mutant != nullptr) text += print(store, mutant->script);
    }
    EXPECT_NE(text.find("(pop 1)"), std::string::npos);
    runs.push_back(text);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(IncrementalTest, AWitnessOfAllIsOneOfEachPart) {
  ir::TermStore store;
  Mutant plain;
  plain.script = read(store, kPlain);
  const std::string_view text = "((define-fun x () Int 5) (define-fun y () Int 1))";
  plain.witness = std::make_shared<ir::Model>(
      smtlib::read_model(store, plain.script, plain.script.commands.size(), text).value());
  plain.expected = {Truth::kSat};
  for (const Mutant& mutant : steps_of(store, plain, 50)) {
    const auto checks = ir::checks_of(mutant.script);
    EXPECT_EQ(mutant.expected, std::vector(checks.size(), Truth::kSat));
    ASSERT_TRUE(mutant.witness != nullptr);
    eval::Evaluator strict(store, *mutant.witness);
    eval::Evaluator lenient(store, *mutant.witness, {.complete = true});
    for (const size_t check : checks) {
      const auto claims = ir::claims_at(mutant.script, check);
      EXPECT_EQ(eval::judge(claims, strict, lenient).verdict, eval::Verdict::kValid);
    }
  }
}

TEST(IncrementalTest, OnlyAllTogetherAreUnsatisfiable) {
  for (const std::string_view last : {"(check-sat)", "(check-sat-assuming (p))"}) {
    ir::TermStore store;
    Mutant plain;
    plain.script = read(store,
                        "(declare-const p Bool)(declare-const q Bool)(assert q)"
                        "(assert (or p q))(assert (not p))" +
                            std::string(last));
    plain.expected = {Truth::kUnsat};
    plain.construction = "p and not p";
    bool asked_all_before = false;
    for (const Mutant& mutant : steps_of(store, plain)) {
      const auto checks = ir::checks_of(mutant.script);
      const auto all = terms_at(mutant.script, checks.back());
      ASSERT_EQ(mutant.expected.size(), checks.size());
      EXPECT_EQ(mutant.construction, plain.construction);
      for (size_t i = 0; i < checks.size(); ++i) {
        const bool asks_all = terms_at(mutant.script, checks[i]) == all;
        EXPECT_EQ(mutant.expected[i], asks_all ? Truth::kUnsat : Truth::kUnknown);
        asked_all_before |= asks_all && i + 1 < checks.size();
      }
    }
    EXPECT_EQ(asked_all_before, last == "(check-sat)");
  }
}

TEST(IncrementalTest, NamesAreGivenOnce) {
  ir::TermStore store;
  Mutant plain;
  plain.script =
      read(store,
           "(declare-const x Int)(assert (! (> x 0) :named a))(define-fun f () Bool (not a))"
           "(declare-const y Int)(assert (> y x))(assert (or a (= y 2)))(assert (or f (= x "
           "y)))(check-sat)");
  for (const Mutant& mutant : steps_of(store, plain)) {
    const std::string text = print(store, mutant.script);
    const size_t first = text.find(":named");
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(text.find(":named", first + 1), std::string::npos) << text;
    EXPECT_LT(first, text.find("(push"));
    ir::TermStore other;
    EXPECT_TRUE(smtlib::parse_script(other, text, {.strict = true}).has_value()) << text;
    expect_same_question(plain.script, mutant.script);
  }
}

TEST(IncrementalTest, OtherScriptsStayAsTheyAre) {
  for (const std::string_view text :
       {"(declare-const p Bool)(assert p)(check-sat)(check-sat)",
        "(declare-const p Bool)(push 1)(assert p)(check-sat)",
        "(declare-const p Bool)(assert p)(reset-assertions)(check-sat)",
        "(declare-const p Bool)(assert p)", "(check-sat)"}) {
    ir::TermStore store;
    Mutant plain;
    plain.script = read(store, text);
    plain.expected = {Truth::kSat};
    for (const Mutant& mutant : steps_of(store, plain, 10)) {
      EXPECT_EQ(print(store, mutant.script), print(store, plain.script));
      EXPECT_EQ(mutant.expected, plain.expected);
    }
  }
}

TEST(IncrementalTest, ManyAssertionsStayInBounds) {
  ir::TermStore store;
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "p" + std::to_string(i);
    text += "(declare-const " + name + " Bool)(assert " + name + ")";
  }
  Mutant plain;
  plain.script = read(store, text + "(check-sat)");
  for (const Mutant& mutant : steps_of(store, plain, 20)) {
    expect_levels(mutant.script);
    expect_same_question(plain.script, mutant.script);
  }
}

}  // namespace
}  // namespace elenchus
