// The engine skeleton on whole scripts: what it makes reads back, has the skeletons and follows the
// rules of its knowledge, and can be repeated.
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

#include "history/knowledge_file.h"
#include "history/learner.h"
#include "history/skeleton.h"
#include "ir/free_variables.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "mutate/skeleton/skeleton.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

namespace fs = std::filesystem;
using history::Knowledge;
using ir::TermId;

std::vector<std::string> embedded_seeds(size_t every) {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ELENCHUS_SOURCE_DIR) / "data/seeds")) {
    if (entry.path().extension() == ".smt2") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (size_t i = 0; i < paths.size(); i += every) {
    std::ifstream file(paths[i], std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::shared_ptr<const Knowledge> knowledge(const std::string& text) {
  auto read = history::read_knowledge(text);
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  return std::make_shared<const Knowledge>(std::move(*read));
}

// Mutants of one seed, each with the store that it lives in.
class Mill {
 public:
  Mill(const std::string& seed, mutate::SkeletonSettings settings, uint64_t rng)
      : engine_(mutate::make_skeleton(settings)), rng_(rng) {
    auto script = smtlib::parse_script(store_, seed);
    EXPECT_TRUE(script.has_value()) << seed;
    if (script) seed_ = std::move(*script);
    mark_ = store_.mark();
  }

  // `visit(store, script)` for so many mutants of each of so many series.
  template <typename Visit>
  void run(uint32_t series, uint32_t mutants, Visit visit) {
    for (uint32_t i = 0; i < series; ++i) {
      store_.rollback(mark_);
      auto started = engine_->start(store_, {seed_, {}, mutate::Truth::kUnknown});
      const auto made = series_in(std::move(started));
      ASSERT_NE(made, nullptr);
      for (uint32_t n = 0; n < mutants; ++n) {
        const auto attempt = made->next(rng_);
        const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
        ASSERT_NE(mutant, nullptr) << std::get<mutate::Skip>(attempt).reason;
        EXPECT_TRUE(mutant->expected.empty());
        visit(store_, mutant->script);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }

 private:
  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  base::Rng rng_;
  ir::Script seed_;
  ir::TermStore::Mark mark_;
};

std::vector<TermId> assertions_of(const ir::Script& script) {
  std::vector<TermId> terms;
  for (const ir::Command& command : script.commands) {
    if (command.kind == ir::CommandKind::kAssert) terms.push_back(command.term);
  }
  return terms;
}

constexpr const char* kSeed =
    "(set-logic ALL)(declare-const x Int)(declare-fun h (Int) Int)(assert (< (h x) 7))(check-sat)";

// A knowledge file with atoms of its own.
std::shared_ptr<const Knowledge> with_atoms() {
  history::KnowledgeBuilder builder;
  history::Learner learner(builder);
  for (const std::string& seed : embedded_seeds(3)) (void)learner.add({"seed", seed, {}});
  return std::make_shared<const Knowledge>(builder.build({}));
}

void check_read_back(const mutate::SkeletonSettings& settings, size_t every) {
  ir::TermStore reader;
  const auto clean = reader.mark();
  uint64_t rng = 0;
  for (const std::string& seed : embedded_seeds(every)) {
    Mill mill(seed, settings, ++rng);
    mill.run(2, 10, [&](ir::TermStore& store, const ir::Script& script) {
      const auto text = smtlib::print_script(store, script);
      ASSERT_TRUE(text.has_value());
      reader.rollback(clean);
      const auto again = smtlib::parse_script(reader, *text, {.strict = true});
      ASSERT_TRUE(again.has_value())
          << again.error().where.line << ": " << again.error().message << "\n"
          << *text << "\nseed:\n"
          << seed;
      EXPECT_EQ(*smtlib::print_script(reader, *again), *text);
    });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(SkeletonEngine, MutantsReadBackWithShippedKnowledge) { check_read_back({}, 2); }

TEST(SkeletonEngine, MutantsReadBackWithAtomsOfAFile) {
  mutate::SkeletonSettings settings;
  settings.knowledge = with_atoms();
  ASSERT_FALSE(settings.knowledge->atoms.empty());
  check_read_back(settings, 5);
}

// Accepted mutants may become seeds: their names are the ones that new mutants would use.
TEST(SkeletonEngine, MutantsOfMutantsReadBack) {
  mutate::SkeletonSettings settings;
  settings.knowledge = with_atoms();
  std::string seed = kSeed;
  for (uint64_t generation = 0; generation < 12; ++generation) {
    std::string next;
    Mill mill(seed, settings, generation);
    mill.run(1, 5, [&](ir::TermStore& store, const ir::Script& script) {
      next = *smtlib::print_script(store, script);
      ir::TermStore reader;
      const auto again = smtlib::parse_script(reader, next, {.strict = true});
      ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << next;
    });
    if (testing::Test::HasFatalFailure()) return;
    seed = next;
  }
}

TEST(SkeletonEngine, TheSameNumberGivesTheSameMutants) {
  std::array<std::string, 2> texts;
  for (std::string& all : texts) {
    for (const std::string& seed : embedded_seeds(40)) {
      Mill mill(seed, {}, 5);
      mill.run(3, 5, [&](ir::TermStore& store, const ir::Script& script) {
        all += *smtlib::print_script(store, script);
      });
    }
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_GT(texts[0].size(), 10'000U);
}

TEST(SkeletonEngine, OneToFiveSkeletonsOfTheKnowledgeMostlyThree) {
  const auto shipped = history::shipped_knowledge();
  const std::set<std::string> known(shipped->skeletons.begin(), shipped->skeletons.end());
  std::map<size_t, uint32_t> counts;
  std::set<std::string> used;
  Mill mill(kSeed, {}, 1);
  mill.run(10, 100, [&](ir::TermStore& store, const ir::Script& script) {
    const auto terms = assertions_of(script);
    ++counts[terms.size()];
    for (const TermId term : terms) {
      const std::string text = to_text(history::skeleton_of(store, term));
      ASSERT_TRUE(known.contains(text)) << text;
      used.insert(text);
    }
  });
  EXPECT_EQ(counts.size(), 5U);
  EXPECT_EQ(counts.begin()->first, 1U);
  for (const size_t other : {1, 2, 4, 5}) EXPECT_GT(counts[3], counts[other]);
  // All are drawn alike, but for those that not every solver reads.
  EXPECT_GT(used.size(), known.size() / 2);
  const auto is_large = [](const std::string& text) {
    return history::parse_skeleton(text)->holes() > 12;
  };
  EXPECT_GT(std::count_if(used.begin(), used.end(), is_large),
            std::count_if(known.begin(), known.end(), is_large) / 2);
}

// What only z3 reads is made where z3 is alone.
TEST(SkeletonEngine, ConnectivesOfOneFormulaOrNoneAsFarAsTheyAreRead) {
  for (const bool is_alone : {true, false}) {
    mutate::SkeletonSettings settings;
    settings.knowledge = knowledge(
        "elenchus-history 2\nskeleton (and _)\nskeleton (or _ (xor))\nskeleton (xor _)\n"
        "signature (< IntVar IntVar)\ninput 1 - - - - skeletons 0 1 2 signatures 0 atoms shapes\n");
    settings.vocabulary.solvers = is_alone ? ir::kZ3Reader : ir::kZ3Reader | ir::kCvc5Reader;
    std::set<std::string> used;
    Mill mill(kSeed, settings, 8);
    mill.run(2, 30, [&](ir::TermStore& store, const ir::Script& script) {
      for (const TermId term : assertions_of(script)) {
        used.insert(to_text(history::skeleton_of(store, term)));
      }
      ir::TermStore reader;
      ASSERT_TRUE(
          smtlib::parse_script(reader, *smtlib::print_script(store, script), {.strict = true}));
    });
    const std::set<std::string> all = {"(and _)", "(or _ (xor))", "(xor _)"};
    EXPECT_EQ(used, is_alone ? all : std::set<std::string>{"(and _)"});
  }
}

// Learns what a mutant is made of, and says which texts of its list another knowledge has.
uint32_t count_known(const std::vector<history::AtomText>& list,
                     const std::vector<history::AtomText>& known) {
  std::set<std::string> texts;
  for (const history::AtomText& each : known) texts.insert(each.text);
  return static_cast<uint32_t>(
      std::count_if(list.begin(), list.end(),
                    [&](const history::AtomText& each) { return texts.contains(each.text); }));
}

Knowledge lesson_of(const ir::TermStore& store, const ir::Script& script) {
  history::KnowledgeBuilder builder;
  history::Learner learner(builder);
  (void)learner.add({"mutant", *smtlib::print_script(store, script), {}});
  return builder.build({});
}

TEST(SkeletonEngine, AtomsHaveHistoricalShapes) {
  mutate::SkeletonSettings settings;
  settings.seed_atom_one_in = 0;
  settings.made_atom_one_in = 0;
  settings.translocate_one_in = 0;
  const auto shipped = history::shipped_knowledge();
  uint32_t all = 0;
  uint32_t historical = 0;
  Mill mill(kSeed, settings, 9);
  mill.run(10, 10, [&](ir::TermStore& store, const ir::Script& script) {
    const Knowledge lesson = lesson_of(store, script);
    all += static_cast<uint32_t>(lesson.shapes.size());
    historical += count_known(lesson.shapes, shipped->shapes);
  });
  EXPECT_GT(all, 500U);
  EXPECT_GT(historical, all * 3 / 4);
}

// As they are, and not only a few of a signature.
TEST(SkeletonEngine, AtomsOfAFileAreUsedAsTheyAre) {
  std::string text =
      "elenchus-history 2\nskeleton (and _ _ _)\nsignature (< IntVar IntConst)\n"
      "declare v0_Int () Int\n";
  std::string numbers;
  for (int i = 0; i < 50; ++i) {
    text += "atom 0 (< v0_Int " + std::to_string(1000 + i) + ")\n";
    numbers += " " + std::to_string(i);
  }
  text += "input 1 - - - - skeletons 0 signatures 0 atoms" + numbers + " shapes\n";
  mutate::SkeletonSettings settings;
  settings.knowledge = knowledge(text);
  settings.seed_atom_one_in = 0;
  settings.made_atom_one_in = 0;
  std::set<std::string> used;
  Mill mill(kSeed, settings, 10);
  mill.run(1, 100, [&](ir::TermStore& store, const ir::Script& script) {
    const Knowledge lesson = lesson_of(store, script);
    EXPECT_EQ(count_known(lesson.atoms, settings.knowledge->atoms), lesson.atoms.size());
    for (const history::AtomText& each : lesson.atoms) used.insert(each.text);
  });
  EXPECT_EQ(used.size(), 50U);
}

std::vector<std::string> signatures_in(ir::TermStore& store, TermId formula) {
  history::Signatures signatures(store);
  std::vector<std::string> texts;
  std::vector<TermId> stack = {formula};
  while (!stack.empty()) {
    const TermId term = stack.back();
    stack.pop_back();
    if (history::connective_of(store, term) == ir::Op::kNone) {
      texts.push_back(to_text(signatures.of(term)));
      continue;
    }
    const auto args = store.args(term);
    stack.insert(stack.end(), args.rbegin(), args.rend());
  }
  return texts;
}

constexpr const char* kRules =
    "elenchus-history 1\n"
    "skeleton (and _ _ _)\n"
    "signature (< IntVar IntVar)\n"
    "signature (= IntConst IntVar)\n"
    "signature (>= IntVar IntConst)\n"
    "input 1 - - - - skeletons 0 signatures 0 1 2 atoms\n"
    "rule 1 => 0 support 9 confidence 0.9\n";

TEST(SkeletonEngine, ARuleIsFollowedOnceForEachSkeleton) {
  mutate::SkeletonSettings settings;
  settings.knowledge = knowledge(kRules);
  settings.seed_atom_one_in = 0;
  for (const bool uses_rules : {true, false}) {
    settings.uses_rules = uses_rules;
    uint32_t met = 0;
    uint32_t followed = 0;
    uint32_t twice = 0;
    Mill mill(kSeed, settings, 2);
    mill.run(4, 100, [&](ir::TermStore& store, const ir::Script& script) {
      for (const TermId term : assertions_of(script)) {
        const auto found = signatures_in(store, term);
        ASSERT_EQ(found.size(), 3U);
        if (found[0] != "(= IntConst IntVar)") continue;
        ++met;
        followed += found[1] == "(< IntVar IntVar)" ? 1 : 0;
        twice += found[2] == "(< IntVar IntVar)" ? 1 : 0;
      }
    });
    ASSERT_GT(met, 200U);
    // Atoms that not all solvers read are mostly passed over, and another signature drawn.
    EXPECT_GE(followed, uses_rules ? met * 9 / 10 : 1);
    EXPECT_LE(followed, uses_rules ? met : met / 2);
    // The rule is used up: the third atom is drawn at random.
    EXPECT_LT(twice, met / 2);
  }
}

TEST(SkeletonEngine, QuantifiersBindVariablesOfTheirBodiesAndOthers) {
  mutate::SkeletonSettings settings;
  settings.knowledge = knowledge(
      "elenchus-history 1\nskeleton (forall (exists (or _ _)))\nsignature (< IntVar IntVar)\n"
      "input 1 - - - - skeletons 0 signatures 0 atoms\n");
  uint32_t free = 0;
  uint32_t vacuous = 0;
  Mill mill(kSeed, settings, 3);
  mill.run(2, 100, [&](ir::TermStore& store, const ir::Script& script) {
    ir::FreeVariables variables(store);
    for (const TermId term : assertions_of(script)) {
      ASSERT_EQ(store.op(term), ir::Op::kForall);
      EXPECT_TRUE(variables.of(term).empty());
      const TermId inner = store.args(term).back();
      ASSERT_EQ(store.op(inner), ir::Op::kExists);
      for (const TermId binder : {term, inner}) {
        for (const TermId variable : store.bound_variables(binder)) {
          ++(variables.is_free(variable, store.args(binder).back()) ? free : vacuous);
        }
      }
    }
  });
  EXPECT_GT(free, vacuous);
  EXPECT_GT(vacuous, 50U);
}

TEST(SkeletonEngine, AtomsOfTheSeedAreUsedAndDeclared) {
  const std::string seed =
      "(set-logic ALL)(declare-sort Thing 0)(declare-datatypes ((Pair 0)) (((mk (one Int) (of "
      "Thing)))))"
      "(declare-const here Pair)(declare-fun price (Thing) Int)"
      "(assert (forall ((t Thing)) (or (= here (mk 3 t)) (< (price t) (one here)))))(check-sat)";
  uint32_t prices = 0;
  Mill mill(seed, {}, 4);
  mill.run(20, 20, [&](ir::TermStore& store, const ir::Script& script) {
    const std::string text = *smtlib::print_script(store, script);
    prices += text.find("(price ") != std::string::npos ? 1 : 0;
    ir::TermStore reader;
    const auto again = smtlib::parse_script(reader, text, {.strict = true});
    ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << text;
  });
  EXPECT_GT(prices, 40U);
}

TEST(SkeletonEngine, WorksWithKnowledgeThatHasLittle) {
  mutate::SkeletonSettings settings;
  settings.knowledge = knowledge("elenchus-history 1\nskeleton _\n");
  Mill mill(kSeed, settings, 6);
  mill.run(2, 10, [](ir::TermStore&, const ir::Script&) {});
  // An unknown operator, a kind of sort that cannot be made.
  settings.knowledge = knowledge(
      "elenchus-history 1\nskeleton (and _ _)\nsignature (foo IntVar)\nsignature (= OpaqueVar "
      "OpaqueVar)\n"
      "input 1 - - - - skeletons 0 signatures 0 1 atoms\n");
  Mill odd(kSeed, settings, 6);
  odd.run(2, 10, [](ir::TermStore&, const ir::Script&) {});
  settings.knowledge = knowledge("elenchus-history 1\n");
  ir::TermStore store;
  const auto engine = mutate::make_skeleton(settings);
  base::Rng rng(1);
  const auto series = series_in(engine->start(store, {ir::Script(), {}, mutate::Truth::kUnknown}));
  ASSERT_NE(series, nullptr);
  EXPECT_TRUE(std::holds_alternative<mutate::Skip>(series->next(rng)));
}

TEST(SkeletonEngine, DeepSeedsAreNoProblem) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(not ";
  deep += "(< x " + std::string("7)") + std::string(100'000, ')');
  Mill mill("(declare-const x Int)(assert " + deep + ")(check-sat)", {}, 7);
  uint32_t mutants = 0;
  mill.run(1, 5, [&](ir::TermStore&, const ir::Script&) { ++mutants; });
  EXPECT_GT(mutants, 0U);
}

}  // namespace
}  // namespace elenchus
