#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "store/campaign_store.h"

namespace elenchus::store {

// A folder of its own for each test, removed at its end. In memory where that is possible: flushing
// to a disk takes most of a test's time.
class TestFolder {
 public:
  enum class Where : unsigned char { kMemory, kDisk };

  explicit TestFolder(Where where = Where::kMemory) {
    std::filesystem::path home = std::filesystem::temp_directory_path();
    if (where == Where::kMemory && access("/dev/shm", W_OK) == 0) home = "/dev/shm";
    std::string name = (home / "store_test.XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Finding test_finding(const std::string& signature, const std::string& kind = "crash",
                            const std::string& solver = "z3") {
  Finding finding;
  Manifest& manifest = finding.manifest;
  manifest.kind = kind;
  manifest.solver = solver;
  manifest.signature = signature;
  manifest.version = "4.8.12";
  manifest.command = solver + " -in";
  manifest.engine = "typefuzz";
  manifest.seeds = {"seeds/a.smt2"};
  manifest.expectation = "unknown";
  manifest.evidence = "signal 11";
  manifest.title = "segmentation fault in " + signature;
  manifest.size_original = 500;
  manifest.size_reduced = 40;
  finding.files = {{"original.smt2", "(check-sat)\n; " + signature + "\n"},
                   {"repro.sh", "#!/bin/sh\nz3 reduced.smt2\n", true},
                   {"outputs/z3.txt", "sat\n"}};
  finding.example = "(check-sat) ; example\n";
  return finding;
}

}  // namespace elenchus::store

// Stops the test where a Result is an error, and says which.
#define ASSERT_OK(expression)                                                           \
  do {                                                                                  \
    const auto& checked = (expression);                                                 \
    ASSERT_TRUE(checked.has_value()) << #expression << ": " << checked.error().message; \
  } while (false)

#define EXPECT_OK(expression)                                                           \
  do {                                                                                  \
    const auto& checked = (expression);                                                 \
    EXPECT_TRUE(checked.has_value()) << #expression << ": " << checked.error().message; \
  } while (false)
