#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace elenchus::coverage {

// How many there are of something, and how many of them were reached.
struct Reached {
  uint64_t reached = 0;
  uint64_t all = 0;
  friend bool operator==(const Reached&, const Reached&) = default;
};

struct GcovFile {
  std::string path;  // as the compiler was told
  Reached lines;
  Reached functions;
  Reached branches;
};

// What the runs of a program reached of its source. Headers of the system are left out.
struct GcovReport {
  Reached lines;
  Reached functions;
  Reached branches;
  std::vector<GcovFile> files;        // by path
  std::vector<std::string> problems;  // objects that could not be read
};

// Whether the program was built with --coverage: it then leaves counts when it ends by itself (one
// that is killed leaves none), and adds to those that are there.
bool has_gcov(const std::filesystem::path& program);

// What a program must be started with, so that its counts go below the folder instead of into the
// folder where it was built.
std::vector<std::string> gcov_environment(const std::filesystem::path& folder);

// Reads the counts below such a folder. The folder where the program was built must still be there,
// and a `gcov` of the same compiler. `watch` is told how many objects of how many are read; when it
// says false, the result is an error.
base::Result<GcovReport> read_gcov(const std::filesystem::path& folder,
                                   const std::function<bool(size_t done, size_t all)>& watch = {});

}  // namespace elenchus::coverage
