#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "proc/group.h"
#include "proc/left_behind.h"
#include "solver/query.h"
#include "solver/solver.h"
#include "solver/transcript.h"

namespace elenchus::solver {
namespace {

using proc::has_zombies;
using proc::open_files;

using SolverRun = Run;  // a test has a Run of its own

const std::string kFake = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake";
const std::string kForkServer = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fork_server.py";

Query make(std::string text) {
  Query query;
  query.text = std::move(text);
  constexpr std::string_view kCheck = "(check-sat)";
  for (size_t at = 0; (at = query.text.find(kCheck, at)) != std::string::npos;) {
    at += kCheck.size();
    query.check_ends.push_back(static_cast<uint32_t>(at));
  }
  query.want_models = true;
  return query;
}

Query sat_query() { return make("(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"); }
Query unsat_query() { return make("(declare-const x Int)\n(assert false)\n(check-sat)\n"); }

Solver solver_of(const std::string& spec) {
  auto solver = find_solver(Profiles::standard(), spec);
  EXPECT_TRUE(solver.has_value()) << spec;
  return solver ? std::move(*solver) : Solver();
}

RunLimits short_limits() {
  RunLimits limits;
  limits.seconds = 0.5;
  limits.memory = 256 << 20;
  limits.output = 4 << 20;
  return limits;
}

// The machine may be slow where nothing is meant to time out.
RunLimits long_limits() {
  RunLimits limits = short_limits();
  limits.seconds = 30;
  return limits;
}

enum class Way : uint8_t { kSession, kFresh, kServed };

std::string to_string(Way way) {
  switch (way) {
    case Way::kSession: return "Session";
    case Way::kFresh: return "Fresh";
    case Way::kServed: break;
  }
  return "ForkServer";
}

// A program as the child of a fork server.
void serve(proc::Launch& launch) {
  launch.command.insert(launch.command.begin(), {kForkServer, "exec"});
  launch.is_instrumented = true;
}

// Runs the fake solver with one behaviour, as a session, afresh or by a fork server. Whatever
// happens, nothing is left behind, and the next query works.
class FakeSolver : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override { files_ = open_files(); }
  void TearDown() override {
    EXPECT_EQ(open_files(), files_);
    EXPECT_FALSE(has_zombies());
  }

  bool is_fresh() const { return GetParam() != Way::kSession; }
  bool is_served() const { return GetParam() == Way::kServed; }

  Runner runner(const std::string& mode) {
    Runner result(solver_of(kFake + ' ' + mode), is_fresh());
    if (is_served()) result.set_launch_hook(serve);
    return result;
  }

  // The outcome of one run, and of the next one on the same runner.
  SolverRun twice(const std::string& mode, const RunLimits& limits) {
    Runner fake = runner(mode);
    auto first = fake.run(sat_query(), limits);
    const auto second = fake.run(sat_query(), limits);
    EXPECT_EQ(first.outcome, second.outcome) << mode;
    return first;
  }

 private:
  size_t files_ = 0;
};

TEST_P(FakeSolver, Honest) {
  Runner fake = runner("honest");
  for (int i = 0; i < 3; ++i) {
    const auto sat = fake.run(sat_query(), long_limits());
    EXPECT_EQ(sat.outcome, Outcome::kSat);
    ASSERT_EQ(sat.checks.size(), 1U);
    EXPECT_EQ(sat.checks[0].model, "(\n)\n");
    EXPECT_EQ(sat.out, "sat\n(\n)\n");
    EXPECT_EQ(sat.checks[0].output, sat.out);
    EXPECT_EQ(sat.err, "");
    EXPECT_EQ(sat.fresh, is_fresh());
    EXPECT_EQ(sat.exit_code, is_fresh() ? 0 : -1);
    const auto unsat = fake.run(unsat_query(), long_limits());
    EXPECT_EQ(unsat.outcome, Outcome::kUnsat);
    EXPECT_EQ(unsat.checks[0].model, "");
  }
}

TEST_P(FakeSolver, AnswersEveryCheck) {
  Runner fake = runner("honest");
  Query query = make(
      "(declare-const x Int)\n(check-sat)\n(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n"
      "(check-sat)\n(pop 1)\n");
  query.want_cores = true;
  const auto run = fake.run(query, long_limits());
  ASSERT_EQ(run.checks.size(), 3U);
  EXPECT_EQ(run.checks[0].outcome, Outcome::kSat);
  EXPECT_EQ(run.checks[1].outcome, Outcome::kUnsat);
  EXPECT_EQ(run.checks[1].core, "()\n");
  EXPECT_EQ(run.outcome, Outcome::kUnsat);  // it knows no levels
}

TEST_P(FakeSolver, WrongAnswersAreStillAnswers) {
  EXPECT_EQ(twice("unsat", long_limits()).outcome, Outcome::kUnsat);
  const auto model = twice("wrong-model", long_limits());
  EXPECT_EQ(model.outcome, Outcome::kSat);
  EXPECT_NE(model.checks[0].model.find("define-fun x"), std::string::npos);
}

TEST_P(FakeSolver, Crash) {
  const auto run = twice("segv", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kCrash);
  EXPECT_EQ(run.signal, SIGSEGV);
  EXPECT_EQ(run.exit_code, -1);
  EXPECT_EQ(run.message, "SIGSEGV");
}

TEST_P(FakeSolver, CrashWithAMessage) {
  const auto run = twice("assertion", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kCrash);
  EXPECT_EQ(run.signal, SIGABRT);
  EXPECT_EQ(run.message, "ASSERTION VIOLATION\nFile: ../src/fake/fake.cpp\nLine: 42\nx == y");
  EXPECT_EQ(run.err, run.message + "\n");
}

TEST_P(FakeSolver, CrashAtTheEnd) {
  const auto run = twice("exit-crash", long_limits());
  EXPECT_EQ(run.outcome, is_fresh() ? Outcome::kCrash : Outcome::kSat);
  ASSERT_EQ(run.checks.size(), 1U);
  EXPECT_EQ(run.checks[0].outcome, Outcome::kSat);
}

TEST_P(FakeSolver, Hang) {
  const auto run = twice("hang", short_limits());
  EXPECT_EQ(run.outcome, Outcome::kTimeout);
  EXPECT_EQ(run.signal, 0);
  EXPECT_GE(run.seconds, 0.5);
  EXPECT_LT(run.seconds, 30);
}

TEST_P(FakeSolver, Stubborn) {
  EXPECT_EQ(twice("stubborn", short_limits()).outcome, Outcome::kTimeout);
}
TEST_P(FakeSolver, Half) { EXPECT_EQ(twice("half", short_limits()).outcome, Outcome::kTimeout); }
TEST_P(FakeSolver, ForkAndHang) {
  EXPECT_EQ(twice("fork-hang", short_limits()).outcome, Outcome::kTimeout);
}

TEST_P(FakeSolver, Flood) {
  const auto run = twice("flood", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kUnknown);
  EXPECT_TRUE(run.output_limit);
  EXPECT_LE(run.out.size(), long_limits().output + (1 << 16));
}

TEST_P(FakeSolver, Forks) { EXPECT_EQ(twice("forks", long_limits()).outcome, Outcome::kSat); }

TEST_P(FakeSolver, ClosesItsOutput) {
  if (is_served()) {
    // The server has it open, so one waits in vain.
    EXPECT_EQ(twice("closes", short_limits()).outcome, Outcome::kTimeout);
    return;
  }
  const auto run = twice("closes", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kCrash);
  EXPECT_EQ(run.signal, 0);
  EXPECT_EQ(run.message, "closed its output before it answered");
}

TEST_P(FakeSolver, EatsMemory) {
  EXPECT_EQ(twice("eats", long_limits()).outcome, Outcome::kMemout);
}

TEST_P(FakeSolver, ExitsSilently) {
  const auto run = twice("silent", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kCrash);
  EXPECT_EQ(run.message, "exited with code 0 before it answered");
}

TEST_P(FakeSolver, ExitsWithAComplaint) {
  const auto run = twice("grumbles", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kRejected);
  EXPECT_EQ(run.message, "fake: cannot do this");
  EXPECT_EQ(run.exit_code, 1);
}

TEST_P(FakeSolver, Rejects) {
  // It answers all the same, to another problem.
  const auto run = twice("rejects", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kRejected);
  EXPECT_EQ(run.message, "line 1 column 1: unknown constant x");
  EXPECT_TRUE(run.checks.empty());
}

TEST_P(FakeSolver, Deaf) {
  Runner fake = runner("deaf");
  Query query = sat_query();
  query.text.insert(0, std::string(4 << 20, ' '));
  query.check_ends[0] += 4 << 20;
  EXPECT_EQ(fake.run(query, short_limits()).outcome, Outcome::kTimeout);
}

TEST_P(FakeSolver, SelfCheck) {
  const auto run = twice("invalid", long_limits());
  EXPECT_EQ(run.outcome, Outcome::kSat);
  EXPECT_EQ(run.self_check, "line 5 column 10: an invalid model was generated");
  ASSERT_EQ(run.checks.size(), 1U);
  EXPECT_EQ(run.checks[0].model, "(\n)\n");
}

TEST_P(FakeSolver, DoesNotExit) {
  RunLimits limits = short_limits();
  limits.seconds = 4;  // it is waited for so long
  const auto run = twice("slow-exit", limits);
  EXPECT_EQ(run.outcome, Outcome::kSat);
  EXPECT_EQ(run.message, is_fresh() ? "did not exit after its answer" : "");
}

TEST_P(FakeSolver, DiesOnlyInSessions) {
  Runner fake = runner("third");
  for (int i = 0; i < 7; ++i) {
    const auto run = fake.run(sat_query(), long_limits());
    EXPECT_EQ(run.outcome, Outcome::kSat) << i;
    const bool again = !is_fresh() && i % 3 == 2;
    EXPECT_EQ(crashed_only_in_session(run), again) << i;
    EXPECT_EQ(run.fresh, is_fresh() || again) << i;
    ASSERT_EQ(run.session_run != nullptr, again);
    if (!again) continue;
    EXPECT_EQ(run.session_run->outcome, Outcome::kCrash);
    EXPECT_EQ(run.session_run->message, "SIGSEGV");
    EXPECT_EQ(transcript_of(*run.session_run).queries.size(), 3U);
    EXPECT_GE(spent_cpu_seconds(run), run.cpu_seconds + run.session_run->cpu_seconds);
  }
}

TEST_P(FakeSolver, LeavesNoProcesses) {
  // Time enough to say what its group is.
  RunLimits limits = short_limits();
  limits.seconds = 3;
  for (const char* mode : {"fork-hang", "forks", "stubborn", "flood", "eats"}) {
    std::vector<pid_t> groups;
    {
      Runner fake = runner(mode);
      // The shell prints its group before it becomes the solver.
      fake.set_launch_hook([this](proc::Launch& launch) {
        launch.command.insert(
            launch.command.begin(),
            {"/bin/sh", "-c",
             "echo group $(cut -d ' ' -f 5 /proc/$$/stat) >&2; exec \"$0\" \"$@\""});
        if (is_served()) serve(launch);
      });
      const auto run = fake.run(sat_query(), limits);
      ASSERT_TRUE(run.err.starts_with("group ")) << mode << ": " << run.err;
      groups.push_back(static_cast<pid_t>(std::stol(run.err.substr(6))));
    }
    for (const pid_t group : groups) {
      for (int i = 0; i < 6000 && proc::group_size(group) > 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      EXPECT_EQ(proc::group_size(group), 0U) << mode;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runner, FakeSolver,
                         testing::Values(Way::kSession, Way::kFresh, Way::kServed),
                         [](const auto& test) { return to_string(test.param); });

// What a solver that is a fork server says to a query that asks for the children it had.
std::vector<std::string> children_seen(const std::string& handshake, bool is_instrumented) {
  Runner runner(solver_of(kForkServer + ' ' + handshake), true);
  runner.set_launch_hook([&](proc::Launch& launch) { launch.is_instrumented = is_instrumented; });
  std::vector<std::string> seen;
  for (int i = 0; i < 3; ++i) {
    const auto run = runner.run(make("(check-sat)\n(children)\n"), long_limits());
    EXPECT_EQ(run.outcome, Outcome::kSat);
    EXPECT_TRUE(run.fresh);
    EXPECT_EQ(run.exit_code, 0);
    seen.push_back(run.out);
  }
  return seen;
}

TEST(Runner, TakesChildrenOfForkServers) {
  const std::vector<std::string> children = {"sat\n()\n0\n", "sat\n()\n1\n", "sat\n()\n2\n"};
  EXPECT_EQ(children_seen("old", true), children);
  EXPECT_EQ(children_seen("new", true), children);
}

TEST(Runner, StartsProcessesWhereThereIsNoForkServer) {
  const std::vector<std::string> processes(3, "sat\n()\n0\n");
  EXPECT_EQ(children_seen("old", false), processes);
  EXPECT_EQ(children_seen("none", true), processes);
  EXPECT_EQ(children_seen("new-error", true), processes);
}

TEST(Runner, SessionsAreNoChildrenOfForkServers) {
  Runner runner(solver_of(kForkServer + " old"), false);
  runner.set_launch_hook([](proc::Launch& launch) { launch.is_instrumented = true; });
  for (int i = 0; i < 2; ++i) {
    const auto run = runner.run(make("(check-sat)\n(children)\n"), long_limits());
    EXPECT_EQ(run.out, "sat\n()\n0\n");
    EXPECT_FALSE(run.fresh);
  }
}

TEST(Runner, RecyclesSessions) {
  Solver solver = solver_of(kFake + " third");
  Profile profile = *solver.profile;
  profile.session_queries = 2;
  solver.profile = std::make_shared<const Profile>(profile);
  Runner runner(solver, false);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(runner.run(sat_query(), long_limits()).session_run, nullptr);
  }
}

TEST(Runner, CanBeClosedAndMoved) {
  Runner first(solver_of(kFake + " honest"), false);
  EXPECT_EQ(first.run(sat_query(), long_limits()).outcome, Outcome::kSat);
  first.close();
  EXPECT_EQ(first.run(sat_query(), long_limits()).outcome, Outcome::kSat);
  Runner second = std::move(first);
  EXPECT_EQ(second.run(unsat_query(), long_limits()).outcome, Outcome::kUnsat);
}

TEST(Runner, ReportsWhatCannotBeStarted) {
  Solver solver = solver_of(kFake + " honest");
  solver.program = "/nowhere/solver";
  const auto run = Runner(solver, false).run(sat_query(), long_limits());
  EXPECT_EQ(run.outcome, Outcome::kUnknown);
  EXPECT_EQ(run.message, "cannot run /nowhere/solver: No such file or directory");
  ASSERT_TRUE(run.internal_error.has_value());
  EXPECT_EQ(run.internal_error->kind, base::ErrorKind::kIo);
}

TEST(Runner, FilesForSolversThatWantThem) {
  // It is given a script by path, and reads no more than that.
  Profile profile = *Profiles::standard().generic();
  profile.input_is_file = true;
  Solver solver;
  solver.profile = std::make_shared<const Profile>(profile);
  solver.program = "/bin/sh";
  solver.options = {"-c",
                    "grep -c check-sat \"$0\" >&2; echo unsat; echo delta-sat with delta = 1"};
  const auto run =
      Runner(solver, false).run(make("(check-sat)\n(push 1)\n(check-sat)\n"), long_limits());
  EXPECT_EQ(run.err, "2\n");
  ASSERT_EQ(run.checks.size(), 2U);
  EXPECT_EQ(run.checks[0].outcome, Outcome::kUnsat);
  EXPECT_EQ(run.checks[1].outcome, Outcome::kUnknown);
  EXPECT_TRUE(run.fresh);
}

// Real solvers, each as far as it is there, asked about what it has: bit-vectors, or else integers.
class RealSolver : public testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  void SetUp() override {
    auto solver = find_solver(Profiles::standard(), std::get<0>(GetParam()));
    if (!solver) GTEST_SKIP() << solver.error().message;
    solver_ = std::move(*solver);
    const auto& missing = profile().theories_missing;
    has_bits_ = std::find(missing.begin(), missing.end(), "FixedSizeBitVectors") == missing.end();
  }
  SolverRun run(const Query& query) {
    if (!runner_) runner_.emplace(solver_, std::get<1>(GetParam()));
    return runner_->run(query, long_limits());
  }
  const Profile& profile() const { return *solver_.profile; }

  // SORT is the sort of numbers, LOGIC its logic, gt and lt their order; a number stands last.
  Query script(std::string text) const {
    const auto put = [&text](const std::string& from, const std::string& to) {
      for (size_t at = text.find(from); at != std::string::npos;
           at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
      }
    };
    put("LOGIC", has_bits_ ? "QF_BV" : "QF_LIA");
    put("(gt ", has_bits_ ? "(bvugt " : "(> ");
    put("(lt ", has_bits_ ? "(bvult " : "(< ");
    for (const std::string digit : {"2", "3", "5", "9"}) {
      if (has_bits_) put(" " + digit + ")", " #x0" + digit + ")");
    }
    put("SORT", has_bits_ ? "(_ BitVec 8)" : "Int");
    return make(text);
  }

 private:
  Solver solver_;
  bool has_bits_ = true;
  std::optional<Runner> runner_;
};

TEST_P(RealSolver, AnswersAndModels) {
  const Query query = script(
      "(set-option :produce-models true)\n(set-logic LOGIC)\n(declare-const x SORT)\n"
      "(assert (= x 5))\n(check-sat)\n");
  for (int i = 0; i < 3; ++i) {
    const auto sat = run(query);
    EXPECT_EQ(sat.outcome, Outcome::kSat) << sat.message;
    if (profile().has_models) {
      EXPECT_NE(sat.checks[0].model.find("define-fun x"), std::string::npos) << sat.out;
    }
    const auto unsat =
        run(script("(set-logic LOGIC)\n(declare-const x SORT)\n"
                   "(assert (distinct x x))\n(check-sat)\n"));
    EXPECT_EQ(unsat.outcome, Outcome::kUnsat) << unsat.message;
  }
}

TEST_P(RealSolver, RejectsAndGoesOn) {
  const Query good = script("(set-logic LOGIC)\n(declare-const x SORT)\n(check-sat)\n");
  for (const char* text :
       {"(set-logic LOGIC)\n(declare-const x SORT)\n(assert (foo x))\n(check-sat)\n",
        "(set-logic LOGIC)\n(declare-const x SORT)\n(assert x)\n(check-sat)\n",
        "(set-logic LOGIC)\n(declare-const x Unheard)\n(check-sat)\n"}) {
    const auto bad = run(script(text));
    EXPECT_EQ(bad.outcome, Outcome::kRejected) << text << bad.out << bad.err;
    EXPECT_NE(bad.message, "");
    Query next = good;
    next.want_models = false;
    EXPECT_EQ(run(next).outcome, Outcome::kSat);
  }
}

TEST_P(RealSolver, PushAndPop) {
  if (!profile().is_incremental) GTEST_SKIP() << "not incremental";
  Query query = script(
      "(set-logic LOGIC)\n(declare-const x SORT)\n(assert (gt x 3))\n(check-sat)\n(push 1)\n"
      "(assert (lt x 3))\n(check-sat)\n(pop 1)\n(check-sat)\n");
  query.want_models = false;
  const auto result = run(query);
  ASSERT_EQ(result.checks.size(), 3U) << result.message;
  EXPECT_EQ(result.checks[0].outcome, Outcome::kSat);
  EXPECT_EQ(result.checks[1].outcome, Outcome::kUnsat);
  EXPECT_EQ(result.checks[2].outcome, Outcome::kSat);
}

TEST_P(RealSolver, Cores) {
  if (!profile().has_cores || !profile().is_interactive) GTEST_SKIP() << "no cores";
  Query query = script(
      "(set-option :produce-unsat-cores true)\n(set-logic LOGIC)\n(declare-const x SORT)\n"
      "(assert (! (gt x 3) :named a))\n(assert (! (lt x 2) :named b))\n"
      "(assert (! (lt x 9) :named c))\n(check-sat)\n");
  query.want_cores = true;
  query.want_models = false;
  for (int i = 0; i < 2; ++i) {
    const auto unsat = run(query);
    EXPECT_EQ(unsat.outcome, Outcome::kUnsat) << unsat.message;
    const std::string& core = unsat.checks.at(0).core;
    EXPECT_NE(core.find('a'), std::string::npos) << core;
    EXPECT_EQ(core.find('c'), std::string::npos) << core;
    const auto sat = run(script("(set-logic LOGIC)\n(declare-const a SORT)\n(check-sat)\n"));
    EXPECT_EQ(sat.outcome, Outcome::kSat) << sat.message;
  }
}

// ELENCHUS_TEST_SOLVERS names others, with commas between them, such as builds outside PATH.
std::vector<std::string> solvers_to_try() {
  const char* const wanted = std::getenv("ELENCHUS_TEST_SOLVERS");
  if (wanted == nullptr) {
    return {"z3",       "cvc5",    "cvc4",    "boolector", "yices2",
            "bitwuzla", "mathsat", "opensmt", "stp",       "z3 new-core"};
  }
  std::vector<std::string> names;
  std::istringstream words(wanted);
  for (std::string name; std::getline(words, name, ',');) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Runner, RealSolver,
                         testing::Combine(testing::ValuesIn(solvers_to_try()), testing::Bool()),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param) +
                                              (std::get<1>(test.param) ? "Fresh" : "Session");
                           std::erase_if(name,
                                         [](unsigned char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

// What takes a quantified logic with strings is not given where there are none.
class OptionsForStrings : public testing::TestWithParam<bool> {
 protected:
  static void expect(const std::string& name, const std::vector<std::string>& options,
                     const std::vector<std::pair<std::string, Outcome>>& scripts) {
    const auto solver = find_solver(Profiles::standard(), name);
    if (!solver) GTEST_SKIP() << solver.error().message;
    Runner runner(*solver, GetParam());
    runner.set_options(options);
    for (int i = 0; i < 2; ++i) {
      for (const auto& [script, outcome] : scripts) {
        const auto run = runner.run(make(script), long_limits());
        EXPECT_EQ(run.outcome, outcome) << script << run.message;
      }
    }
  }
};

const std::string kNeedsExtendedFunctions =
    "(set-logic ALL)\n(declare-const s String)\n"
    "(assert (= (str.from_int (+ 1 (str.to_int s))) \"10\"))\n(check-sat)\n";

TEST_P(OptionsForStrings, Cvc4Matches) {
  const std::string matching =
      "(set-logic UFLIA)\n(declare-fun f (Int) Int)\n(declare-fun g (Int) Int)\n"
      "(assert (forall ((x Int)) (! (> (f x) (g x)) :pattern ((f x)))))\n"
      "(assert (forall ((x Int)) (! (> (g x) (+ x 1)) :pattern ((g x)))))\n"
      "(assert (< (f 3) 4))\n(check-sat)\n";
  expect("cvc4", {}, {{matching, Outcome::kUnsat}, {kNeedsExtendedFunctions, Outcome::kSat}});
}

TEST_P(OptionsForStrings, Cvc5TakesWhatQuantifiersForbid) {
  const std::string bits =
      "(set-logic QF_BV)\n(declare-const a (_ BitVec 8))\n(declare-const p Bool)\n"
      "(assert (= p (bvult a #x05)))\n(assert (not p))\n(check-sat)\n";
  expect("cvc5", {"--bool-to-bv=all"}, {{bits, Outcome::kSat}});
  expect("cvc5", {}, {{bits, Outcome::kSat}, {kNeedsExtendedFunctions, Outcome::kSat}});
}

INSTANTIATE_TEST_SUITE_P(Runner, OptionsForStrings, testing::Bool(),
                         [](const auto& test) { return test.param ? "Fresh" : "Session"; });

// Options that cvc5 refuses together with models, or in an incremental process.
TEST(Runner, OptionsThatExcludeModelsOrSessionsRun) {
  const auto solver = find_solver(Profiles::standard(), "cvc5");
  if (!solver) GTEST_SKIP() << solver.error().message;
  const Query query = make(
      "(set-option :produce-models true)\n(set-logic QF_AUFLIA)\n(declare-const x Int)\n"
      "(declare-fun f (Int) Int)\n(assert (> (f x) 2))\n(check-sat)\n");
  for (const std::string& option : solver->profile->knobs.without_models) {
    Runner runner(with_options(*solver, {"--" + option}), false);
    const auto run = runner.run(query, long_limits());
    EXPECT_EQ(run.outcome, Outcome::kSat) << option << ": " << run.message;
    EXPECT_EQ(run.checks.at(0).model, "") << option;
  }
  Runner runner(*solver, false);
  for (const std::string& option : solver->profile->knobs.without_incremental) {
    runner.set_options({"--" + option + (option == "deep-restart" ? "=input" : "")});
    const auto run = runner.run(query, long_limits());
    EXPECT_EQ(run.outcome, Outcome::kSat) << option << ": " << run.message;
    runner.set_options({});
    const auto plain = runner.run(query, long_limits());
    EXPECT_EQ(plain.outcome, Outcome::kSat) << plain.message;
    EXPECT_NE(plain.checks.at(0).model, "");
  }
}

TEST(HasSwitchedOn, TellsOnFromOff) {
  Solver solver;
  const auto is_on = [&](const std::string& option) {
    solver.options = {option};
    return has_switched_on(solver, {"sort-inference", "deep-restart"});
  };
  EXPECT_TRUE(is_on("--sort-inference"));
  EXPECT_TRUE(is_on("--deep-restart=all"));
  EXPECT_FALSE(is_on("--deep-restart=none"));
  EXPECT_FALSE(is_on("--no-sort-inference"));
  EXPECT_FALSE(is_on("--sort-inference=false"));
  EXPECT_FALSE(is_on("--sort-inference-more"));
}

TEST(NeedsOf, AreReadOffTheScript) {
  EXPECT_FALSE(needs_of("(declare-const more.x Int)\n(check-sat)").strings);
  for (const char* text :
       {"(declare-const s String)", "(declare-const s (Seq Int))", "(declare-const r RegLan)",
        "(assert (str.< \"\" \"a\"))", "(assert (= 1 (seq.len e)))", "(assert (= r re.all))"}) {
    EXPECT_TRUE(needs_of(text).strings) << text;
  }
  EXPECT_FALSE(needs_of("(check-sat)").incremental);
  EXPECT_TRUE(needs_of("(check-sat)\n(check-sat)").incremental);
  EXPECT_TRUE(needs_of("(assert true)\n(push 1)\n(check-sat)").incremental);
}

TEST(Runner, Cvc4WithoutFloatsRejectsThem) {
  const auto solver = find_solver(Profiles::standard(), "cvc4");
  if (!solver) GTEST_SKIP() << solver.error().message;
  const auto run =
      Runner(*solver, false)
          .run(make("(set-logic QF_FP)\n(declare-const x Float32)\n"
                    "(assert (fp.lt x (fp #b0 #x80 #b00000000000000000000000)))\n(check-sat)\n"),
               long_limits());
  if (run.outcome == Outcome::kSat) GTEST_SKIP() << "this cvc4 has floats";
  EXPECT_EQ(run.outcome, Outcome::kRejected) << run.message;
}

// Options come and go without a new process where the solver takes them as commands, and with one
// where it does not; the answers are the same.
void expect_options_to_come_and_go(const std::string& name, const std::vector<std::string>& options,
                                   const Query& query, int starts_of_session) {
  if (proc::find_program(name).empty()) GTEST_SKIP() << name << " is not installed";
  for (const bool fresh : {false, true}) {
    Runner runner(solver_of(name), fresh);
    int starts = 0;
    runner.set_launch_hook([&](proc::Launch&) { ++starts; });
    EXPECT_EQ(runner.run(query, long_limits()).outcome, Outcome::kUnsat);
    runner.set_options(options);
    EXPECT_EQ(runner.run(query, long_limits()).outcome, Outcome::kUnknown);
    runner.set_options({});
    EXPECT_EQ(runner.run(query, long_limits()).outcome, Outcome::kUnsat);
    EXPECT_EQ(starts, fresh ? 3 : starts_of_session);
  }
}

TEST(RunnerOptions, AreCommandsForCvc5) {
  expect_options_to_come_and_go(
      "cvc5", {"--nl-ext=none", "--no-nl-cov"},
      make("(set-logic QF_NIA)\n(declare-const x Int)\n(assert (= (* x x) 2))\n(check-sat)\n"), 1);
}

TEST(RunnerOptions, AreOfTheCommandLineForZ3) {
  expect_options_to_come_and_go(
      "z3", {"smt.mbqi=false", "auto_config=false"},
      make("(set-logic UFLIA)\n(declare-fun f (Int) Int)\n"
           "(assert (forall ((x Int)) (> (f x) x)))\n"
           "(assert (forall ((x Int) (y Int)) (=> (< x y) (> (f x) (f y)))))\n(check-sat)\n"),
      3);
}

}  // namespace
}  // namespace elenchus::solver
