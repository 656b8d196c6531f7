#include "coverage/gcov.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "proc/process.h"

namespace elenchus::coverage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kProgram = R"(#include "shared.h"
static int unused(int x) {
  return x + 1;
}
int main(int count, char** words) {
  (void)words;
  int (*volatile keep)(int) = unused;
  (void)keep;
  if (count > 1) {
    return twice(count) > 100;
  }
  return 0;
}
)";
constexpr const char* kHeader = R"(static inline int twice(int x) {
  return 2 * x;
}
)";

class Gcov : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "elenchus-gcov-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Builds the program with or without --coverage; an empty path where there is no compiler.
  fs::path build(bool counts) {
    const std::string compiler = proc::find_program("gcc");
    if (compiler.empty() || proc::find_program("gcov").empty()) return {};
    fs::create_directories(folder_ / "build");
    std::ofstream(folder_ / "build" / "main.c") << kProgram;
    std::ofstream(folder_ / "build" / "shared.h") << kHeader;
    fs::path program = folder_ / "build" / (counts ? "counts" : "plain");
    std::vector<std::string> command = {compiler, "-O0", "-o", program.string(),
                                        (folder_ / "build" / "main.c").string()};
    if (counts) command.emplace_back("--coverage");
    const auto built = proc::capture({.command = command, .environment = {}, .file = {}}, 60);
    EXPECT_TRUE(built && built->exit.code == 0) << (built ? built->err : built.error().message);
    return program;
  }

  void run(const fs::path& program, const std::vector<std::string>& words) {
    std::vector<std::string> command = {program.string()};
    command.insert(command.end(), words.begin(), words.end());
    const auto ran = proc::capture(
        {.command = command, .environment = gcov_environment(folder_ / "counts"), .file = {}}, 60);
    ASSERT_TRUE(ran && ran->exit.code == 0);
  }

  fs::path folder_;
};

TEST_F(Gcov, KnowsWhatIsInstrumented) {
  const fs::path counts = build(true);
  if (counts.empty()) GTEST_SKIP() << "no gcc or gcov here";
  EXPECT_TRUE(has_gcov(counts));
  EXPECT_FALSE(has_gcov(build(false)));
  EXPECT_FALSE(has_gcov(folder_ / "nothing"));
  std::ofstream(folder_ / "text") << "a script that mentions x.gcda" << '\0';
  EXPECT_FALSE(has_gcov(folder_ / "text"));
}

TEST_F(Gcov, AddsUpRuns) {
  const fs::path program = build(true);
  if (program.empty()) GTEST_SKIP() << "no gcc or gcov here";
  run(program, {});
  const auto one = read_gcov(folder_ / "counts");
  ASSERT_TRUE(one.has_value()) << one.error().message;
  EXPECT_EQ(one->functions, (Reached{1, 3}));
  EXPECT_EQ(one->branches, (Reached{1, 2}));
  // Heads and statements: six of main, two each of `unused` and `twice`. Reached are those of main
  // but the one behind the `if`.
  EXPECT_EQ(one->lines, (Reached{5, 10}));

  run(program, {"word"});
  const auto both = read_gcov(folder_ / "counts");
  ASSERT_TRUE(both.has_value()) << both.error().message;
  EXPECT_EQ(both->functions, (Reached{2, 3}));
  EXPECT_EQ(both->branches, (Reached{2, 2}));
  // All but `unused`: counts of both runs are added up.
  EXPECT_EQ(both->lines, (Reached{8, 10}));
  EXPECT_TRUE(both->problems.empty());
  ASSERT_EQ(both->files.size(), 2U);
  EXPECT_THAT(both->files[0].path, HasSubstr("main.c"));
  EXPECT_THAT(both->files[1].path, HasSubstr("shared.h"));
  EXPECT_EQ(both->files[1].functions, (Reached{1, 1}));
  // Nothing was left where it was built.
  for (const auto& entry : fs::directory_iterator(folder_ / "build")) {
    EXPECT_NE(entry.path().extension(), ".gcda") << entry.path();
  }
}

TEST_F(Gcov, SaysWhatIsMissing) {
  const fs::path program = build(true);
  if (program.empty()) GTEST_SKIP() << "no gcc or gcov here";
  const auto none = read_gcov(folder_ / "counts");
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error().message, HasSubstr("counts"));

  run(program, {});
  EXPECT_FALSE(read_gcov(folder_ / "counts", [](size_t, size_t) { return false; }).has_value());
  fs::remove_all(folder_ / "build");
  const auto gone = read_gcov(folder_ / "counts");
  ASSERT_FALSE(gone.has_value());
  EXPECT_THAT(gone.error().message, HasSubstr("was the solver's build removed?"));
}

TEST_F(Gcov, PassesOverWhatIsNoCount) {
  const fs::path program = build(true);
  if (program.empty()) GTEST_SKIP() << "no gcc or gcov here";
  run(program, {});
  const fs::path whole = *std::find_if(
      begin(fs::recursive_directory_iterator(folder_ / "counts")),
      end(fs::recursive_directory_iterator()),
      [](const fs::directory_entry& entry) { return entry.path().extension() == ".gcda"; });
  std::ofstream(whole.parent_path() / "broken.gcda") << "no counts";
  const auto report = read_gcov(folder_ / "counts");
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->problems.size(), 1U);
  EXPECT_EQ(report->functions, (Reached{1, 3}));
}

}  // namespace
}  // namespace elenchus::coverage
