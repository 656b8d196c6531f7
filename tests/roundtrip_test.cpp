// Parse, print, parse: the same script, and the same text when it is printed again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "same_script.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

namespace fs = std::filesystem;

// Two stores, one for each side, that are rolled back after each script.
class RoundTrip {
 public:
  // Empty when all is well, else what went wrong.
  std::string check(std::string_view text, const smtlib::PrintOptions& options = {}) {
    const auto start = first.mark();
    std::string problem;
    const auto script = smtlib::parse_script(first, text);
    if (script) problem = check(*script, options);
    accepted_ = script.has_value();
    first.rollback(start);
    return problem;
  }

  // The same for a script of the first store.
  std::string check(const ir::Script& script, const smtlib::PrintOptions& options) {
    const auto printed = smtlib::print_script(first, script, options);
    if (!printed) return printed.error().message;
    const auto start = second.mark();
    std::string problem = check_printed(script, *printed, options);
    second.rollback(start);
    return problem;
  }

  // Whether the last text was a script.
  bool accepted() const { return accepted_; }

  ir::TermStore first;
  ir::TermStore second;

 private:
  std::string check_printed(const ir::Script& script, const std::string& printed,
                            const smtlib::PrintOptions& options) {
    const auto again = smtlib::parse_script(second, printed);
    if (!again) return describe(again.error(), "printed") + "\n" + printed;
    const std::string difference = SameScript(first, script, second, *again).difference();
    if (!difference.empty()) return difference + "\n" + printed;
    const auto twice = smtlib::print_script(second, *again, options);
    if (!twice) return twice.error().message;
    if (*twice != printed) return "printed otherwise:\n" + printed + "---\n" + *twice;
    return {};
  }

  bool accepted_ = false;
};

std::vector<fs::path> scripts_under(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Counts {
  size_t files = 0;
  size_t accepted = 0;
};

Counts check_all(const fs::path& folder) {
  Counts counts;
  RoundTrip trip;
  for (const fs::path& file : scripts_under(folder)) {
    const std::string problem = trip.check(contents(file));
    EXPECT_EQ(problem, "") << file;
    ++counts.files;
    counts.accepted += trip.accepted() ? 1 : 0;
  }
  return counts;
}

TEST(RoundTripTest, OfTheSeedsWeShip) {
  const Counts counts = check_all(fs::path(ELENCHUS_SOURCE_DIR) / "data/seeds");
  EXPECT_GT(counts.files, 0U);
  EXPECT_EQ(counts.accepted, counts.files);
}

TEST(RoundTripTest, OfTheRegressionScripts) {
  const Counts counts = check_all(fs::path(ELENCHUS_SOURCE_DIR) / "tests/regress");
  EXPECT_GT(counts.accepted, 0U);
}

// A large collection of scripts may lie beside the project.
TEST(RoundTripTest, OfTheCorpus) {
  const fs::path corpus = fs::path(ELENCHUS_SOURCE_DIR) / "../shared/corpus";
  if (!fs::exists(corpus)) GTEST_SKIP() << "no corpus beside the project";
  const Counts seeds = check_all(corpus / "seeds");
  EXPECT_EQ(seeds.accepted, seeds.files);
  const Counts history = check_all(corpus / "history");
  EXPECT_GE(history.accepted * 100, history.files * 97);
}

}  // namespace
}  // namespace elenchus
