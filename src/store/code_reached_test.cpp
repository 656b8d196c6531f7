#include "store/code_reached.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace elenchus::store {
namespace {

class CodeReachedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "elenchus-code-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::filesystem::path root_;
};

TEST_F(CodeReachedFile, IsReadAsWritten) {
  const CampaignFolder folder(root_);
  const auto none = read_code_reached(folder);
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->empty());

  const CodeCounts file{"a\nb\xff.c", {1, 2}, {3, 4}, {5, 6}};
  const CodeCounts total{"z3 x=\"1\"", {10, 20}, {30, 40}, {50, 60}};
  ASSERT_TRUE(write_code_reached(folder, {{total, {file}}}).has_value());
  const auto read = read_code_reached(folder);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(read->front().total.name, total.name);
  EXPECT_EQ(read->front().total.branches.all, 60U);
  ASSERT_EQ(read->front().files.size(), 1U);
  EXPECT_EQ(read->front().files[0].lines.reached, 1U);
}

TEST_F(CodeReachedFile, DamageIsAnError) {
  const CampaignFolder folder(root_);
  for (const char* text : {"", "{", "[]", "{\"solvers\": 3}", "{\"solvers\": [{\"name\": 1}]}",
                           "{\"solvers\": [{\"name\": \"z3\", \"lines\": {\"reached\": -1}}]}"}) {
    std::ofstream(folder.coverage()) << text;
    const auto read = read_code_reached(folder);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_THAT(read.error().message, testing::HasSubstr("coverage.json' is damaged"));
  }
}

}  // namespace
}  // namespace elenchus::store
