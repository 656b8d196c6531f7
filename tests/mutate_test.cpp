// The engines on whole scripts: what they make is well-sorted, stays in bounds and can be repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/test_corpus.h"
#include "gen/vocabulary.h"
#include "ir/measure.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "mutate/registry.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kEngines = {"opfuzz", "typefuzz"};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> scripts_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string print(const ir::TermStore& store, const ir::Script& script) {
  auto text = smtlib::print_script(store, script);
  EXPECT_TRUE(text.has_value());
  return text ? *text : "";
}

uint64_t tree_size(const ir::TermStore& store, const ir::Script& script) {
  ir::Measures measures(store);
  uint64_t size = 0;
  for (const ir::Command& command : script.commands) {
    ir::TermId term = command.term;
    if (command.kind == ir::CommandKind::kDefineFun) {
      term = store.fun(ir::FunId{script.items(command)[0]}).body;
    }
    if (term.valid()) size = ir::saturating_add(size, measures.of(term).size);
  }
  return size;
}

// Mutants of one text, one chain after the other.
class Mutants {
 public:
  Mutants(std::string_view engine, const std::string& text, uint64_t rng,
          const mutate::EngineSettings& settings = {},
          std::shared_ptr<const ir::OpTable> ops = ir::OpTable::standard())
      : store_(ops), engine_(mutate::make_engine(engine, settings)), rng_(rng) {
    auto script = smtlib::parse_script(store_, text);
    EXPECT_TRUE(script.has_value()) << text;
    if (script) seed_ = std::move(*script);
    mark_ = store_.mark();
  }

  ir::TermStore& store() { return store_; }
  const ir::Script& seed() const { return seed_; }

  // `visit(script)` for up to `count` mutants, and `start()` before each chain.
  template <typename Start, typename Visit>
  uint32_t run(uint32_t count, Start start, Visit visit) {
    uint32_t made = 0;
    uint32_t refused = 0;
    while (made < count && refused < 50) {
      store_.rollback(mark_);
      start();
      const auto series = series_in(engine_->start(store_, {seed_, {}, mutate::Truth::kUnknown}));
      if (series == nullptr) return made;
      for (uint32_t i = 0; i < engine_->series_length() && made < count; ++i) {
        const auto attempt = series->next(rng_);
        const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
        if (mutant == nullptr) {
          if (++refused >= 50) break;
          continue;
        }
        ++made;
        visit(mutant->script);
        if (testing::Test::HasFatalFailure()) return made;
      }
    }
    return made;
  }

  template <typename Visit>
  uint32_t run(uint32_t count, Visit visit) {
    return run(
        count, [] {}, visit);
  }

 private:
  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  base::Rng rng_;
  ir::Script seed_;
  ir::TermStore::Mark mark_;
};

// Reads texts back, one after the other: making a store costs more than reading a script.
class StrictReader {
 public:
  explicit StrictReader(std::shared_ptr<const ir::OpTable> ops = ir::OpTable::standard())
      : store_(std::move(ops)), mark_(store_.mark()) {}

  bool reads(const std::string& text, std::string* printed = nullptr) {
    store_.rollback(mark_);
    const auto script = smtlib::parse_script(store_, text, {.strict = true});
    if (!script) {
      ADD_FAILURE() << script.error().where.line << ":" << script.error().where.column << ": "
                    << script.error().message << "\n"
                    << text;
      return false;
    }
    if (printed != nullptr) *printed = print(store_, *script);
    return true;
  }

 private:
  ir::TermStore store_;
  ir::TermStore::Mark mark_;
};

// Checks so many mutants of the text by each engine.
void check_mutants(const std::string& name, const std::string& text, uint32_t count) {
  {
    ir::TermStore store;
    if (!smtlib::parse_script(store, text, {.strict = true})) return;
  }
  StrictReader reader;
  for (const std::string& engine : kEngines) {
    SCOPED_TRACE(name + " by " + engine);
    Mutants mutants(engine, text, 7);
    smtlib::ScriptPrinter printer(mutants.store());
    const uint64_t seed_size = tree_size(mutants.store(), mutants.seed());
    std::string last;
    mutants.run(
        count, [&] { last.clear(); },
        [&](const ir::Script& script) {
          const std::string now = print(mutants.store(), script);
          const auto quick = printer.print(script);
          ASSERT_TRUE(quick.has_value());
          ASSERT_EQ(quick->text, now);
          ASSERT_EQ(quick->command_ends.size(), script.commands.size());
          ASSERT_NE(now, last);
          std::string again;
          ASSERT_TRUE(reader.reads(now, &again));
          ASSERT_EQ(again, now);
          if (seed_size < 1'000'000) {
            ASSERT_LE(tree_size(mutants.store(), script),
                      std::max<uint64_t>({200, 4 * seed_size, seed_size + seed_size / 2}));
          }
          last = now;
        });
  }
}

TEST(MutateTest, MutantsOfEmbeddedSeedsAreWellSorted) {
  for (const fs::path& path : scripts_below(fs::path(ELENCHUS_SOURCE_DIR) / "data" / "seeds")) {
    check_mutants(path.filename().string(), content_of(path), 40);
    if (HasFatalFailure()) return;
  }
}

TEST(MutateTest, MutantsOfTheCorpusAreWellSorted) {
  const auto corpus = base::corpus_folder("seeds");
  if (!corpus) GTEST_SKIP() << base::kNoCorpus;
  const std::vector<fs::path> scripts = scripts_below(*corpus);
  ASSERT_FALSE(scripts.empty()) << "no scripts in " << *corpus;
  for (const fs::path& path : scripts) {
    check_mutants(path.filename().string(), content_of(path), 4);
    if (HasFatalFailure()) return;
  }
}

constexpr const char* kNested =
    "(declare-fun p (Int Int) Bool)(declare-const c Int)(declare-const b Bool)"
    "(define-fun d ((x Int) (y Bool)) Int (ite y (+ x c) (- x)))"
    "(assert (forall ((x Int) (y Int)) (or (p x y) (exists ((x Int) (z Bool)) "
    "(and z (p x (+ y c)) (forall ((x Bool)) (= x z)))))))"
    "(assert (exists ((z Int)) (! (p z (d z b)) :pattern ((p z c)) :qid q)))"
    "(assert (let ((v (+ c 1))) (p v (* v v))))(check-sat)";

TEST(MutateTest, VariablesStayInTheirScopes) { check_mutants("nested", kNested, 3000); }

constexpr const char* kIncremental =
    "(set-logic ALL)(declare-const x Int)(push 1)(declare-sort U 0)(declare-const u U)"
    "(declare-fun f (U) Int)(assert (= (f u) x))(check-sat)(push 1)(declare-const f Bool)"
    "(declare-datatypes ((E 0)) (((e1) (e2 (of Int)))))(declare-const e E)"
    "(assert (or f ((_ is e1) e)))(check-sat)(pop 2)(declare-const y Real)(declare-const u String)"
    "(assert (= (str.len u) x))(assert (< y 2.0))(check-sat)(declare-const late Int)"
    "(assert (> late x))(check-sat)";

TEST(MutateTest, FunctionsAreUsedWhereTheyAreInForce) {
  check_mutants("incremental", kIncremental, 3000);
}

TEST(MutateTest, NamesAreGivenOnce) {
  const std::string text =
      "(declare-const x Int)(declare-const y Int)(assert (! (< x y) :named first))"
      "(assert (! (> (+ x 1) (* 2 y)) :named second))(assert (or (= x y) first))(check-sat)";
  StrictReader reader;
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 3);
    smtlib::ScriptPrinter printer(mutants.store());
    mutants.run(500, [&](const ir::Script& script) {
      const auto printed = printer.print(script);
      ASSERT_TRUE(printed.has_value());
      const std::string& now = printed->text;
      ASSERT_EQ(now, print(mutants.store(), script));
      ASSERT_TRUE(reader.reads(now));
      const size_t at = now.find(":named second");
      EXPECT_EQ(now.find(":named second", at + 1), std::string::npos);
      // What is called by its name stays as it is.
      EXPECT_NE(now.find("(! (< x y) :named first)"), std::string::npos) << now;
    });
  }
}

TEST(MutateTest, TheSameNumberGivesTheSameMutants) {
  for (const std::string& engine : kEngines) {
    std::vector<std::string> texts;
    for (int round = 0; round < 3; ++round) {
      Mutants mutants(engine, kIncremental, round == 2 ? 12 : 11);
      std::string all;
      mutants.run(200, [&](const ir::Script& script) { all += print(mutants.store(), script); });
      texts.push_back(all);
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_NE(texts[0], texts[2]);
  }
}

TEST(MutateTest, AfterRollbackTheStoreIsAsBefore) {
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, kIncremental, 5);
    ir::TermStore& store = mutants.store();
    const auto before = store.mark();
    const std::string seed = print(store, mutants.seed());
    mutants.run(100, [](const ir::Script&) {});
    store.rollback(before);
    const auto after = store.mark();
    EXPECT_EQ(after.terms, before.terms);
    EXPECT_EQ(after.funs, before.funs);
    EXPECT_EQ(after.sorts, before.sorts);
    EXPECT_EQ(after.symbols, before.symbols);
    EXPECT_EQ(print(store, mutants.seed()), seed);
  }
}

TEST(MutateTest, DefinitionsChangeWithTheirUses) {
  const std::string text =
      "(declare-const x Int)(define-fun f ((a Int)) Int (+ a 1))"
      "(define-fun g ((a Int)) Int (f (* a a)))(assert (< (g x) (f 2)))(check-sat)";
  bool changed = false;
  StrictReader reader;
  Mutants mutants("typefuzz", text, 1);
  mutants.run(300, [&](const ir::Script& script) {
    const std::string now = print(mutants.store(), script);
    ASSERT_TRUE(reader.reads(now));
    changed = changed || now.find("(define-fun f ((a Int)) Int (+ a 1))") == std::string::npos;
    // Every call is of a function that the script defines.
    std::set<uint32_t> defined;
    ir::Walker walker(mutants.store());
    for (const ir::Command& command : script.commands) {
      for (const uint32_t item : script.items(command)) defined.insert(item);
      if (!ir::has_term(command.kind)) continue;
      walker.walk(command.term, [&](ir::TermId term) {
        if (mutants.store().op(term) != ir::Op::kCall) return;
        EXPECT_TRUE(defined.contains(mutants.store().callee(term).value));
      });
    }
  });
  EXPECT_TRUE(changed);
}

TEST(MutateTest, AssertionsAreAddedRemovedAndNegated) {
  const std::string text =
      "(declare-const x Int)(assert (< x 3))(assert (> x 0))(check-sat)(assert (= x 2))(check-sat)";
  std::set<size_t> counts;
  Mutants mutants("typefuzz", text, 1);
  mutants.run(2000, [&](const ir::Script& script) {
    counts.insert(static_cast<size_t>(std::count_if(
        script.commands.begin(), script.commands.end(),
        [](const ir::Command& command) { return command.kind == ir::CommandKind::kAssert; })));
  });
  EXPECT_TRUE(counts.contains(2));
  EXPECT_TRUE(counts.contains(4));
}

TEST(MutateTest, StatusAndQueriesAreLeftOut) {
  const std::string text =
      "(set-info :status sat)(set-info   :status sat)(set-info ; why\n :status\n unsat)"
      "(set-option :produce-models true)(declare-const x Int)"
      "(assert (> x 0))(check-sat)(get-model)(get-value (x))(exit)";
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 1);
    mutants.run(20, [&](const ir::Script& script) {
      const std::string now = print(mutants.store(), script);
      EXPECT_EQ(now.find(":status"), std::string::npos);
      EXPECT_EQ(now.find("(get-"), std::string::npos);
      EXPECT_NE(now.find(":produce-models"), std::string::npos);
    });
  }
}

TEST(MutateTest, UnknownPartsAreCarriedThrough) {
  const std::string text =
      "(declare-const x Int)(assert (and (frobnicate x (+ x 1)) (< x 5) (> x 1)))(check-sat)";
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 1);
    mutants.run(200, [&](const ir::Script& script) {
      const std::string now = print(mutants.store(), script);
      const size_t at = now.find("frobnicate");
      if (at != std::string::npos) {
        EXPECT_EQ(now.compare(at, 22, "frobnicate x (+ x 1)) "), 0) << now;
      }
    });
  }
}

// A constant of every sort that some operator takes or gives.
constexpr const char* kEverySort =
    "(declare-sort U 0)(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"
    "(declare-datatypes ((E 0)) (((e1) (e2 (of Int)))))"
    "(declare-fun f (Int) Int)(declare-fun g (Int Int) Bool)(declare-fun h (Bool) Bool)"
    "(declare-const c1 Bool)(declare-const c2 Int)(declare-const c3 Real)(declare-const c4 String)"
    "(declare-const c5 RegLan)(declare-const c6 RoundingMode)(declare-const c7 Unicode)"
    "(declare-const c8 (_ BitVec 1))(declare-const c9 (_ BitVec 3))(declare-const c10 (_ BitVec 8))"
    "(declare-const c11 (_ BitVec 18))(declare-const c12 (_ BitVec 5))"
    "(declare-const c13 (_ FloatingPoint 3 5))(declare-const c14 (_ FloatingPoint 2 6))"
    "(declare-const c15 (Array Int Int))(declare-const c16 (Array Unicode Bool))"
    "(declare-const c17 (Array Int Bool))(declare-const c18 (Seq Int))"
    "(declare-const c19 (RegEx (Seq Int)))(declare-const c20 (Set Int))"
    "(declare-const c21 (Set (Tuple Int Int)))(declare-const c22 (Set (Tuple Int)))"
    "(declare-const c23 (Bag Int))(declare-const c24 (Bag (Bag Int)))"
    "(declare-const c25 (Tuple Int Int))(declare-const c26 (Nullable Int))"
    "(declare-const c27 (_ FiniteField 17))(declare-const c28 (-> Int Int))"
    "(declare-const c29 (-> Int Bool))(declare-const c30 (-> Int Int Int))"
    "(declare-const c31 (-> Int Int Bool))(declare-const c32 (-> Int Int Int Int))"
    "(declare-const c33 (L Int))(declare-const c34 E)(declare-const c35 U)"
    "(declare-const c36 (_ BitVec 4))(declare-const c37 (Tuple Int))"
    "(declare-const c38 (Set (Tuple Int Int Int)))(declare-const c39 (FiniteSet Int))";

// With a second constant beside each: what is replaced is no argument.
std::string seed_of_every_sort() {
  std::string text = kEverySort;
  std::string more = text.substr(text.find("(declare-const c1 "));
  for (size_t at = more.find(" c"); at != std::string::npos; at = more.find(" c", at + 1)) {
    more[at + 1] = 'd';
  }
  text += more;
  for (int i = 1; i <= 39; ++i) {
    const std::string number = std::to_string(i);
    text += "(assert (= c" + number + " d" + number + "))";
  }
  return text + "(check-sat)";
}

// Not all readers have small formats of floats; where there are some, their operators are not
// reached.
std::string with_usual_formats(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kFormats[] = {
      {"Point 3 5", "Point 8 24"}, {"Point 2 6", "Point 11 53"}};
  for (const auto& [small, usual] : kFormats) {
    for (size_t at = text.find(small); at != std::string::npos; at = text.find(small)) {
      text.replace(at, small.size(), usual);
    }
  }
  return text;
}

TEST(MutateTest, EveryOperatorIsReached) {
  mutate::EngineSettings settings;
  // The readers of every table, and one who reads nothing: no operator is preferred because all
  // have it.
  settings.set_solvers(0xFF);
  settings.typefuzz.vocabulary.internal_operators = true;
  settings.typefuzz.vocabulary.separation_logic = true;
  settings.typefuzz.vocabulary.special_relations = true;
  settings.typefuzz.length = 8;
  Mutants small_formats("typefuzz", seed_of_every_sort(), 1, settings);
  Mutants usual_formats("typefuzz", with_usual_formats(seed_of_every_sort()), 1, settings);
  const ir::OpTable& table = small_formats.store().ops();
  const gen::Vocabulary vocabulary(table, ir::parse_logic("ALL"), settings.typefuzz.vocabulary);
  std::set<ir::Op> wanted;
  for (size_t kind = 1; kind < gen::kSortKinds; ++kind) {
    for (const auto& choice : vocabulary.for_result(static_cast<ir::SortKind>(kind))) {
      wanted.insert(choice.op);
    }
  }
  EXPECT_GT(wanted.size(), 390U);  // some rows are in no release, or only read
  const auto reach = [&](Mutants& mutants, uint32_t before) {
    const ir::TermStore& store = mutants.store();
    uint32_t known = before;
    // Ids of a chain are new ones, and its terms are looked at once.
    mutants.run(
        5'000, [&] { known = before; },
        [&](const ir::Script&) {
          for (; known < store.term_count(); ++known) wanted.erase(store.op(ir::TermId{known}));
        });
  };
  const auto small_terms = static_cast<uint32_t>(small_formats.store().term_count());
  const auto usual_terms = static_cast<uint32_t>(usual_formats.store().term_count());
  for (int round = 0; round < 100 && !wanted.empty(); ++round) {
    reach(small_formats, small_terms);
    reach(usual_formats, usual_terms);
  }
  std::string missing;
  for (const ir::Op op : wanted) missing += " " + std::string(table.name(op));
  EXPECT_EQ(missing, "");
}

TEST(MutateTest, OperatorsOfTheUserAppear) {
  auto ops = std::make_shared<ir::OpTable>();
  ASSERT_TRUE(
      ops->add_user_operators("(my.join Int Int Int :left-assoc)(my.test Int Bool)").has_value());
  StrictReader reader(ops);
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine,
                    "(set-logic QF_LIA)(declare-const x Int)(assert (< (+ x 1) (abs x)))"
                    "(assert (not (= x 4)))(check-sat)",
                    1, {}, ops);
    bool joined = false;
    mutants.run(600, [&](const ir::Script& script) {
      const std::string now = print(mutants.store(), script);
      joined = joined || now.find("(my.join ") != std::string::npos;
      ASSERT_TRUE(reader.reads(now));
    });
    EXPECT_TRUE(joined) << engine;
  }
}

TEST(MutateTest, LinearLogicsStayLinear) {
  const std::string text =
      "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)"
      "(assert (< (* 3 x) (+ y (div x 2) (mod y 5))))(check-sat)";
  mutate::EngineSettings settings;
  settings.typefuzz.widen_one_in = 0;
  settings.opfuzz.widen_one_in = 0;
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 1, settings);
    mutants.run(2000, [&](const ir::Script& script) {
      ir::TermStore& store = mutants.store();
      ir::Walker walker(store);
      for (const ir::Command& command : script.commands) {
        if (!ir::has_term(command.kind)) continue;
        walker.walk(command.term, [&](ir::TermId term) {
          if (store.op(term) != ir::Op::kMul) return;
          const auto args = store.args(term);
          const auto calls = std::count_if(args.begin(), args.end(), [&](ir::TermId arg) {
            return store.op(arg) == ir::Op::kCall;
          });
          EXPECT_LE(calls, 1);
        });
      }
    });
  }
}

TEST(MutateTest, DeepTermsAreMutated) {
  std::string text = "(declare-const b Bool)(assert ";
  constexpr int kDepth = 100'000;
  for (int i = 0; i < kDepth; ++i) text += "(not ";
  text += "b" + std::string(kDepth, ')') + ")(check-sat)";
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 1);
    EXPECT_EQ(mutants.run(engine == "opfuzz" ? 0 : 3, [](const ir::Script&) {}),
              engine == "opfuzz" ? 0U : 3U);
  }
}

TEST(MutateTest, SharedTermsAreMutated) {
  std::string text = "(declare-const x Int)(assert ";
  constexpr int kDepth = 200;
  for (int i = 0; i < kDepth; ++i) {
    const std::string below = i == 0 ? "x" : "v" + std::to_string(i - 1);
    text += "(let ((v" + std::to_string(i) + " (+ " + below + " " + below + "))) ";
  }
  text += "(> v" + std::to_string(kDepth - 1) + " 0)" + std::string(kDepth, ')') + ")(check-sat)";
  for (const std::string& engine : kEngines) {
    Mutants mutants(engine, text, 1);
    EXPECT_EQ(mutants.run(20,
                          [&](const ir::Script& script) {
                            EXPECT_LT(print(mutants.store(), script).size(), 100'000U);
                          }),
              20U);
  }
}

}  // namespace
}  // namespace elenchus
