#include "campaign/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "docket/docket.h"
#include "lab/fake_solver.h"
#include "store/test_campaign.h"
#include "store/usage.h"

namespace elenchus::campaign {
namespace {

constexpr const char* kSeed = R"((set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (or (bvult a b) (= (bvmul a b) (bvadd a #x01))))
(check-sat)
)";

// A worker with all that a campaign gives it, and solvers that are functions.
class WorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    shared_.control = &control_;
    shared_.engines = {"opfuzz"};
    shared_.settings.tests = 40;
    shared_.ops = ir::OpTable::standard();
    shared_.solvers = {lab::fake_solver("one"), lab::fake_solver("two")};
    shared_.map_sizes.resize(2);
    shared_.code_folders.resize(2);
    SeedFile seed;
    seed.path = seed.key = "seed.smt2";
    seed.text = std::make_shared<const std::string>(kSeed);
    shared_.seeds.files = {seed};
    shared_.scheduler = std::make_unique<Scheduler>(1, shared_.engines, 2, base::Rng(1));
    shared_.keys = std::make_unique<KeyBoard>(2);
    shared_.edges = std::make_unique<KeyBoard>(2);
    shared_.matchmaker = std::make_unique<Matchmaker>(1);
    shared_.turnstile = std::make_unique<lab::Turnstile>(1, 0.25);
    auto made = store::CampaignStore::create(
        home_.path() / "out", "",
        {"e", "e", [this] { return clock_; }, [this] { return steady_; }});
    ASSERT_OK(made);
    shared_.store = std::move(*made);
    auto docket = docket::Docket::open(shared_.store->folder().docket());
    ASSERT_OK(docket);
    shared_.docket = std::move(*docket);
    shared_.prepare_lab = [this](lab::SolverLab& lab) {
      lab.set_stand_in([this](const solver::Solver& solver, const solver::Query& query) {
        return run_(solver, query);
      });
    };
  }

  store::Tallies work() {
    Worker worker(shared_, base::Rng(7));
    worker.run();
    return worker.ledger().take();
  }

  // Answers by solver and text.
  void answer(std::function<std::string(const std::string&, std::string_view)> say) {
    run_ = [say](const solver::Solver& solver, const solver::Query& query) {
      return lab::answered(query, [&](std::string_view text) { return say(solver.name, text); });
    };
  }

  store::TestFolder home_;
  double clock_ = 1'700'000'000;  // that somebody may set
  double steady_ = 100;
  Control control_;
  Shared shared_;
  std::function<solver::Run(const solver::Solver&, const solver::Query&)> run_;
};

TEST_F(WorkerTest, EveryTestAndRunIsCounted) {
  answer([](const std::string&, std::string_view) { return "sat"; });
  const store::Tallies tallies = work();
  uint64_t tests = 0;
  for (const auto& [names, counts] : tallies.tests) tests += counts.tests;
  EXPECT_EQ(tests, 40u);
  // The seed itself is a test, too; oracles may ask for further runs.
  EXPECT_GE(tallies.runs.at({"opfuzz", "one"}).runs(), 39u);
  EXPECT_GE(tallies.runs.at({"opfuzz", "two"}).runs(), 39u);
  EXPECT_EQ(shared_.docket->counts().open(), 0u);
}

class WorkerOptionsTest : public WorkerTest {
 protected:
  void SetUp() override {
    WorkerTest::SetUp();
    shared_.engines = {"opfuzz+options"};
    shared_.scheduler = std::make_unique<Scheduler>(1, shared_.engines, 2, base::Rng(1));
    shared_.catalogues.resize(2);
    for (const char* name : {"rewriter.a", "rewriter.b", "rewriter.c"}) {
      knobs::Knob knob;
      knob.name = name;
      knob.standard = "false";
      knob.values = {"false", "true"};
      shared_.catalogues[0].knobs.push_back(knob);
    }
    shared_.correlations = {nullptr, nullptr};
  }
};

TEST_F(WorkerOptionsTest, TwoSetsAreTriedOnEachTestAndAccountedFor) {
  std::set<std::string> with_statistics;  // plain runs
  std::vector<std::string> under_options;
  run_ = [&](const solver::Solver& solver, const solver::Query& query) {
    if (!solver.options.empty()) under_options.push_back(query.text);
    if (solver.options.empty() && query.want_statistics) with_statistics.insert(query.text);
    return lab::answered(query, [](std::string_view) { return "sat"; });
  };
  const store::Tallies tallies = work();
  uint64_t sets = 0;
  uint64_t options = 0;
  for (const auto& [key, tried] : tallies.tried) {
    sets += key.first == "option-set" ? tried.count : 0;
    options += key.first == "option" ? tried.count : 0;
  }
  const uint64_t mutants = tallies.tried.at({"mode", "plain"}).count;
  EXPECT_EQ(sets, 2 * mutants);
  EXPECT_GT(options, sets);
  EXPECT_GT(tallies.tried.at({"option", "z3 rewriter.a"}).count, 0u);
  EXPECT_GT(tallies.tried.at({"search", "ended"}).count, 0u);  // there are but seven sets
  // What options brought is told by comparison with the run without. (Oracles ask under options,
  // too.)
  const auto compared =
      std::count_if(under_options.begin(), under_options.end(),
                    [&](const std::string& text) { return with_statistics.contains(text); });
  EXPECT_GE(static_cast<uint64_t>(compared), sets);
}

// Also of the first set of two, whose run is not in the exam.
TEST_F(WorkerOptionsTest, WhatAnyOfTheSetsShowsIsWrittenDown) {
  answer([](const std::string& name, std::string_view) {
    return name.find("rewriter.a") == std::string::npos ? "sat" : "core.cpp:7: failed";
  });
  const store::Tallies tallies = work();
  const auto written = docket::read_docket(shared_.store->folder().docket());
  ASSERT_OK(written);
  ASSERT_EQ(written->size(), 1u);
  EXPECT_EQ((*written)[0].kind, "crash");
  EXPECT_FALSE((*written)[0].solver.options.empty());
  const store::Tried& guilty = tallies.tried.at({"option", "z3 rewriter.a"});
  EXPECT_EQ(guilty.findings, guilty.count);
}

class WorkerVariantsTest : public WorkerTest {
 protected:
  void SetUp() override {
    WorkerTest::SetUp();
    shared_.engines = {"opfuzz+variants"};
    shared_.scheduler = std::make_unique<Scheduler>(1, shared_.engines, 2, base::Rng(1));
  }

  store::Tried tried_variants() {
    store::Tried sum;
    const store::Tallies tallies = work();
    for (const auto& [key, tried] : tallies.tried) {
      if (key.first != "variant") continue;
      sum += tried;
      names_.insert(key.second);
    }
    all_ = tallies.tried.at({"mode", "plain"});
    return sum;
  }

  store::Tried all_;
  std::set<std::string> names_;  // of variants that were tried
};

TEST_F(WorkerVariantsTest, AllTakeTurns) {
  shared_.settings.tests = 300;
  answer([](const std::string&, std::string_view) { return "sat"; });
  tried_variants();
  const auto& known = shared_.solvers[0].profile->variants;
  const auto wanted = std::count_if(known.begin(), known.end(),
                                    [](const solver::Variant& one) { return one.is_default; });
  EXPECT_EQ(names_.size(), shared_.solvers.size() * static_cast<size_t>(wanted));
}

TEST_F(WorkerVariantsTest, WhatOthersShowIsNotTheirs) {
  answer([](const std::string& name, std::string_view) {
    return name == "two" ? "core.cpp:7: failed" : "sat";
  });
  const store::Tried variants = tried_variants();
  EXPECT_EQ(variants.count, all_.count);
  EXPECT_EQ(variants.findings, 0u);
  EXPECT_GT(all_.findings, 0u);
}

TEST_F(WorkerVariantsTest, WhatTheyShowIsTheirs) {
  answer([](const std::string& name, std::string_view) {
    return name == "one" || name == "two" ? "sat" : "core.cpp:7: failed";
  });
  const store::Tried variants = tried_variants();
  EXPECT_GT(variants.count, 0u);
  EXPECT_EQ(variants.findings, variants.count);
}

// Requests, too, that the worker adds; and none that no answer let it send.
TEST_F(WorkerTest, CommandsCountWhereTheyAreSent) {
  shared_.settings.tests = 200;
  answer([](const std::string&, std::string_view) { return "sat"; });
  store::Tallies tallies = work();
  const uint64_t mutants = tallies.tried.at({"mode", "plain"}).count;
  EXPECT_EQ(tallies.tried.at({"command", "get-model"}).count, mutants);
  EXPECT_GT(tallies.tried.at({"command", "get-value"}).count, 0u);
  EXPECT_FALSE(tallies.tried.contains({"command", "get-unsat-core"}));
}

TEST_F(WorkerTest, ModelsAreNotAskedForAfterUnsat) {
  shared_.settings.tests = 200;
  answer([](const std::string&, std::string_view) { return "unsat"; });
  const store::Tallies tallies = work();
  EXPECT_FALSE(tallies.tried.contains({"command", "get-model"}));
  EXPECT_FALSE(tallies.tried.contains({"command", "get-value"}));
  EXPECT_GT(tallies.tried.at({"command", "get-unsat-core"}).count, 0u);
}

// Testing goes on while nobody prosecutes.
TEST_F(WorkerTest, ABugInEveryTestIsWrittenDownOnceAndTestingGoesOn) {
  answer([](const std::string& name, std::string_view) {
    return name == "one" ? "core.cpp:7: failed" : "sat";
  });
  const store::Tallies tallies = work();
  EXPECT_GE(tallies.runs.at({"opfuzz", "one"}).runs(), 39u);
  EXPECT_EQ(shared_.docket->counts().suspected, 1u);
  const auto written = docket::read_docket(shared_.store->folder().docket());
  ASSERT_OK(written);
  ASSERT_EQ(written->size(), 1u);
  EXPECT_EQ((*written)[0].kind, "crash");
  EXPECT_EQ((*written)[0].solver.solver, "one");
  EXPECT_EQ((*written)[0].origin.seeds, std::vector<std::string>{"seed.smt2"});
}

TEST_F(WorkerTest, AFindingHasTheTimeOfAClockThatNobodySets) {
  answer([](const std::string& name, std::string_view) {
    return name == "one" ? "core.cpp:7: failed" : "sat";
  });
  clock_ -= 1'000'000;
  steady_ += 50;
  work();
  const auto written = docket::read_docket(shared_.store->folder().docket());
  ASSERT_OK(written);
  ASSERT_EQ(written->size(), 1u);
  EXPECT_EQ((*written)[0].time, 1'700'000'050);
}

// Two solvers that contradict each other: more than one oracle may have something to say.
TEST_F(WorkerTest, AContradictionIsWrittenDown) {
  answer([](const std::string& name, std::string_view) { return name == "one" ? "sat" : "unsat"; });
  work();
  EXPECT_GT(shared_.docket->counts().suspected, 0u);
}

TEST_F(WorkerTest, ACrashThatOnlyASessionShowsIsWrittenDown) {
  run_ = [](const solver::Solver& solver, const solver::Query& query) {
    auto first = std::make_shared<solver::Run>(
        lab::answered(query, [](std::string_view) { return "session.cpp:3: failed"; }));
    first->fresh = false;
    solver::Run run = lab::answered(query, [](std::string_view) { return "sat"; });
    if (solver.name == "one") run.session_run = first;
    return run;
  };
  work();
  const auto written = docket::read_docket(shared_.store->folder().docket());
  ASSERT_OK(written);
  ASSERT_EQ(written->size(), 1u);
  EXPECT_EQ((*written)[0].kind, "crash");
}

TEST_F(WorkerTest, WhatCannotBeWrittenDownEndsTheCampaignWithTheScript) {
  answer([](const std::string& name, std::string_view) {
    return name == "one" ? "core.cpp:7: failed" : "sat";
  });
  std::filesystem::remove_all(shared_.store->folder().docket());
  std::ofstream(shared_.store->folder().docket().string()) << "no folder";
  work();
  const auto failure = shared_.failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->message.find("cannot store what was found"), std::string::npos);
  EXPECT_NE(failure->message.find("(check-sat)"), std::string::npos);
}

TEST_F(WorkerTest, EveryFindingThatCannotBeStoredIsTold) {
  shared_.fail({base::ErrorKind::kLimit, "the disk is full", {}});
  shared_.fail_with_loss({base::ErrorKind::kIo, "the first script", {}});
  shared_.fail_with_loss({base::ErrorKind::kIo, "the second script", {}});
  shared_.fail({base::ErrorKind::kLimit, "the disk is still full", {}});
  const auto failure = shared_.failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, base::ErrorKind::kLimit);
  EXPECT_EQ(failure->message, "the disk is full\nthe first script\nthe second script");
}

TEST_F(WorkerTest, TestingAndProsecutionEndWhenTheCpuTimeIsSpent) {
  shared_.settings.tests = 0;
  shared_.cpu_seconds = 0.05;  // a run takes a thousandth
  shared_.own_cpu_before = store::own_usage().cpu_seconds;
  answer([](const std::string&, std::string_view) { return "sat"; });
  EXPECT_FALSE(shared_.is_over());
  EXPECT_FALSE(shared_.is_overdue());
  const store::Tallies tallies = work();
  uint64_t runs = 0;
  for (const auto& [names, counts] : tallies.runs) runs += counts.runs();
  EXPECT_GT(runs, 0u);
  EXPECT_LE(runs, 100u);
  EXPECT_TRUE(shared_.is_overdue());
  EXPECT_FALSE(shared_.failure().has_value());
}

TEST_F(WorkerTest, ASeedThatNoSolverTakesIsDropped) {
  run_ = [](const solver::Solver&, const solver::Query&) {
    solver::Run run;
    run.outcome = solver::Outcome::kRejected;
    return run;
  };
  work();
  EXPECT_EQ(shared_.scheduler->seeds_left(), 0u);
}

TEST_F(WorkerTest, AStrayIsTestedLikeASeed) {
  std::atomic<int> strays = 0;
  answer([&](const std::string& name, std::string_view text) {
    if (text.find("stray") == std::string_view::npos) return "sat";
    ++strays;
    return name == "one" ? "core.cpp:7: failed" : "sat";
  });
  const docket::Origin origin{"fusion", {"other.smt2", "partner.smt2"}, 1, "unknown"};
  shared_.strays.add({"(declare-const stray Bool)(assert stray)(check-sat)", origin});
  const store::Tallies tallies = work();
  EXPECT_GT(strays, 0);
  EXPECT_FALSE(shared_.strays.take());
  // What it shows comes from where it was come by.
  const auto written = docket::read_docket(shared_.store->folder().docket());
  ASSERT_OK(written);
  ASSERT_EQ(written->size(), 1u);
  EXPECT_EQ((*written)[0].origin.engine, origin.engine);
  EXPECT_EQ((*written)[0].origin.seeds, origin.seeds);
  EXPECT_EQ(tallies.seeds.at("other.smt2").tests, 1u);
  // And says nothing of the seed that was visited last.
  EXPECT_FALSE(shared_.answers.differ("seed.smt2", "one=sat two=sat"));
}

}  // namespace
}  // namespace elenchus::campaign
