// The engine edit on whole scripts: each kind of edit makes scripts that are well-sorted, differ
// from the seed and from each other, and can be made again.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "ir/term_store.h"
#include "mutate/registry.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "witness.h"

namespace elenchus {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> embedded_seeds() {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ELENCHUS_SOURCE_DIR) / "data" / "seeds")) {
    if (entry.path().extension() == ".smt2") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// An engine with a store, for one seed after the other.
class Editor {
 public:
  explicit Editor(const mutate::EditSettings& settings = {}, uint64_t rng = 1)
      : engine_(mutate::make_edit(settings)), mark_(store_.mark()), rng_(rng) {}

  // `visit(mutant)` for up to `count` mutants of one visit to the seed. How many there were.
  template <typename Visit>
  uint32_t run(const std::string& text, uint32_t count, Visit visit) {
    store_.rollback(mark_);
    auto script = smtlib::parse_script(store_, text);
    EXPECT_TRUE(script.has_value()) << text;
    if (!script) return 0;
    const auto series = series_in(engine_->start(store_, {*script, models_}));
    EXPECT_NE(series, nullptr);
    uint32_t made = 0;
    for (uint32_t refused = 0; made < count && refused < 100;) {
      const auto attempt = series->next(rng_);
      const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
      if (mutant == nullptr) {
        ++refused;
        continue;
      }
      ++made;
      series->learn(visit(*mutant));
      if (testing::Test::HasFatalFailure()) break;
    }
    return made;
  }

  // The texts of that many mutants.
  std::vector<std::string> texts(const std::string& seed, uint32_t count) {
    std::vector<std::string> all;
    run(seed, count, [&](const mutate::Mutant& mutant) {
      all.push_back(print(mutant.script));
      return false;
    });
    return all;
  }

  std::string print(const ir::Script& script) const {
    return smtlib::print_script(store_, script).value();
  }

  ir::TermStore& store() { return store_; }

  void restart(uint64_t rng) {
    engine_->forget();
    rng_ = base::Rng(rng);
  }

 private:
  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  ir::TermStore::Mark mark_;
  base::Rng rng_;
  std::vector<ir::Model> models_;
};

// What each kind can be made of.
constexpr const char* kRich =
    "(set-logic ALL)(declare-const p Bool)(declare-const q Bool)(declare-const x Int)"
    "(declare-const y Int)(declare-const r Real)(declare-const s String)"
    "(declare-const v (_ BitVec 8))(declare-const w (_ BitVec 8))"
    "(declare-const f (_ FloatingPoint 5 11))(declare-fun g (Int Int) Int)"
    "(define-fun h ((a Int)) Int (+ a 1))"
    "(assert (or p (not q) (< (+ x y 3) (g x (h y)))))"
    "(push 1)(assert (and (= ((_ extract 7 4) v) #x3) (bvult (bvadd v w) #x0f)))(check-sat)"
    "(pop 1)(assert (forall ((z Int) (b Bool)) (=> b (> (* 2 z) (- x)))))"
    "(assert (fp.lt f (fp.add RNE f f)))(assert (> r 1.5))"
    "(assert (str.in_re s (re.++ (str.to_re \"ab\") ((_ re.loop 1 3) (str.to_re \"c\")))))"
    "(check-sat)";

TEST(EditTest, EveryKindIsMadeAndReadsBack) {
  mutate::EditSettings settings;
  settings.widen_one_in = 0;  // so that the logic of a seed can be changed
  Editor editor(settings);
  editor.texts("(declare-const u Int)(assert (= (mod u 5) (div u 7)))(check-sat)", 1);  // grafts
  std::map<std::string_view, int> kinds;
  ir::TermStore other;
  const auto mark = other.mark();
  const auto check = [&](const mutate::Mutant& mutant) {
    ++kinds[mutant.kind];
    const std::string text = editor.print(mutant.script);
    other.rollback(mark);
    const auto again = smtlib::parse_script(other, text, {.strict = true});
    EXPECT_TRUE(again.has_value()) << mutant.kind << "\n"
                                   << (again ? "" : again.error().message) << "\n"
                                   << text;
    if (again) {
      EXPECT_EQ(smtlib::print_script(other, *again).value(), text) << mutant.kind;
    }
    return false;
  };
  editor.run(kRich, 4000, check);
  editor.run("(set-logic QF_LIA)(declare-const i Int)(assert (< 0 i))(check-sat)", 100, check);
  for (const std::string_view kind : mutate::edit_kinds()) EXPECT_GT(kinds[kind], 0) << kind;
}

TEST(EditTest, MutantsOfEmbeddedSeedsAreWellSorted) {
  Editor editor;
  ir::TermStore other;
  const auto mark = other.mark();
  for (const fs::path& path : embedded_seeds()) {
    const std::string seed = content_of(path);
    other.rollback(mark);
    if (!smtlib::parse_script(other, seed, {.strict = true})) continue;
    editor.run(seed, 60, [&](const mutate::Mutant& mutant) {
      const std::string text = editor.print(mutant.script);
      other.rollback(mark);
      const auto again = smtlib::parse_script(other, text, {.strict = true});
      EXPECT_TRUE(again.has_value())
          << path << " by " << mutant.kind << ": " << (again ? "" : again.error().message) << "\n"
          << text;
      if (again) {
        EXPECT_EQ(smtlib::print_script(other, *again).value(), text) << mutant.kind;
      }
      return false;
    });
    if (HasFailure()) return;
  }
}

TEST(EditTest, NoScriptComesTwiceNorTheSeed) {
  Editor editor;
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, kRich);
  ASSERT_TRUE(script.has_value());
  std::set<std::string> texts = {smtlib::print_script(store, *script).value()};
  editor.run(kRich, 2000, [&](const mutate::Mutant& mutant) {
    const std::string text = editor.print(mutant.script);
    EXPECT_TRUE(texts.insert(text).second) << mutant.kind << "\n" << text;
    return false;
  });
}

constexpr const char* kSmall =
    "(declare-const x Int)(declare-const y Int)(assert (< x y))(check-sat)";

TEST(EditTest, VisitsGoOnWhereTheLastOneEnded) {
  mutate::EditSettings settings;
  settings.pairs_of_base = 0;
  Editor whole(settings);
  const uint32_t all = whole.run(kSmall, 100'000, [](const mutate::Mutant&) { return false; });
  EXPECT_GT(all, 50U);
  Editor editor(settings);
  std::set<std::string> texts;
  uint32_t made = 0;
  for (int visit = 0; visit < 10; ++visit) {
    for (const std::string& text : editor.texts(kSmall, all / 8)) {
      ++made;
      EXPECT_TRUE(texts.insert(text).second) << text;
    }
  }
  EXPECT_GT(made, all / 2);
  EXPECT_TRUE(editor.texts(kSmall, 1).empty()) << "there is an end";
}

TEST(EditTest, TheSameNumberGivesTheSameMutants) {
  Editor one({}, 7);
  Editor other({}, 7);
  Editor third({}, 8);
  const auto texts = one.texts(kRich, 500);
  EXPECT_EQ(texts, other.texts(kRich, 500));
  EXPECT_NE(texts, third.texts(kRich, 500));
}

TEST(EditTest, MutantsDependOnTheSeedAloneOnceTheRestIsForgotten) {
  const std::string before = "(declare-const a Int)(assert (> (* a a) 7))(check-sat)";
  Editor fresh({}, 3);
  const auto wanted = fresh.texts(kRich, 200);
  Editor used({}, 3);
  used.texts(before, 50);
  used.restart(3);
  EXPECT_EQ(used.texts(kRich, 200), wanted);
}

// Pairs start from the edits that behaved unlike the seed: here, those that bring `true`.
TEST(EditTest, PairsBeginWithEditsThatBehavedUnlikeTheSeed) {
  mutate::EditSettings settings;
  settings.pair_one_in = 2;
  Editor editor(settings);
  uint32_t pairs = 0;
  editor.run(
      "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)"
      "(assert (or p q))(check-sat)",
      600, [&](const mutate::Mutant& mutant) {
        const std::string text = editor.print(mutant.script);
        const bool is_unlike =
            text.find("(declare-const r Bool)\n(assert (and p q))") != std::string::npos;
        pairs += !is_unlike && text.find("and") != std::string::npos ? 1 : 0;
        return is_unlike;
      });
  EXPECT_GT(pairs, 20U);
}

TEST(EditTest, WhatIsExpectedHoldsUnderTheWitness) {
  Editor editor;
  uint32_t known = 0;
  editor.run(
      "(declare-const p Bool)(declare-const x Int)(declare-fun f (Int) Int)"
      "(assert (or p (not p) (< x 5)))(push 1)(assert (= (f x) (f x)))(check-sat)(pop 1)"
      "(assert (=> p p))(check-sat)",
      500, [&](const mutate::Mutant& mutant) {
        EXPECT_EQ(mutant.witness != nullptr, !mutant.expected.empty());
        if (mutant.witness == nullptr) return false;
        ++known;
        expect_witness_holds(editor.store(), mutant);
        return false;
      });
  EXPECT_GT(known, 100U);
}

TEST(EditTest, LargeAndDeepSeedsCostWhatIsDrawn) {
  std::string deep = "(declare-const b Bool)(assert ";
  constexpr int kDepth = 50'000;
  for (int i = 0; i < kDepth; ++i) deep += "(not ";
  deep += "b" + std::string(kDepth, ')') + ")(check-sat)";
  std::string shared = "(declare-const x Int)(assert ";
  for (int i = 0; i < 200; ++i) {
    const std::string below = i == 0 ? "x" : "v" + std::to_string(i - 1);
    shared += "(let ((v" + std::to_string(i) + " (+ " + below + " " + below + "))) ";
  }
  shared += "(> v199 0)" + std::string(200, ')') + ")(check-sat)";
  for (const std::string& seed : {deep, shared}) {
    Editor editor;
    EXPECT_EQ(editor.run(seed, 30, [](const mutate::Mutant&) { return false; }), 30U);
  }
}

TEST(EditTest, StatusAndQueriesAreLeftOut) {
  Editor editor;
  for (const std::string& text :
       editor.texts("(set-info :status sat)(declare-const x Int)(assert (> x 0))(check-sat)"
                    "(get-model)(get-value (x))",
                    50)) {
    EXPECT_EQ(text.find(":status"), std::string::npos);
    EXPECT_EQ(text.find("(get-"), std::string::npos);
  }
}

// Until nothing is left: all single edits, and no pairs.
mutate::EditSettings singles(uint64_t own, uint64_t all) {
  auto slice = std::make_shared<mutate::Slice>();
  slice->set(own, all);
  mutate::EditSettings settings;
  settings.widen_one_in = 0;
  settings.pair_one_in = 0;
  settings.max_bases = 1;
  settings.pairs_of_base = 0;
  settings.slice = slice;
  return settings;
}

TEST(EditTest, PartsHaveNothingInCommonAndTogetherEverything) {
  const std::string seed =
      "(set-logic QF_LIA)(declare-const x Int)(assert (> (+ x 3) 0))(check-sat)";
  const auto mutants_of = [&](uint64_t own, uint64_t all) {
    auto texts = Editor(singles(own, all)).texts(seed, 100'000);
    // The name that is made up depends on what was made before.
    std::erase_if(texts, [](const auto& text) { return text.find(":named") != text.npos; });
    return texts;
  };
  const std::vector<std::string> whole = mutants_of(0, 1);
  const std::set all(whole.begin(), whole.end());
  ASSERT_GT(whole.size(), 50U);
  std::set<std::string> first_ones;
  for (uint64_t own = 0; own < 2; ++own) {
    const std::vector<std::string> mutants = mutants_of(own, 2);
    EXPECT_TRUE(std::set(mutants.begin(), mutants.end()) == all)
        << "those of the other come when its own are made";
    for (size_t i = 0; i < whole.size() / 3; ++i) {
      EXPECT_TRUE(first_ones.insert(mutants[i]).second) << mutants[i];
    }
  }
}

}  // namespace
}  // namespace elenchus
