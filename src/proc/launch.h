#pragma once

#include <string>
#include <vector>

namespace elenchus::proc {

// What to start.
struct Launch {
  std::vector<std::string> command;      // the program's absolute path, then its arguments
  std::vector<std::string> environment;  // NAME=VALUE, added to ours or in place of ours
  std::string file;                      // what it can read as kInputFile; none when empty
  // The program is built with afl-clang-fast or the like, so that a fork server may start it.
  bool is_instrumented = false;
};

// The path under which a process finds Launch::file.
inline constexpr const char* kInputFile = "/proc/self/fd/3";

}  // namespace elenchus::proc
