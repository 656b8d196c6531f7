#include "proc/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "proc/group.h"
#include "proc/left_behind.h"
#include "proc/open_files.h"
#include "proc/spawn.h"

namespace elenchus::proc {
namespace {

using std::chrono::milliseconds;

Process start_shell(const std::string& script) {
  auto process =
      Process::start({.command = {"/bin/sh", "-c", script}, .environment = {}, .file = {}});
  EXPECT_TRUE(process.has_value());
  return std::move(*process);
}

Until in_time(milliseconds time, std::string_view line = {}) {
  return {.line = line, .deadline = Clock::now() + time};
}

// Every test leaves nothing behind.
class ProcessTest : public testing::Test {
 protected:
  void SetUp() override { files_ = open_files(); }
  void TearDown() override {
    EXPECT_EQ(open_files(), files_);
    EXPECT_FALSE(has_zombies());
  }

 private:
  size_t files_ = 0;
};

TEST_F(ProcessTest, CapturesBothStreamsAndTheExitCode) {
  Process process = start_shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  const Exit exit = process.kill();
  EXPECT_EQ(exit.code, 7);
  EXPECT_EQ(exit.signal, 0);
  EXPECT_FALSE(exit.killed);
  EXPECT_EQ(process.out(), "out\n");
  EXPECT_EQ(process.err(), "err\n");
  EXPECT_FALSE(process.is_open());
  EXPECT_EQ(process.kill().code, 7);
}

TEST_F(ProcessTest, RunningOutOfFilesIsALimitWithAdvice) {
  const NoMoreFiles none;
  const auto process = Process::start({.command = {"/bin/true"}, .environment = {}, .file = {}});
  ASSERT_FALSE(process.has_value());
  EXPECT_EQ(process.error().kind, base::ErrorKind::kLimit);
  EXPECT_NE(process.error().message.find("ulimit -n"), std::string::npos);
}

// Those of one user are counted, so the number is that of somebody who has none.
TEST_F(ProcessTest, RunningOutOfProcessesIsALimitWithAdvice) {
  if (getuid() != 0) GTEST_SKIP() << "only root may become another user";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    if (setresuid(54321, 54321, 54321) != 0) _exit(2);
    const auto process = Process::start({.command = {"/bin/true"}, .environment = {}, .file = {}});
    const bool is_told = !process && process.error().kind == base::ErrorKind::kLimit &&
                         process.error().message.find("ulimit -u") != std::string::npos;
    _exit(is_told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ProcessTest, ChildrenGetTheLimitOnFilesThatWeWereGiven) {
  const pid_t child = fork();  // the limit is raised once in the life of a program
  if (child == 0) {
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 123;
    setrlimit(RLIMIT_NOFILE, &limit);
    raise_limit_on_open_files();
    getrlimit(RLIMIT_NOFILE, &limit);
    Process shell = start_shell("ulimit -S -n");
    shell.wait(in_time(milliseconds(60000)));
    _exit(limit.rlim_cur == limit.rlim_max && shell.out() == "123\n" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ProcessTest, TellsItsOwnSignalFromOthers) {
  Process crashed = start_shell("kill -s SEGV $$");
  EXPECT_EQ(crashed.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(crashed.kill().signal, SIGSEGV);

  Process outside = start_shell("kill -s KILL $$");
  EXPECT_EQ(outside.wait(in_time(milliseconds(60000))), Stop::kEnded);
  const Exit by_other = outside.kill();
  EXPECT_EQ(by_other.signal, SIGKILL);
  EXPECT_FALSE(by_other.killed);

  Process ours = start_shell("sleep 1000");
  EXPECT_EQ(ours.wait(in_time(milliseconds(50))), Stop::kTime);
  const Exit by_us = ours.kill();
  EXPECT_EQ(by_us.signal, 0);
  EXPECT_EQ(by_us.code, -1);
  EXPECT_TRUE(by_us.killed);
}

TEST_F(ProcessTest, FindsLinesWithAndWithoutQuotes) {
  Process process = start_shell("cat");
  process.send("mark-1\n");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "mark-1")), Stop::kFound);
  process.send("mark-22\nsaid \"mark-2\"\n");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "mark-2")), Stop::kFound);
  EXPECT_EQ(process.out(), "mark-1\nmark-22\nsaid \"mark-2\"\n");
  process.send("mark-3");
  EXPECT_EQ(process.wait(in_time(milliseconds(100), "mark-3")), Stop::kTime);
  process.send("\n");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "mark-3")), Stop::kFound);
  process.close_input();
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process.kill().code, 0);
}

TEST_F(ProcessTest, WritesAndReadsAtTheSameTime) {
  // Both directions are far larger than a pipe, and cat writes before it has read everything.
  Process process = start_shell("cat");
  std::string text(8 << 20, 'x');
  process.send(text);
  process.close_input();
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process.out().size(), text.size());
  EXPECT_EQ(process.kill().code, 0);
}

TEST_F(ProcessTest, SurvivesReadersThatGoAway) {
  Process process = start_shell("exec 0<&-; sleep 0.1; echo done");
  process.send(std::string(1 << 20, 'x'));
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process.out(), "done\n");
}

TEST_F(ProcessTest, BoundsOutput) {
  Process process = start_shell("yes");
  Until until = in_time(milliseconds(60000));
  until.output = 1 << 20;
  EXPECT_EQ(process.wait(until), Stop::kOutput);
  EXPECT_EQ(process.out().size(), 1U << 20);
  EXPECT_TRUE(process.kill().killed);
}

TEST_F(ProcessTest, WatchesTheMemoryOfAllThatItStarted) {
  const std::string eater = "sh -c 'x=0123456789abcdef; while :; do x=$x$x; done'";
  // The shell itself stays small. In the second case whoever started the eater has gone, in the
  // third it is in a session of its own.
  for (const std::string& script : {eater + "; sleep 1000", "(" + eater + " &); sleep 1000",
                                    "setsid " + eater + "; sleep 1000"}) {
    Process process = start_shell(script);
    Until until = in_time(milliseconds(60000));
    until.memory = 64 << 20;
    EXPECT_EQ(process.wait(until), Stop::kMemory) << script;
    process.kill();
  }
}

TEST_F(ProcessTest, EndsTheWholeGroup) {
  Process process = start_shell("sleep 1000 & (sleep 1000 & sleep 1000) & echo started; wait");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "started")), Stop::kFound);
  const pid_t group = process.pid();
  EXPECT_GT(group_size(group), 1U);
  process.kill();
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ProcessTest, EndsChildrenThatOutliveTheProcess) {
  Process process = start_shell("sleep 1000 & sleep 1000 & echo gone");
  const pid_t group = process.pid();
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process.kill().code, 0);
  EXPECT_EQ(process.out(), "gone\n");
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ProcessTest, EndsWhatLeftTheSession) {
  Process process = start_shell(
      "(setsid sleep 1000 &); "
      "setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & echo $$; echo started; wait' & wait");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "started")), Stop::kFound);
  const pid_t daemon = std::stoi(process.out());
  EXPECT_EQ(group_size(daemon), 2U);
  process.kill();
  EXPECT_TRUE(group_is_gone(daemon));
}

TEST_F(ProcessTest, DiesWithTheThreadThatStartedIt) {
  pid_t group = -1;
  std::optional<Process> process;
  std::thread starter([&] {
    process = start_shell("echo started; sleep 1000");
    process->wait(in_time(milliseconds(60000), "started"));
    group = process->pid();
  });
  starter.join();
  EXPECT_EQ(process->wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process->kill().signal, SIGKILL);
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ProcessTest, DiesWithAKilledProgram) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const Fd from(ends[0]);
  Fd to(ends[1]);
  const pid_t program = fork();
  if (program == 0) {
    // It hangs with all that it started, and closing its input would not end it.
    Process process = start_shell(
        "(trap '' HUP TERM; sleep 1000) & sleep 1000 & echo started; while :; do sleep 1000; done");
    process.wait(in_time(milliseconds(60000), "started"));
    const pid_t group = process.pid();
    if (write(to.get(), &group, sizeof group) != sizeof group) _exit(1);
    for (;;) pause();
  }
  to.reset();
  pid_t group = -1;
  ASSERT_EQ(read(from.get(), &group, sizeof group), static_cast<ssize_t>(sizeof group));
  EXPECT_GT(group_size(group), 0U);
  ASSERT_EQ(kill(program, SIGKILL), 0);
  ASSERT_EQ(waitpid(program, nullptr, 0), program);
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ProcessTest, NoticesClosedOutput) {
  Process process = start_shell("exec 1>&-; sleep 1000");
  EXPECT_EQ(process.wait(in_time(milliseconds(30000), "never")), Stop::kEnded);
  EXPECT_TRUE(process.kill().killed);
}

TEST_F(ProcessTest, GivesAFileInMemory) {
  auto process =
      Process::start({.command = {"/bin/cat", kInputFile}, .environment = {}, .file = "content\n"});
  ASSERT_TRUE(process.has_value());
  EXPECT_EQ(process->wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process->out(), "content\n");
}

TEST_F(ProcessTest, SetsTheEnvironment) {
  auto process = Process::start({.command = {"/bin/sh", "-c", "echo $ELENCHUS_TEST; echo $PATH"},
                                 .environment = {"ELENCHUS_TEST=yes", "PATH=/nowhere"},
                                 .file = {}});
  ASSERT_TRUE(process.has_value());
  EXPECT_EQ(process->wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_EQ(process->out(), "yes\n/nowhere\n");
}

TEST_F(ProcessTest, InheritsNothingElse) {
  const Fd secret(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Process process = start_shell("ls /proc/self/fd; ulimit -c");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  // 3 is the folder that ls reads.
  EXPECT_EQ(process.out(), fmt::format("0\n1\n{}\n2\n3\n0\n", kLifeline));
}

TEST_F(ProcessTest, ReportsWhatCannotBeRun) {
  const auto process =
      Process::start({.command = {"/nowhere/solver"}, .environment = {}, .file = {}});
  ASSERT_FALSE(process.has_value());
  EXPECT_EQ(process.error().message, "cannot run /nowhere/solver: No such file or directory");
}

TEST_F(ProcessTest, MeasuresTime) {
  Process process = start_shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo x; cat");
  EXPECT_EQ(process.wait(in_time(milliseconds(60000), "x")), Stop::kFound);
  const double so_far = process.cpu_seconds();
  EXPECT_GT(so_far, 0);
  process.close_input();
  EXPECT_EQ(process.wait(in_time(milliseconds(60000))), Stop::kEnded);
  EXPECT_GE(process.kill().cpu_seconds, so_far * 0.5);
}

TEST_F(ProcessTest, CanBeMoved) {
  Process first = start_shell("cat");
  first.send("one\n");
  Process second = std::move(first);
  EXPECT_EQ(second.wait(in_time(milliseconds(60000), "one")), Stop::kFound);
  second = start_shell("echo two");
  EXPECT_EQ(second.wait(in_time(milliseconds(60000), "two")), Stop::kFound);
}

TEST(FindProgram, LooksOnPathAndAtPaths) {
  EXPECT_TRUE(find_program("sh").ends_with("/sh"));
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
  EXPECT_EQ(find_program("/etc/passwd"), "");
  EXPECT_EQ(find_program(""), "");
}

TEST(Capture, StopsInTime) {
  const auto run = capture(
      {.command = {"/bin/sh", "-c", "echo a; sleep 1000"}, .environment = {}, .file = {}}, 3);
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(run->out, "a\n");
}

}  // namespace
}  // namespace elenchus::proc
