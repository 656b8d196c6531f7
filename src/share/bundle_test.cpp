#include "share/bundle.h"

#include <gtest/gtest.h>

namespace elenchus::share {
namespace {

TEST(Bundle, GivesBackWhatWasPutIn) {
  const std::vector<store::RecordFile> files = {
      {"report.md", "text\n\nmore", false},
      {"repro.sh", "", true},
      {"outputs/z3.txt", std::string("a\0b\n", 4), false}};
  const auto back = unbundle(bundle(files));
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ((*back)[i].name, files[i].name);
    EXPECT_EQ((*back)[i].content, files[i].content);
    EXPECT_EQ((*back)[i].executable, files[i].executable);
  }
}

TEST(Bundle, RefusesWhatLeadsOutOfTheFolderOrEndsEarly) {
  const std::string good = bundle({{"a", "text", false}});
  for (size_t i = 1; i < good.size(); ++i) EXPECT_FALSE(unbundle(good.substr(0, i)).has_value());
  for (const char* name : {"../a", "/etc/passwd", ".hidden", "a/b/c", ""}) {
    EXPECT_FALSE(unbundle(bundle({{name, "x", false}})).has_value()) << name;
  }
  EXPECT_FALSE(unbundle("99999999999999999999 - a\nx\n").has_value());
}

}  // namespace
}  // namespace elenchus::share
