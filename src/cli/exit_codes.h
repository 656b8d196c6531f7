#pragma once

namespace elenchus::cli {

// What the process says to its caller.
enum ExitCode : int {
  kNothingWrong = 0,
  kBugFound = 1,
  kBadInput = 2,
  kInternalError = 3,
  kUndecided = 4,
};

}  // namespace elenchus::cli
