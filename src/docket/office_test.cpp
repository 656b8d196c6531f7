#include "docket/office.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "lab/fake_solver.h"
#include "solver/transcript.h"
#include "store/test_campaign.h"

namespace elenchus::docket {
namespace {

constexpr std::string_view kBits = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvmul a b) (bvadd a b)))
(assert (bvult a b))
(check-sat)
)";

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// A process that was asked the same so many times.
std::string session_of(int queries) {
  solver::Transcript transcript;
  for (int i = 0; i < queries; ++i) {
    solver::Asked asked;
    asked.query.text = kBits;
    asked.query.check_ends = {static_cast<uint32_t>(kBits.size() - 1)};
    asked.prologue = "(reset)\n";
    transcript.queries.push_back(std::make_shared<const solver::Asked>(asked));
  }
  return solver::write_transcript(transcript);
}

// A campaign's folder, a docket, and a prosecutor whose solvers are functions.
class OfficeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = store::CampaignStore::create(path_, "", {"elenchus", "elenchus fuzz", {}});
    ASSERT_OK(made);
    store_ = std::move(*made);
    reopen();
  }

  // As after a kill: what is not on the disk is gone.
  void reopen() {
    service_.reset();
    auto opened = Docket::open(store_->folder().docket());
    ASSERT_OK(opened);
    docket_ = std::move(*opened);
    service_.reset(new Service{
        .docket = *docket_,
        .store = *store_,
        .solvers = solvers_,
        .ops = ir::OpTable::standard(),
        .limits = {},
        .is_testing = [] { return false; },
        .stop = [this] { return runs_ >= stops_at_; },
        .abandon = [this] { return runs_ >= runs_left_; },
        .prepare =
            [this](lab::SolverLab& lab) {
              lab.set_stand_in([this](const solver::Solver& solver, const solver::Query& query) {
                ++runs_;
                if (cannot_start_(solver)) {
                  solver::Run run;
                  run.internal_error = {base::ErrorKind::kLimit, "too many processes", {}};
                  return run;
                }
                return lab::answered(query, [&](auto text) { return answer_(solver, text); });
              });
            },
        .on_bug = [this](const store::Manifest&, bool is_new) { new_bugs_ += is_new ? 1 : 0; },
        .on_stray =
            [this](const std::string& stray, const Origin&) {
              const std::lock_guard lock(strays_mutex_);
              strays_.push_back(stray);
            },
        .on_failure = [this](const base::Error& error) { failure_ = error.message; }});
  }

  Suspicion crash(const std::string& place, std::string_view script = kBits) {
    Suspicion one;
    one.time = 1700000000;
    one.kind = "crash";
    one.oracle = "crash";
    one.solver = {"one", {}};
    one.location = place;
    one.claim = "one crashes: " + place;
    one.look = one.cause = "crash one: " + place;
    one.origin = {"typefuzz", {"seed.smt2"}, 1, "unknown"};
    one.script = script;
    return one;
  }

  Suspicion wrong_unsat() {
    Suspicion one = crash("");
    one.kind = "refutation-unsound";
    one.oracle = "difference";
    one.claim = "one says unsat";
    one.look = "refutation-unsound z3: bvadd bvmul bvult";
    one.cause = "refutation-unsound z3";
    one.witness = "((define-fun a () (_ BitVec 8) #x04)\n(define-fun b () (_ BitVec 8) #xac))";
    return one;
  }

  void work() {
    Office office(*service_, false);
    office.run();
  }

  std::vector<store::BugRecord> bugs() {
    auto bugs = store_->view().bugs();
    EXPECT_OK(bugs);
    return bugs ? std::move(*bugs) : std::vector<store::BugRecord>();
  }

  store::TestFolder home_;
  std::filesystem::path path_ = home_.path() / "out";
  std::vector<solver::Solver> solvers_ = {lab::fake_solver("one"), lab::fake_solver("two")};
  std::function<std::string(const solver::Solver&, std::string_view)> answer_ =
      [](const solver::Solver&, std::string_view) { return "sat"; };
  std::function<bool(const solver::Solver&)> cannot_start_ = [](const solver::Solver&) {
    return false;
  };
  std::unique_ptr<store::CampaignStore> store_;
  std::unique_ptr<Docket> docket_;
  std::unique_ptr<Service> service_;
  std::atomic<uint64_t> runs_ = 0;
  uint64_t runs_left_ = UINT64_MAX;
  uint64_t stops_at_ = UINT64_MAX;
  std::atomic<uint64_t> new_bugs_ = 0;
  std::vector<std::string> strays_;
  std::mutex strays_mutex_;
  std::string failure_;
};

TEST_F(OfficeTest, ASuspicionThatShowsBecomesABug) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    const bool is_bad = solver.name == "one" && count(text, "bvmul") > 0;
    return is_bad ? "rewriter.cpp:42: failed" : "sat";
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  work();
  ASSERT_EQ(bugs().size(), 1u);
  EXPECT_EQ(new_bugs_, 1u);
  const auto reduced = store_->view().read_bug_file(bugs()[0].id, "reduced.smt2");
  ASSERT_OK(reduced);
  EXPECT_EQ(count(*reduced, "bvmul"), 1u);
  EXPECT_EQ(count(*reduced, "bvult"), 0u);
  EXPECT_EQ(docket_->counts().open(), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(store_->folder().docket()));
}

TEST_F(OfficeTest, OneThatDoesNotShowAgainIsKept) {
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  work();
  EXPECT_TRUE(bugs().empty());
  const auto kept = read_docket(store_->folder().docket());
  ASSERT_OK(kept);
  ASSERT_EQ(kept->size(), 1u);
  EXPECT_EQ((*kept)[0].stage, Stage::kUnconfirmed);
  EXPECT_EQ((*kept)[0].script, kBits);
  EXPECT_NE((*kept)[0].reason, "");
  EXPECT_EQ(store_->stats().total.unconfirmed, 1u);
}

// The reduced script no longer shows it when it comes to be described; the test that was confirmed
// does, under its own witness.
TEST_F(OfficeTest, AReductionThatDoesNotHoldTakesNothingAway) {
  answer_ = [this](const solver::Solver& solver, std::string_view text) {
    const bool is_reduced = docket_->counts().reduced > 0;
    const bool is_bad = count(text, "bvmul") > 0 && (!is_reduced || count(text, "bvult") > 0);
    return solver.name == "one" && is_bad ? "unsat" : "sat";
  };
  const Suspicion one = wrong_unsat();
  ASSERT_OK(docket_->add(one));
  work();
  ASSERT_EQ(bugs().size(), 1u);
  const auto stored = store_->view().read_bug_file(bugs()[0].id, "witness.model");
  ASSERT_OK(stored);
  EXPECT_EQ(*stored, one.witness + "\n");
  const auto reduced = store_->view().read_bug_file(bugs()[0].id, "reduced.smt2");
  ASSERT_OK(reduced);
  EXPECT_EQ(count(*reduced, "bvult"), 1u);
}

TEST_F(OfficeTest, OneThatNeedsWhatCameBeforeItIsABugWithAHistory) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    const size_t reset = text.rfind("(reset)");
    const bool is_second =
        reset != std::string_view::npos && count(text.substr(0, reset), "(check-sat)") > 0;
    return solver.name == "one" && is_second ? "session.cpp:1: failed" : "sat";
  };
  Suspicion one = crash("session.cpp:1: failed");
  one.session = session_of(9);
  ASSERT_OK(docket_->add(one));
  work();
  ASSERT_EQ(bugs().size(), 1u);
  const auto manifest = store_->view().manifest(bugs()[0].id);
  ASSERT_OK(manifest);
  EXPECT_TRUE(manifest->needs_history);
  const auto reduced = store_->view().read_bug_file(bugs()[0].id, "reduced.smt2");
  ASSERT_OK(reduced);
  EXPECT_EQ(count(*reduced, "(check-sat)"), 2u);
  EXPECT_EQ(count(*reduced, "(reset)"), 1u);
  const auto report = store_->view().read_bug_file(bugs()[0].id, "report.md");
  ASSERT_OK(report);
  EXPECT_NE(report->find("shows only after what stands before the last `(reset)`"),
            std::string::npos);
}

// The test shows it after another query only; what is left of it shows it alone.
TEST_F(OfficeTest, AHistoryThatIsReducedAwayIsNotTold) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    const bool is_second = count(text, "(check-sat)") > 1;
    const bool is_bad = count(text, "bvmul") > 0 && (is_second || count(text, "bvult") == 0);
    return solver.name == "one" && is_bad ? "session.cpp:1: failed" : "sat";
  };
  Suspicion one = crash("session.cpp:1: failed");
  one.session = session_of(2);
  ASSERT_OK(docket_->add(one));
  work();
  ASSERT_EQ(bugs().size(), 1u);
  const auto reduced = store_->view().read_bug_file(bugs()[0].id, "reduced.smt2");
  ASSERT_OK(reduced);
  EXPECT_EQ(count(*reduced, "(check-sat)"), 1u);
  const auto manifest = store_->view().manifest(bugs()[0].id);
  ASSERT_OK(manifest);
  EXPECT_FALSE(manifest->needs_history);
}

// At whichever run it is interrupted, it goes on where it was, and nothing is lost or told twice.
TEST_F(OfficeTest, AKillAtAnyMomentLosesNothing) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    const bool is_bad = solver.name == "one" && count(text, "bvmul") > 0;
    return is_bad ? "rewriter.cpp:42: failed" : "sat";
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  uint64_t interruptions = 0;
  for (uint64_t step = 1; docket_->counts().open() > 0; ++step, ++interruptions) {
    ASSERT_LT(interruptions, 500u);
    runs_ = 0;
    runs_left_ = 1 + step / 2;
    work();
    reopen();
    EXPECT_EQ(bugs().size() + docket_->counts().open(), 1u);
  }
  EXPECT_GT(interruptions, 2u);
  EXPECT_EQ(bugs().size(), 1u);
  EXPECT_EQ(bugs()[0].count, 1u);
  EXPECT_EQ(new_bugs_, 1u);
}

// Whenever the time is up: it is a bug at once, and in the end the one that it would have been.
TEST_F(OfficeTest, WhatWasCutShortBecomesTheSameBugAsWithoutThat) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    return solver.name == "one" && count(text, "bvmul") > 0 ? "unsat" : "sat";
  };
  ASSERT_OK(docket_->add(wrong_unsat()));
  uint64_t interruptions = 0;
  std::set<std::string> ids;
  for (uint64_t step = 1; docket_->counts().open() > 0; ++step, ++interruptions) {
    ASSERT_LT(interruptions, 500u);
    reopen();
    runs_ = 0;
    stops_at_ = step;
    work();
    ASSERT_EQ(bugs().size(), 1u) << step;
    EXPECT_EQ(bugs()[0].count, 1u);
    const auto manifest = store_->view().manifest(bugs()[0].id);
    ASSERT_OK(manifest);
    EXPECT_EQ(manifest->is_provisional, docket_->counts().open() > 0);
    ids.insert(bugs()[0].id);
  }
  EXPECT_GT(interruptions, 2u);
  EXPECT_GT(ids.size(), 1u);
  EXPECT_EQ(bugs()[0].signature, "refutation-unsound z3: bvmul");
  EXPECT_EQ(new_bugs_, 1u);
  const store::Stats stats = store_->stats();
  EXPECT_EQ(stats.total.bugs, 1u);
  EXPECT_EQ(stats.total.findings, 1u);
}

// Whenever the time is up: the bug shows without its option.
TEST_F(OfficeTest, AnOptionThatNobodyTriedToDropPutsNoBugOutsideThePolicy) {
  answer_ = [](const solver::Solver& solver, std::string_view text) {
    const bool is_bad = solver.name.starts_with("one") && count(text, "bvmul") > 0;
    return is_bad ? "rewriter.cpp:42: failed" : "sat";
  };
  Suspicion one = crash("rewriter.cpp:42: failed");
  one.solver.options = {"sat.euf=true"};
  ASSERT_OK(docket_->add(one));
  uint64_t interruptions = 0;
  for (uint64_t step = 1; docket_->counts().open() > 0; ++step, ++interruptions) {
    ASSERT_LT(interruptions, 500u);
    reopen();
    service_->outside_policy = [](const solver::Solver& solver) {
      return std::string(solver.options.empty() ? "" : "it needs an option");
    };
    runs_ = 0;
    stops_at_ = step;
    work();
  }
  EXPECT_GT(interruptions, 2u);
  ASSERT_EQ(bugs().size(), 1u);
  EXPECT_TRUE(bugs()[0].options.empty());
  const auto manifest = store_->view().manifest(bugs()[0].id);
  ASSERT_OK(manifest);
  EXPECT_EQ(manifest->outside_policy, "");
}

TEST_F(OfficeTest, WhatTheSolverCallsExperimentalIsKeptAndNotReported) {
  auto profile = std::make_shared<solver::Profile>(*solvers_[0].profile);
  profile->operators.reader.habits = {ir::Habit::kSingleAndDouble};
  solvers_[0].profile = profile;
  const auto line_of = [](std::string_view text) { return count(text, "2 3") > 0 ? 42 : 43; };
  answer_ = [&](const solver::Solver& solver, std::string_view text) {
    const bool is_bad = solver.name == "one" && count(text, "fp.isZero") > 0;
    return is_bad ? fmt::format("rewriter.cpp:{}: failed", line_of(text)) : "sat";
  };
  service_->outside_policy = [](const solver::Solver&) { return std::string(); };
  service_->leaves_out_experimental = true;
  for (const std::string_view format : {"2 3", "8 24"}) {
    const std::string script = fmt::format(
        "(declare-const x (_ FloatingPoint {}))\n(assert (fp.isZero x))\n(check-sat)\n", format);
    ASSERT_OK(docket_->add(crash(fmt::format("rewriter.cpp:{}: failed", line_of(script)), script)));
  }
  work();
  std::map<std::string, std::string> reasons;
  for (const store::BugRecord& bug : bugs()) {
    const auto manifest = store_->view().manifest(bug.id);
    ASSERT_OK(manifest);
    reasons[manifest->disclaimed.empty() ? "" : manifest->disclaimed.front()] =
        manifest->outside_policy;
  }
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{
                         {"", ""},
                         {"(_ FloatingPoint 2 3)",
                          "it needs (_ FloatingPoint 2 3), which z3 itself calls experimental"}}));
}

TEST_F(OfficeTest, FortyBugsAtOnceAreFortyBugs) {
  const auto place = [](int i) { return fmt::format("file{}.cpp:{}: failed", i, i); };
  answer_ = [&](const solver::Solver& solver, std::string_view text) {
    for (int i = 0; i < 40 && solver.name == "one"; ++i) {
      if (count(text, fmt::format("#x{:02x}", i)) > 0) return place(i);
    }
    return std::string("sat");
  };
  for (int i = 0; i < 40; ++i) {
    const std::string script =
        fmt::format("(declare-const a (_ BitVec 8))\n(assert (= a #x{:02x}))\n(check-sat)\n", i);
    ASSERT_OK(docket_->add(crash(place(i), script)));
  }
  Office first(*service_, false);
  Office second(*service_, true);
  std::thread other([&] { second.run(); });
  first.run();
  other.join();
  EXPECT_EQ(bugs().size(), 40u);
  EXPECT_EQ(failure_, "");
}

TEST_F(OfficeTest, ASolverThatIsNotHereIsWaitedFor) {
  Suspicion one = crash("x.cpp:1");
  one.solver.solver = "three";
  ASSERT_OK(docket_->add(one));
  work();
  const auto kept = read_docket(store_->folder().docket());
  ASSERT_OK(kept);
  ASSERT_EQ(kept->size(), 1u);
  EXPECT_EQ((*kept)[0].stage, Stage::kSuspected);
}

TEST_F(OfficeTest, WhatCannotBeReadBackIsKeptWithTheReason) {
  ASSERT_OK(docket_->add(crash("x.cpp:1", "(assert")));
  work();
  const auto kept = read_docket(store_->folder().docket());
  ASSERT_OK(kept);
  ASSERT_EQ(kept->size(), 1u);
  EXPECT_EQ((*kept)[0].stage, Stage::kUnconfirmed);
  EXPECT_NE((*kept)[0].reason, "");
}

TEST_F(OfficeTest, OneThatSomebodyRemovesIsPassedOver) {
  answer_ = [](const solver::Solver& solver, std::string_view) {
    return solver.name == "one" ? "rewriter.cpp:42: failed" : "sat";
  };
  ASSERT_OK(docket_->add(crash("other.cpp:1: failed")));
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  std::filesystem::remove_all(store_->folder().docket() / "000001-crash");
  work();
  EXPECT_EQ(failure_, "");
  EXPECT_EQ(bugs().size(), 1u);
  const auto events = store_->view().events();
  ASSERT_OK(events);
  EXPECT_TRUE(std::any_of(events->begin(), events->end(), [](const auto& event) {
    return event.source == "docket" && event.message.find("000001-crash") != std::string::npos;
  }));
}

TEST_F(OfficeTest, ABugThatCannotBeStoredIsTold) {
  answer_ = [](const solver::Solver& solver, std::string_view) {
    return solver.name == "one" ? "rewriter.cpp:42: failed" : "sat";
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  std::filesystem::remove_all(store_->folder().bugs());
  std::ofstream(store_->folder().bugs().string()) << "no folder";
  Office office(*service_, false);
  EXPECT_TRUE(office.work_once());
  EXPECT_NE(failure_.find("cannot store what was found"), std::string::npos);
  EXPECT_NE(failure_.find("(check-sat)"), std::string::npos);
  EXPECT_EQ(docket_->counts().open(), 1u);
}

// The other solver is not asked before the bug is described.
TEST_F(OfficeTest, ASolverThatCannotBeStartedSpoilsNoReport) {
  answer_ = [](const solver::Solver& solver, std::string_view) {
    return solver.name == "one" ? "rewriter.cpp:42: failed" : "sat";
  };
  int failures = 0;
  cannot_start_ = [&](const solver::Solver& solver) {
    return solver.name == "two" && ++failures <= 2;
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  work();
  EXPECT_GT(failures, 2);
  EXPECT_EQ(failure_, "");
  ASSERT_EQ(bugs().size(), 1u);
  const auto manifest = store_->view().manifest(bugs()[0].id);
  ASSERT_OK(manifest);
  ASSERT_EQ(manifest->answers.size(), 2u);
  EXPECT_EQ(manifest->answers[1].answer, "sat");
}

TEST_F(OfficeTest, WhereASolverCanNeverBeStartedTheSuspicionIsKept) {
  answer_ = [](const solver::Solver& solver, std::string_view) {
    return solver.name == "one" ? "rewriter.cpp:42: failed" : "sat";
  };
  cannot_start_ = [](const solver::Solver& solver) { return solver.name == "two"; };
  service_->on_failure = [this](const base::Error& error) {
    failure_ = error.message;
    stops_at_ = 0;
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  work();
  EXPECT_NE(failure_.find("solvers cannot be started: too many processes"), std::string::npos);
  EXPECT_TRUE(bugs().empty());
  EXPECT_EQ(docket_->counts().open(), 1u);
}

TEST_F(OfficeTest, EveryRunIsInTheAccounts) {
  answer_ = [](const solver::Solver& solver, std::string_view) {
    return solver.name == "one" ? "rewriter.cpp:42: failed" : "sat";
  };
  ASSERT_OK(docket_->add(crash("rewriter.cpp:42: failed")));
  double cost = 0;
  service_->on_cost = [&](double seconds) { cost += seconds; };
  Office office(*service_, false);
  EXPECT_TRUE(office.work_once());
  const store::Tallies tallies = office.ledger().take();
  uint64_t counted = 0;
  for (const auto& [names, counts] : tallies.runs) counted += counts.runs();
  EXPECT_EQ(counted, runs_);
  // repro.sh starts its program by itself.
  const store::Spent& apart = tallies.spent.at({"apart", "one"});
  EXPECT_GT(apart.runs, 0u);
  EXPECT_GT(apart.wall, 0);
  double spent = 0;
  for (const auto& [names, sum] : tallies.spent) spent += sum.cpu;
  EXPECT_DOUBLE_EQ(spent, cost);
}

}  // namespace
}  // namespace elenchus::docket
