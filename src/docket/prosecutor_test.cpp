#include "docket/prosecutor.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "docket/replay.h"
#include "lab/fake_solver.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "store/test_campaign.h"

namespace elenchus::docket {
namespace {

constexpr std::string_view kPlace = "rewriter.cpp:42: failed";
constexpr std::string_view kTest = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvmul a b) (bvadd a b)))
(assert (bvult a b))
(check-sat)
)";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_option(const solver::Solver& solver, std::string_view option) {
  return std::find(solver.options.begin(), solver.options.end(), option) != solver.options.end();
}

using Answer = std::function<std::string(const solver::Solver&, std::string_view)>;

lab::SolverLab::StandIn stand_in(Answer answer) {
  return [answer = std::move(answer)](const solver::Solver& solver, const solver::Query& query) {
    return lab::answered(query, [&](std::string_view text) { return answer(solver, text); });
  };
}

// A prosecutor whose solvers are functions: `fast_` in sessions, `fresh_` in processes of their
// own.
class ProsecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (lab::SolverLab* lab : {&fast_, &fresh_}) lab->add_guests();
  }

  void answer(const Answer& in_sessions, const Answer& alone) {
    fast_.set_stand_in(stand_in(in_sessions));
    fresh_.set_stand_in(stand_in(alone));
  }

  ir::Script parse(std::string_view text) {
    auto script = smtlib::parse_script(terms_, text);
    EXPECT_OK(script);
    return std::move(*script);
  }

  static oracle::Finding crash_of(size_t solver) {
    oracle::Finding finding;
    finding.kind = oracle::Kind::kCrash;
    finding.oracle = "crash";
    finding.solver = solver;
    finding.location = kPlace;
    return finding;
  }

  // The first solver with these options.
  size_t guest(const std::vector<std::string>& options) {
    fresh_.set_guest_options(fresh_.guest_of(0), options);
    return fresh_.guest_of(0);
  }

  ir::TermStore terms_{ir::OpTable::standard()};
  std::vector<solver::Solver> solvers_ = {lab::fake_solver("one"), lab::fake_solver("two")};
  lab::SolverLab fast_{terms_, solvers_, false, {}};
  lab::SolverLab fresh_{terms_, solvers_, true, {}};
  Prosecutor prosecutor_{terms_, fast_, fresh_, 300};
};

TEST_F(ProsecutorTest, OptionsThatItCanDoWithoutGo) {
  const Answer crash = [](const solver::Solver& solver, std::string_view) {
    return std::string(has_option(solver, "rewriter.b=true") ? kPlace : "sat");
  };
  answer(crash, crash);
  const ir::Script script = parse(kTest);
  const size_t guilty = guest({"rewriter.a=true", "rewriter.b=true", "rewriter.c=true"});
  const Indictment told =
      prosecutor_.describe({.script = script}, crash_of(guilty), {.stop = [] { return false; }});
  EXPECT_EQ(told.solver.options, std::vector<std::string>{"rewriter.b=true"});
  EXPECT_TRUE(told.has_fewest_options);
}

TEST_F(ProsecutorTest, WhoeverIsStoppedKeepsTheOptionsAndSaysSo) {
  int runs = 0;
  const Answer crash = [&](const solver::Solver& solver, std::string_view) {
    ++runs;
    return std::string(has_option(solver, "rewriter.b=true") ? kPlace : "sat");
  };
  answer(crash, crash);
  const ir::Script script = parse(kTest);
  const size_t guilty = guest({"rewriter.a=true", "rewriter.b=true"});
  const auto is_late = [&] { return runs > 0; };
  ASSERT_TRUE(prosecutor_.confirm({.script = script}, crash_of(guilty)));
  const Indictment told =
      prosecutor_.describe({.script = script}, crash_of(guilty), {.stop = is_late});
  EXPECT_EQ(told.solver.options.size(), 2u);
  EXPECT_FALSE(told.has_fewest_options);
}

// What a session shows may need the candidates before it.
TEST_F(ProsecutorTest, ACandidateThatOnlyASessionShowsIsNotWhatIsLeft) {
  answer(
      [](const solver::Solver& solver, std::string_view text) {
        return std::string(solver.name == "one" && has(text, "bvmul") ? kPlace : "sat");
      },
      [](const solver::Solver& solver, std::string_view text) {
        const bool is_bad = has(text, "bvmul") && has(text, "bvult");
        return std::string(solver.name == "one" && is_bad ? kPlace : "sat");
      });
  const ir::Script script = parse(kTest);
  const Reduction left =
      prosecutor_.reduce({.script = script}, crash_of(0), {.stop = [] { return false; }});
  ASSERT_TRUE(left.script);
  const auto text = smtlib::print_script(terms_, *left.script);
  ASSERT_OK(text);
  EXPECT_TRUE(has(*text, "bvult")) << *text;
  EXPECT_FALSE(has(*text, "bvadd")) << *text;
  EXPECT_TRUE(prosecutor_.confirm({.script = *left.script}, left.finding));
}

// Of two checks the first is the wrong one; its witness has a name that the second does not know,
// and to the second unsat is right.
TEST_F(ProsecutorTest, AWrongUnsatAmongSeveralChecksIsReplayed) {
  const store::TestFolder home;
  const auto store =
      store::CampaignStore::create(home.path() / "out", "", {"elenchus", "elenchus fuzz", {}});
  ASSERT_OK(store);
  store::Finding stored;
  stored.manifest.kind = "refutation-unsound";
  stored.manifest.solver = "z3";
  stored.manifest.signature = "refutation-unsound z3: bvmul";
  stored.manifest.expectation = "sat unknown";
  stored.files = {{"reduced.smt2", R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(push 1)
(declare-const b (_ BitVec 8))
(assert (= (bvmul a b) #x06))
(check-sat)
(pop 1)
(assert (distinct a a))
(check-sat)
)"},
                  {"witness.model",
                   "((define-fun a () (_ BitVec 8) #x02)(define-fun b () (_ BitVec 8) #x03))"}};
  const auto added = (*store)->add_finding(stored);
  ASSERT_OK(added);
  const auto manifest = (*store)->view().manifest(added->bug);
  ASSERT_OK(manifest);
  const auto exhibit =
      exhibit_of((*store)->view(), *manifest, terms_, solvers_[0], solver::Profiles::standard());
  ASSERT_OK(exhibit);
  const auto shows = [&](std::string_view first) {
    fresh_.set_stand_in(stand_in([&](const solver::Solver&, std::string_view text) {
      return std::string(has(text, "distinct") ? "unsat" : first);
    }));
    const oracle::Case test = exhibit->test();
    oracle::Exam exam(terms_, test, fresh_);
    return find_again(exam, *manifest).has_value();
  };
  EXPECT_TRUE(shows("unsat"));
  EXPECT_FALSE(shows("sat"));
}

}  // namespace
}  // namespace elenchus::docket
