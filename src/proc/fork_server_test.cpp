// Fork servers in both forms of the protocol, and what children do to each other.
#include "proc/fork_server.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "proc/fork_servers.h"
#include "proc/group.h"
#include "proc/left_behind.h"

namespace elenchus::proc {
namespace {

using std::chrono::milliseconds;

const std::string kProgram = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fork_server.py";

Launch launch_of(const std::string& handshake, const std::string& file = {}) {
  return {
      .command = {kProgram, handshake}, .environment = {}, .file = file, .is_instrumented = true};
}

ForkServer server_of(const std::string& handshake, const std::string& file = {}) {
  auto server = ForkServer::start(launch_of(handshake, file), std::chrono::seconds(60));
  EXPECT_TRUE(server.has_value()) << server.error().message;
  return std::move(*server);
}

Process child_of(ForkServer& server, std::string_view input, std::string_view file = {}) {
  auto child = server.start_child(file);
  EXPECT_TRUE(child.has_value()) << child.error().message;
  child->send(input);
  return std::move(*child);
}

Until in_time(milliseconds time, std::string_view line = {}) {
  return {.line = line, .deadline = Clock::now() + time};
}
const milliseconds kLong{60000};

// What a child that must end by itself says.
std::string run(ForkServer& server, std::string_view input) {
  Process child = child_of(server, input);
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 0);
  return child.out();
}

std::string refusal_of(const std::string& handshake) {
  const auto server = ForkServer::start(launch_of(handshake), std::chrono::seconds(60));
  return server ? "" : server.error().message;
}

// Every test leaves nothing behind.
class ForkServerTest : public testing::Test {
 protected:
  void SetUp() override { files_ = open_files(); }
  void TearDown() override {
    EXPECT_EQ(open_files(), files_);
    EXPECT_FALSE(has_zombies());
  }

 private:
  size_t files_ = 0;
};

TEST_F(ForkServerTest, ShakesHandsInBothForms) {
  struct {
    const char* handshake;
    uint32_t version;
    uint32_t map_size;
  } const kinds[] = {
      {"old", 0, 0}, {"old-flags", 0, 70000}, {"new", 1, 70000}, {"new-words", 1, 70000}};
  for (const auto& kind : kinds) {
    ForkServer server = server_of(kind.handshake);
    EXPECT_EQ(server.greeting().version, kind.version) << kind.handshake;
    EXPECT_EQ(server.greeting().map_size, kind.map_size) << kind.handshake;
    EXPECT_EQ(run(server, "(children)\n(exit)\n"), "0\n") << kind.handshake;
    EXPECT_EQ(run(server, "(children)\n(exit)\n"), "1\n") << kind.handshake;
    EXPECT_EQ(server.children(), 2U);
  }
}

TEST_F(ForkServerTest, SaysWhyThereIsNone) {
  EXPECT_EQ(refusal_of("old-error"), "no fork server: the program reports error 4");
  EXPECT_EQ(refusal_of("new-error"), "no fork server: the program reports error 4");
  EXPECT_EQ(refusal_of("late-error"), "no fork server: the program reports error 4");
  EXPECT_EQ(refusal_of("half"), "no fork server: the handshake breaks off");
}

TEST_F(ForkServerTest, IsNotMadeOfOtherPrograms) {
  // One that ends when it has nothing to read costs no time.
  const auto start = Clock::now();
  EXPECT_EQ(refusal_of("none"), "no fork server: the program does not mention one");
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(50));
  EXPECT_FALSE(ForkServer::start(launch_of("silent"), milliseconds(100)).has_value());
  const auto missing = ForkServer::start({.command = {"/nowhere"}, .environment = {}, .file = {}});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, "cannot run /nowhere: No such file or directory");
}

TEST_F(ForkServerTest, ChildrenConverse) {
  ForkServer server = server_of("old");
  Process child = child_of(server, "(check-sat)\n(echo \"mark-1\")\n");
  EXPECT_EQ(child.wait(in_time(kLong, "mark-1")), Stop::kFound);
  EXPECT_EQ(child.out(), "sat\nmark-1\n");
  child.clear_output();
  child.send("(complain oh)\n(echo \"mark-2\")\n");
  EXPECT_EQ(child.wait(in_time(kLong, "mark-2")), Stop::kFound);
  EXPECT_EQ(child.out(), "mark-2\n");
  EXPECT_EQ(child.err(), "oh\n");
  EXPECT_TRUE(child.is_open());
  EXPECT_GE(child.memory(), resident_bytes(child.pid()) / 2);
  EXPECT_LT(child.memory(), resident_bytes(child.pid()) + resident_bytes(server.pid()));
  child.send("(quit 7)\n");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 7);
  EXPECT_EQ(child.kill().code, 7);
}

TEST_F(ForkServerTest, ChildrenSeeTheEndOfTheirInput) {
  ForkServer server = server_of("new");
  for (int i = 0; i < 3; ++i) {
    Process child = child_of(server, "(check-sat)\n");
    EXPECT_EQ(child.wait(in_time(kLong, "sat")), Stop::kFound);
    EXPECT_EQ(child.wait(in_time(milliseconds(20))), Stop::kTime);
    child.close_input();
    EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
    EXPECT_EQ(child.kill().code, 0);
  }
  EXPECT_EQ(server.children(), 3U);
}

TEST_F(ForkServerTest, UnreadInputIsNotForTheNext) {
  ForkServer server = server_of("old");
  // More than the pipe takes.
  Process child = child_of(server, "(quit 3)\n" + std::string(200000, 'x') + "\n(echo \"old\")\n");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 3);
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
  // And half a line.
  child = child_of(server, "(quit 3)\n(ech");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 3);
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
}

TEST_F(ForkServerTest, UnreadOutputIsNotForTheNext) {
  ForkServer server = server_of("old");
  {
    Process child = child_of(server, "(echo \"mark\")\n(print half)\n(complain oh)\n(hang)\n");
    EXPECT_EQ(child.wait(in_time(kLong, "mark")), Stop::kFound);
    std::this_thread::sleep_for(milliseconds(50));
  }
  Process child = child_of(server, "(print whole)\n(exit)\n");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 0);
  EXPECT_EQ(child.out(), "whole");
  EXPECT_EQ(child.err(), "");
}

TEST_F(ForkServerTest, GivesWhatWasWrittenLast) {
  ForkServer server = server_of("old");
  Process child = child_of(server, "(print half)\n(complain last words)\n(crash)\n");
  EXPECT_EQ(child.wait(in_time(kLong, "never")), Stop::kEnded);
  const Exit exit = child.kill();
  EXPECT_EQ(exit.signal, SIGABRT);
  EXPECT_EQ(exit.code, -1);
  EXPECT_FALSE(exit.killed);
  EXPECT_EQ(child.out(), "half");
  EXPECT_EQ(child.err(), "last words\n");
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
}

TEST_F(ForkServerTest, KillsWhatHangs) {
  ForkServer server = server_of("old");
  const pid_t group = server.pid();
  for (int i = 0; i < 2; ++i) {
    Process child = child_of(server, "(hang)\n");
    EXPECT_EQ(child.wait(in_time(milliseconds(50))), Stop::kTime);
    const Exit exit = child.kill();
    EXPECT_TRUE(exit.killed);
    EXPECT_EQ(exit.signal, 0);
    EXPECT_EQ(exit.code, -1);
    EXPECT_EQ(group_size(group), 1U);
  }
  EXPECT_EQ(run(server, "(children)\n(exit)\n"), "2\n");
}

TEST_F(ForkServerTest, EndsWhatAChildLeaves) {
  ForkServer server = server_of("old");
  const pid_t group = server.pid();
  Process child = child_of(server, "(litter)\n(exit)\n");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_EQ(child.kill().code, 0);
  EXPECT_TRUE(group_is_gone(group));
  EXPECT_FALSE(server.is_alive());
  EXPECT_FALSE(server.start_child({}).has_value());
}

TEST_F(ForkServerTest, HasOneChildAtATime) {
  ForkServer server = server_of("old");
  Process child = child_of(server, "");
  EXPECT_FALSE(server.start_child({}).has_value());
  EXPECT_TRUE(server.is_alive());
  child.kill();
  EXPECT_TRUE(server.start_child({}).has_value());
}

TEST_F(ForkServerTest, WatchesMemoryAndOutput) {
  ForkServer server = server_of("old");
  Process eater = child_of(server, "(eat)\n");
  Until until = in_time(kLong);
  until.memory = 256 << 20;
  EXPECT_EQ(eater.wait(until), Stop::kMemory);
  EXPECT_TRUE(eater.kill().killed);
  Process talker = child_of(server, "(print " + std::string(50000, 'x') + ")\n(exit)\n");
  until = in_time(kLong);
  until.output = 1000;
  EXPECT_EQ(talker.wait(until), Stop::kOutput);
  EXPECT_EQ(talker.out().size(), 1000U);
  talker.kill();
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
}

TEST_F(ForkServerTest, MeasuresTime) {
  ForkServer server = server_of("old");
  Process worker = child_of(server, "(work)\n(echo \"done\")\n");
  EXPECT_EQ(worker.wait(in_time(kLong, "done")), Stop::kFound);
  EXPECT_GT(worker.cpu_seconds(), 0.25);
  worker.close_input();
  EXPECT_EQ(worker.wait(in_time(kLong)), Stop::kEnded);
  const double used = worker.kill().cpu_seconds;
  EXPECT_GT(used, 0.25);
  EXPECT_LT(used, 10);
  // What one has used is not counted for the next.
  Process idler = child_of(server, "(exit)\n");
  EXPECT_EQ(idler.wait(in_time(kLong)), Stop::kEnded);
  EXPECT_LT(idler.kill().cpu_seconds, 0.2);
}

TEST_F(ForkServerTest, GivesEachChildItsFile) {
  ForkServer server = server_of("old", "any");
  for (const std::string content : {"a long content\n", "short\n"}) {
    Process child = child_of(server, "(file)\n(exit)\n", content);
    EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
    EXPECT_EQ(child.out(), content);
  }
}

TEST_F(ForkServerTest, NoticesTheEndOfTheServer) {
  ForkServer server = server_of("old");
  const pid_t group = server.pid();
  Process child = child_of(server, "(orphan)\n");
  EXPECT_EQ(child.wait(in_time(kLong)), Stop::kEnded);
  const Exit exit = child.kill();
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_FALSE(exit.killed);
  EXPECT_FALSE(server.is_alive());
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ForkServerTest, ChildrenMayOutliveTheirOwner) {
  std::optional<ForkServer> server = server_of("old");
  const pid_t group = server->pid();
  Process child = child_of(*server, "(check-sat)\n");
  server.reset();
  EXPECT_EQ(child.wait(in_time(kLong, "sat")), Stop::kFound);
  EXPECT_TRUE(child.kill().killed);
  EXPECT_TRUE(group_is_gone(group));
}

TEST_F(ForkServerTest, DiesWithAKilledProgram) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const Fd from(ends[0]);
  Fd to(ends[1]);
  const pid_t program = fork();
  if (program == 0) {
    ForkServer server = server_of("old");
    Process child = child_of(server, "(litter)\n(echo \"started\")\n(hang)\n");
    child.wait(in_time(kLong, "started"));
    const pid_t group = server.pid();
    if (write(to.get(), &group, sizeof group) != sizeof group) _exit(1);
    for (;;) pause();
  }
  to.reset();
  pid_t group = -1;
  ASSERT_EQ(read(from.get(), &group, sizeof group), static_cast<ssize_t>(sizeof group));
  EXPECT_EQ(group_size(group), 3U);
  ASSERT_EQ(kill(program, SIGKILL), 0);
  ASSERT_EQ(waitpid(program, nullptr, 0), program);
  // Also the child, whose parent is not the program that died.
  EXPECT_TRUE(group_is_gone(group));
  kill(-group, SIGKILL);
}

TEST_F(ForkServerTest, NeedsNoHighLimitOnOpenFiles) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low = {100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  ForkServer server = server_of("old");
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST_F(ForkServerTest, WorksWhereItsNumbersAreTaken) {
  // Our own descriptors reach beyond those of the protocol.
  std::vector<Fd> taken;
  while (taken.empty() || taken.back().get() < 194) taken.emplace_back(open("/dev/null", O_RDONLY));
  ForkServer server = server_of("new");
  EXPECT_EQ(run(server, "(check-sat)\n(exit)\n"), "sat\n");
}

using ForkServersTest = ForkServerTest;

TEST_F(ForkServersTest, StartsServersAgain) {
  ForkServers servers;
  const Launch launch = launch_of("old");
  std::string counts;
  for (int i = 0; i < 4; ++i) {
    auto child = servers.start(launch);
    ASSERT_TRUE(child.has_value());
    child->send(i == 1 ? "(children)\n(litter)\n(exit)\n" : "(children)\n(exit)\n");
    EXPECT_EQ(child->wait(in_time(kLong)), Stop::kEnded);
    counts += child->out().substr(0, 2);
  }
  EXPECT_EQ(counts, "0\n1\n0\n1\n");
}

TEST_F(ForkServersTest, ReplaceServersNowAndThen) {
  ForkServers servers;
  bool is_new = false;
  for (int i = 0; i < 300; ++i) {
    auto child = servers.start(launch_of("old"));
    ASSERT_TRUE(child.has_value());
    child->send("(children)\n(exit)\n");
    EXPECT_EQ(child->wait(in_time(kLong)), Stop::kEnded);
    is_new |= i > 0 && child->out() == "0\n";
  }
  EXPECT_TRUE(is_new);
}

TEST_F(ForkServersTest, KeepCommandLinesApart) {
  ForkServers servers;
  for (const char* handshake : {"old", "new"}) {
    auto child = servers.start(launch_of(handshake));
    ASSERT_TRUE(child.has_value());
    child->send("(children)\n(exit)\n");
    EXPECT_EQ(child->wait(in_time(kLong)), Stop::kEnded);
    EXPECT_EQ(child->out(), "0\n");
  }
}

TEST_F(ForkServersTest, ForgetWhatWasForWantOfFiles) {
  ForkServers servers;
  const Launch launch = launch_of("old");
  const auto say_sat = [&] {
    auto child = servers.start(launch);
    if (!child) return std::string("no child");
    child->send("(check-sat)\n(exit)\n");
    child->wait(in_time(kLong));
    return child->out();
  };
  for (int i = 0; i < 5; ++i) {
    const NoMoreFiles none;
    EXPECT_FALSE(servers.start(launch).has_value());
  }
  EXPECT_EQ(say_sat(), "sat\n");
  for (int i = 0; i < 5; ++i) {
    const NoMoreFiles none;
    EXPECT_FALSE(servers.start(launch).has_value());
  }
  EXPECT_EQ(say_sat(), "sat\n");
}

TEST_F(ForkServersTest, GiveNothingWhereThereIsNoServer) {
  ForkServers servers;
  for (const char* handshake : {"none", "half", "new-error", "barren"}) {
    EXPECT_FALSE(servers.start(launch_of(handshake)).has_value()) << handshake;
    EXPECT_FALSE(servers.start(launch_of(handshake)).has_value()) << handshake;
  }
  Launch plain = launch_of("old");
  plain.is_instrumented = false;
  EXPECT_FALSE(servers.start(plain).has_value());
}

}  // namespace
}  // namespace elenchus::proc
