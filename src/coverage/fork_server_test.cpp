// The real thing: a program built with afl-clang-fast, its map and its fork server.
#include "proc/fork_server.h"

#include <stdlib.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coverage/afl_map.h"

namespace elenchus::coverage {
namespace {

using testing::IsEmpty;
using testing::Not;

const std::string kSource = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/toy.c";
constexpr std::string_view kSmall = "(assert true)\n(check-sat)\n(exit)\n";
constexpr std::string_view kLarge =
    "(assert (and true true true true))\n(check-sat)\n(check-sat)\n(exit)\n";

// A folder that goes with the test.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "elenchus-afl-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class RealForkServer : public testing::Test {
 protected:
  void SetUp() override {
    const std::string compiler = proc::find_program("afl-clang-fast");
    if (compiler.empty()) GTEST_SKIP() << "afl-clang-fast is not installed";
    program_ = folder_.path() + "/toy";
    const auto run = proc::capture({.command = {compiler, "-O1", "-o", program_, kSource},
                                    .environment = {"AFL_QUIET=1"},
                                    .file = {}},
                                   200);
    ASSERT_TRUE(run.has_value());
    ASSERT_EQ(run->exit.code, 0) << run->err;
    const auto size = afl_map_size(program_);
    ASSERT_TRUE(size.has_value());
    auto map = AflMap::make(*size);
    ASSERT_TRUE(map.has_value()) << map.error().message;
    map_.emplace(std::move(*map));
  }

  proc::Launch launch() const {
    return {.command = {program_}, .environment = map_->environment(), .file = {}};
  }

  // A process to its end; what it touched that nothing did before.
  std::vector<uint64_t> keys_of(proc::Process process, std::string_view input) {
    process.send(input);
    process.close_input();
    const auto deadline = proc::Clock::now() + std::chrono::seconds(60);
    EXPECT_EQ(process.wait({.line = {}, .deadline = deadline}), proc::Stop::kEnded);
    exit_ = process.kill();
    out_ = process.out();
    return map_->new_keys();
  }
  std::vector<uint64_t> keys_of_child(proc::ForkServer& server, std::string_view input) {
    map_->clear();
    auto child = server.start_child({});
    EXPECT_TRUE(child.has_value());
    return keys_of(std::move(*child), input);
  }
  std::vector<uint64_t> keys_of_process(std::string_view input) {
    map_->clear();
    auto process = proc::Process::start(launch());
    EXPECT_TRUE(process.has_value());
    return keys_of(std::move(*process), input);
  }

  Folder folder_;
  std::string program_;
  std::optional<AflMap> map_;
  proc::Exit exit_;
  std::string out_;
};

TEST_F(RealForkServer, CountsEdgesOfEachChild) {
  auto server = proc::ForkServer::start(launch());
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_LE(server->greeting().map_size, map_->size());

  EXPECT_THAT(keys_of_child(*server, kSmall), Not(IsEmpty()));
  EXPECT_EQ(out_, "sat\n");
  EXPECT_EQ(exit_.code, 0);
  EXPECT_THAT(keys_of_child(*server, kSmall), IsEmpty());
  EXPECT_THAT(keys_of_child(*server, kLarge), Not(IsEmpty()));
  EXPECT_EQ(out_, "unknown\nunknown\n");
  EXPECT_THAT(keys_of_child(*server, kSmall), IsEmpty());
  EXPECT_EQ(out_, "sat\n");
  EXPECT_TRUE(server->is_alive());
}

TEST_F(RealForkServer, CountsAsAProcessDoes) {
  EXPECT_THAT(keys_of_process(kSmall), Not(IsEmpty()));
  auto server = proc::ForkServer::start(launch());
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_THAT(keys_of_child(*server, kSmall), IsEmpty());
  EXPECT_THAT(keys_of_child(*server, kLarge), Not(IsEmpty()));
  EXPECT_THAT(keys_of_process(kLarge), IsEmpty());
}

TEST_F(RealForkServer, TellsHowChildrenEnd) {
  auto server = proc::ForkServer::start(launch());
  ASSERT_TRUE(server.has_value()) << server.error().message;
  keys_of_child(*server, "(check-sat)\n(crash)\n(check-sat)\n");
  EXPECT_EQ(exit_.signal, SIGABRT);
  EXPECT_EQ(out_, "sat\n");
  keys_of_child(*server, "(quit)\n(check-sat)\n");
  EXPECT_EQ(exit_.code, 7);
  EXPECT_EQ(out_, "");

  auto child = server->start_child({});
  ASSERT_TRUE(child.has_value());
  child->send("(hang)\n");
  const auto soon = proc::Clock::now() + std::chrono::milliseconds(100);
  EXPECT_EQ(child->wait({.line = {}, .deadline = soon}), proc::Stop::kTime);
  EXPECT_TRUE(child->kill().killed);
  keys_of_child(*server, "(check-sat)\n");
  EXPECT_EQ(exit_.code, 0);
  EXPECT_EQ(out_, "sat\n");
}

}  // namespace
}  // namespace elenchus::coverage
