// From findings to bugs: five faults planted in a solver, hundreds of findings made by a real
// engine and reduced by the real reducer, and the groups that come of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "docket/trial.h"
#include "ir/walk.h"
#include "mutate/registry.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "reduce/reduce.h"
#include "smtlib/model_printer.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "triage/export.h"
#include "triage/groups.h"
#include "triage/known.h"
#include "triage/shape.h"
#include "triage/signature.h"

namespace elenchus {
namespace {

using ir::Op;

std::string shape_of(std::string_view text) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << text;
  return script ? triage::shape(store, *script) : "";
}

TEST(Shape, NamesValuesWidthsAndOrderDoNotCount) {
  const std::string one = shape_of(
      "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))"
      "(assert (= (bvadd a #x01) (bvmul a b)))(assert (bvult b a))");
  EXPECT_EQ(one, shape_of("(declare-const y (_ BitVec 4))(declare-const x (_ BitVec 4))"
                          "(assert (bvult x y))(assert (= (bvmul x y) (bvadd #x9 y)))"));
  EXPECT_NE(one, shape_of("(declare-const y (_ BitVec 4))(declare-const x (_ BitVec 4))"
                          "(assert (bvult y x))(assert (= (bvmul x y) (bvadd #x9 y)))"));
}

TEST(Shape, SymbolsAreToldApart) {
  const std::string_view declared = "(declare-const a Int)(declare-const b Int)";
  EXPECT_EQ(shape_of(std::string(declared) + "(assert (< (- a a) 3))"), "(< (- x1 x1) c)");
  EXPECT_EQ(shape_of(std::string(declared) + "(assert (< (- b a) 7))"), "(< (- x1 x2) c)");
}

TEST(Shape, SwappedSymbolsOfEqualRankAreTheSame) {
  const std::string_view declared =
      "(declare-fun f (Int Int) Int)(declare-const a Int)"
      "(declare-const b Int)";
  EXPECT_EQ(shape_of(std::string(declared) + "(assert (= (f a b) (f b a)))"),
            shape_of(std::string(declared) + "(assert (= (f b a) (f a b)))"));
}

TEST(Shape, OperatorsOfTheUserAndBindersAreNamed) {
  EXPECT_EQ(shape_of("(assert (forall ((n Int)) (! (> n 0) :pattern ((+ n 1)))))"),
            "(forall (> x1 c))");
}

TEST(Shape, ALargeFormulaEndsInAHash) {
  const auto chain = [](int depth) {
    std::string text = "(declare-const p Bool)(assert ";
    for (int i = 0; i < depth; ++i) text += "(not ";
    return text + "p" + std::string(static_cast<size_t>(depth) + 1, ')');
  };
  EXPECT_LT(shape_of(chain(100'000)).size(), 500U);
  EXPECT_NE(shape_of(chain(100'000)), shape_of(chain(100'001)));
}

store::Manifest bug(std::string kind, std::string signature, std::string shape = "") {
  store::Manifest manifest;
  manifest.solver = "z3";
  manifest.kind = std::move(kind);
  manifest.signature = manifest.kind + " z3: " + signature;
  manifest.shape = std::move(shape);
  return manifest;
}

std::vector<std::vector<size_t>> groups_of(const std::vector<store::Manifest>& bugs) {
  std::vector<std::vector<size_t>> groups;
  for (const triage::Group& group : triage::group_bugs(bugs)) groups.push_back(group.members);
  return groups;
}

using Groups = std::vector<std::vector<size_t>>;

TEST(Groups, TheOneWithFewerOperatorsAccountsForTheOther) {
  EXPECT_EQ(groups_of({bug("invalid-model", "bvadd bvsmod"), bug("invalid-model", "bvsmod"),
                       bug("invalid-model", "bvxor")}),
            (Groups{{1, 0}, {2}}));
}

TEST(Groups, TwoNeverComeTogetherThroughAThird) {
  EXPECT_EQ(groups_of({bug("invalid-model", "bvsmod"), bug("invalid-model", "bvxor"),
                       bug("invalid-model", "bvsmod bvxor")}),
            (Groups{{0, 2}, {1}}));
}

TEST(Groups, OneFormulaIsOneBug) {
  EXPECT_EQ(groups_of({bug("refutation-unsound", "bvadd", "(= x1 c)"),
                       bug("inconsistent", "bvadd", "(= x1 c)"),
                       bug("inconsistent", "bvadd", "(= c c)")}),
            (Groups{{0, 1}, {2}}));
}

TEST(Groups, VersionsThatShowItTellBugsApart) {
  auto old = bug("invalid-model", "bvsmod");
  old.shown_by = {"4.8.12"};
  auto both = bug("invalid-model", "bvadd bvsmod");
  both.shown_by = {"4.8.12", "4.13.0"};
  EXPECT_EQ(groups_of({old, both}), (Groups{{0}, {1}}));
  both.shown_by = old.shown_by;
  EXPECT_EQ(groups_of({old, both}), (Groups{{0, 1}}));
}

// What shows without any option explains what was found with some, and not the other way round.
TEST(Groups, OptionsTellBugsApart) {
  const auto plain = bug("invalid-model", "bvsmod");
  const auto with_option = [](std::string operators, std::string option) {
    auto made = bug("invalid-model", std::move(operators));
    made.options = {std::move(option)};
    return made;
  };
  const auto one = with_option("bvadd bvsmod", "sat.euf=true");
  EXPECT_EQ(groups_of({plain, one}), (Groups{{0, 1}}));
  EXPECT_EQ(
      groups_of({with_option("bvsmod", "sat.euf=true"), bug("invalid-model", "bvadd bvsmod")}),
      (Groups{{0}, {1}}));
  EXPECT_EQ(groups_of({one, with_option("bvadd bvmul bvsmod", "smt.mbqi=false")}),
            (Groups{{0}, {1}}));
}

TEST(ReportingOrder, OneBugForEachTheoryComesFirst) {
  const auto about = [](store::Manifest manifest, std::string theory) {
    manifest.theories = {std::move(theory)};
    return manifest;
  };
  auto known = about(bug("refutation-unsound", "str.at"), "strings");
  known.known = "reported";
  const std::vector<store::Manifest> bugs = {
      known, about(bug("refutation-unsound", "bvadd"), "bit-vectors"),
      about(bug("refutation-unsound", "bvadd bvxor"), "bit-vectors"),  // like the one before
      about(bug("invalid-model", "bvmul"), "bit-vectors"),
      about(bug("crash", "failed at a.cpp:1"), "arrays")};
  EXPECT_EQ(triage::reporting_order(bugs), (std::vector<size_t>{1, 4, 3}));
}

TEST(Lifetime, FirstBadAndFirstGood) {
  using docket::Standing;
  const auto life = [](std::vector<Standing> standings) {
    std::vector<docket::Trial> trials(standings.size());
    for (size_t i = 0; i < trials.size(); ++i) trials[i].standing = standings[i];
    return docket::lifetime_of(std::move(trials));
  };
  const auto mended = life({Standing::kFixed, Standing::kOpen, Standing::kFixed, Standing::kOpen,
                            Standing::kUnclear, Standing::kFixed});
  EXPECT_EQ(mended.first_bad, 1U);
  EXPECT_EQ(mended.last_bad, 3U);
  EXPECT_EQ(mended.first_good, 5U);
  const auto open = life({Standing::kUnclear, Standing::kOpen});
  EXPECT_EQ(open.first_bad, 1U);
  EXPECT_FALSE(open.first_good.has_value());
  EXPECT_FALSE(life({Standing::kFixed, Standing::kUnclear}).first_bad.has_value());
}

TEST(Known, ABugIsToldByWhatIsGiven) {
  const auto known = triage::KnownBugs::parse(
      "[[bug]]\ntitle = \"remainders\"\nreference = \"#1\"\nsolver = \"z3\"\n"
      "kind = \"invalid-model\"\nversions = [\"4.8.12\"]\noperators = [\"bvsmod\"]\n"
      "[[bug]]\ntitle = \"place\"\nreference = \"#2\"\nsolver = \"z3\"\n"
      "location = \"a.cpp:12\"\n",
      "known.toml");
  ASSERT_TRUE(known.has_value()) << known.error().message;
  auto found = bug("invalid-model", "bvadd bvsmod");
  EXPECT_EQ(known->find(found), nullptr);
  found.version = "4.8.12";
  ASSERT_NE(known->find(found), nullptr);
  EXPECT_EQ(triage::text_of(*known->find(found)), "remainders (#1)");
  found.signature = "invalid-model z3: bvsmodulo";
  EXPECT_EQ(known->find(found), nullptr);
  EXPECT_EQ(known->find(bug("crash", "failed at a.cpp:12"))->title, "place");
  auto other = bug("crash", "failed at a.cpp:12");
  other.solver = "cvc5";
  EXPECT_EQ(known->find(other), nullptr);
}

TEST(Known, MistakesAreNamed) {
  const auto message = [](std::string_view text) {
    const auto known = triage::KnownBugs::parse(text, "known.toml");
    return known ? std::string() : known.error().message;
  };
  const std::string head = "[[bug]]\ntitle = \"t\"\nreference = \"r\"\nsolver = \"z3\"\n";
  EXPECT_EQ(message(head + "shape = \"x1\"\n"), "");
  EXPECT_EQ(message(head),
            "known.toml: bug: it needs operators, a location or a shape to be told by");
  EXPECT_EQ(message(head + "shape = \"x1\"\nshap = \"x1\"\n"),
            "known.toml: bug: unknown key 'shap'");
  EXPECT_EQ(message(head + "shape = 1\n"), "known.toml: bug: 'shape' must be a string");
  EXPECT_EQ(message(head + "shape = \"x1\"\nkind = \"rude\"\n"),
            "known.toml: bug: there is no kind 'rude'");
  EXPECT_EQ(message("[[bug]]\nsolver = \"z3\"\nshape = \"x\"\n"),
            "known.toml: bug: it needs a title, a solver and a reference");
  EXPECT_EQ(message("[bugs]\n"), "known.toml: unknown key 'bugs'");
  EXPECT_NE(message("[[bug"), "");
}

TEST(Known, TheEmbeddedListIsSound) {
  const auto standard = triage::KnownBugs::standard();
  for (const triage::KnownBug& known : standard->all()) {
    EXPECT_TRUE(known.reference.starts_with("https://")) << known.title;
  }
}

// --- Five faults. ---

enum class Fault : uint8_t { kCrashWithPlace, kCrash, kRemainder, kSquare, kModel };

// A solver that knows nothing, and is wrong five times.
class FaultyLab : public oracle::Lab {
 public:
  FaultyLab(ir::TermStore& store, const ir::Model& model) : store_(store), model_(model) {
    solver_.profile = solver::Profiles::standard().find("generic");
    solver_.name = "faulty";
    solver_.program = "/faulty";
  }

  std::span<const solver::Solver> solvers() const override { return {&solver_, 1}; }

  solver::Run run(size_t, const ir::Script& script, const oracle::Wishes&) override {
    solver::Run run;
    const auto fault = fault_of(script);
    if (fault == Fault::kCrashWithPlace || fault == Fault::kCrash) {
      run.outcome = solver::Outcome::kCrash;
      if (fault == Fault::kCrashWithPlace) run.message = "Fatal failure at slices.cpp:12";
      run.signal = 11;
      return run;
    }
    const bool lies = fault == Fault::kRemainder || fault == Fault::kSquare;
    run.outcome = lies                     ? solver::Outcome::kUnsat
                  : fault == Fault::kModel ? solver::Outcome::kSat
                                           : solver::Outcome::kUnknown;
    run.checks.emplace_back().outcome = run.outcome;
    if (fault == Fault::kModel) run.checks[0].model = wrong_model(script);
    return run;
  }

  // The first that a script meets.
  std::optional<Fault> fault_of(const ir::Script& script) const {
    std::set<Op> ops;
    bool has_square = false;
    ir::Walker walker(store_);
    for (const ir::Command& command : script.commands) {
      if (!ir::has_term(command.kind)) continue;
      walker.walk(command.term, [&](ir::TermId term) {
        ops.insert(store_.meaning(term));
        const auto args = store_.args(term);
        has_square = has_square ||
                     (store_.meaning(term) == Op::kBvMul && args.size() == 2 && args[0] == args[1]);
      });
    }
    if (ops.contains(Op::kBvConcat) && ops.contains(Op::kBvExtract)) return Fault::kCrashWithPlace;
    if (ops.contains(Op::kBvXnor)) return Fault::kCrash;
    if (ops.contains(Op::kBvAshr)) return Fault::kModel;
    if (ops.contains(Op::kBvSmod)) return Fault::kRemainder;
    if (has_square) return Fault::kSquare;
    return {};
  }

 private:
  std::string wrong_model(const ir::Script& script) const {
    std::string text = "(";
    for (const ir::Command& command : script.commands) {
      if (command.kind != ir::CommandKind::kDeclareConst) continue;
      const ir::FunDecl& fun = store_.fun(ir::FunId{script.items(command)[0]});
      const uint32_t width = store_.sorts()[fun.result].a;
      text += "(define-fun " + std::string(store_.symbols().text(fun.name)) + " () (_ BitVec " +
              std::to_string(width) + ") (_ bv1 " + std::to_string(width) + "))";
    }
    return text + ")";
  }

  ir::TermStore& store_;
  const ir::Model& model_;
  solver::Solver solver_;
};

// What meets each fault, by its number; all is true under the model.
constexpr std::array<std::string_view, 5> kParts = {
    "(assert (= d (concat a b)))(assert (bvugt ((_ extract 11 4) d) (bvnot c)))"
    "(assert (bvule (concat (bvxor a c) c) ((_ zero_extend 8) ((_ extract 7 0) d))))",
    "(assert (= (bvxnor a b) (bvsub c b)))(assert (bvsle (bvxnor (bvneg a) #x11) c))",
    "(assert (bvult (bvsmod a b) #x70))(assert (= (bvadd (bvsmod c #x03) a) (bvor a b)))",
    "(assert (bvult (bvmul a a) (bvadd b c)))(assert (bvuge (bvmul a b) (bvmul c c)))"
    "(assert (bvsgt (bvmul (bvadd a b) (bvadd a b)) #x05))",
    "(assert (= (bvashr a b) (bvand b c)))(assert (bvslt (bvashr (bvor c b) #x02) (bvshl a c)))"};

// Meets one fault always, another with luck.
std::string seed_of(size_t fault) {
  return "(set-logic QF_BV)(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))"
         "(declare-const c (_ BitVec 8))(declare-const d (_ BitVec 16))"
         "(assert (= (bvurem a c) #x05))(assert (bvult b c))(assert (= (bvudiv c a) b))" +
         std::string(kParts[fault]) + std::string(kParts[(fault + 1) % 5]) + "(check-sat)";
}

constexpr std::string_view kModel =
    "((define-fun a () (_ BitVec 8) #x05)(define-fun b () (_ BitVec 8) #x0a)"
    "(define-fun c () (_ BitVec 8) #xf3)(define-fun d () (_ BitVec 16) #x050a))";

struct Found {
  Fault fault;
  store::Manifest manifest;
};

// Mutants of the seed that hold under the model, judged, and what is found reduced.
class Court {
 public:
  explicit Court(size_t fault) : engine_(mutate::make_engine("storm", {})) {
    script_ = smtlib::parse_script(store_, seed_of(fault)).value();
    model_ = smtlib::read_model(store_, script_, script_.commands.size() - 1, kModel).value();
    lab_ = std::make_unique<FaultyLab>(store_, model_);
    mark_ = store_.mark();
  }

  std::vector<Found> findings(size_t wanted) {
    std::vector<Found> found;
    base::Rng rng(11);
    while (found.size() < wanted) {
      store_.rollback(mark_);
      const auto series = mutate::series_in(
          engine_->start(store_, {.script = script_, .models = {}, .assignments = {&model_, 1}}));
      if (series == nullptr) break;
      for (int i = 0; i < 60 && found.size() < wanted; ++i) {
        const auto attempt = series->next(rng);
        const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
        if (mutant != nullptr && mutant->witness != nullptr) judge(*mutant, found);
      }
    }
    return found;
  }

 private:
  void judge(const mutate::Mutant& mutant, std::vector<Found>& found) {
    const oracle::Case test{.script = mutant.script,
                            .expected = mutant.expected,
                            .witness = mutant.witness.get(),
                            .construction = mutant.construction};
    oracle::Exam exam(store_, test, *lab_);
    exam.run(0);
    std::vector<oracle::Finding> findings;
    for (const auto* oracle :
         {&oracle::crash_oracle(), &oracle::construction_oracle(), &oracle::model_oracle()}) {
      oracle->judge(exam, findings);
    }
    for (const oracle::Finding& finding : findings) found.push_back(reduced(test, finding));
  }

  Found reduced(const oracle::Case& test, const oracle::Finding& finding) {
    const auto shows = [&](const ir::Script& candidate) {
      const oracle::Case smaller{.script = candidate, .witness = test.witness};
      return oracle::recheck(store_, *lab_, smaller, finding).has_value();
    };
    reduce::Settings settings;
    settings.max_tries = 300;
    const ir::Script script = reduce::reduce(store_, test.script, shows, settings).script;
    Found found{lab_->fault_of(script).value(), {}};
    found.manifest.solver = "faulty";
    found.manifest.kind = oracle::to_string(finding.kind);
    found.manifest.signature = triage::signature(store_, script, finding, "faulty");
    found.manifest.shape = triage::shape(store_, script);
    return found;
  }

  ir::TermStore store_;
  std::unique_ptr<mutate::Engine> engine_;
  ir::Script script_;
  ir::Model model_;
  std::unique_ptr<FaultyLab> lab_;
  ir::TermStore::Mark mark_;
};

std::vector<Found> findings_of_all(size_t of_each) {
  std::vector<Found> found;
  for (size_t fault = 0; fault < kParts.size(); ++fault) {
    for (Found& one : Court(fault).findings(of_each)) found.push_back(std::move(one));
  }
  return found;
}

std::string contents_of(const std::vector<Found>& found, const triage::Group& group) {
  std::map<std::string, int> counts;
  for (const size_t i : group.members) {
    ++counts[std::to_string(static_cast<int>(found[i].fault)) + " " + found[i].manifest.signature];
  }
  std::string text;
  for (const auto& [what, count] : counts) text += std::to_string(count) + "x " + what + "\n";
  return text;
}

TEST(Triage, FiveHundredFindingsOfFiveFaultsAreFiveGroups) {
  const std::vector<Found> found = findings_of_all(100);
  ASSERT_EQ(found.size(), 500U);
  std::vector<store::Manifest> manifests;
  std::map<Fault, int> counts;
  for (const Found& one : found) {
    manifests.push_back(one.manifest);
    ++counts[one.fault];
  }
  EXPECT_EQ(counts.size(), 5U);
  for (const auto& [fault, count] : counts) EXPECT_GE(count, 20) << static_cast<int>(fault);

  const auto groups = triage::group_bugs(manifests);
  EXPECT_EQ(groups.size(), 5U);
  for (const triage::Group& group : groups) {
    if (groups.size() != 5) ADD_FAILURE() << contents_of(found, group);
    std::set<Fault> faults;
    for (const size_t i : group.members) faults.insert(found[i].fault);
    EXPECT_EQ(faults.size(), 1U) << contents_of(found, group);
  }
}

}  // namespace
}  // namespace elenchus
