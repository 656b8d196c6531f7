#include "proc/open_files.h"

namespace elenchus::proc {
namespace {

// The limit belongs to the whole program, and so does the memory of what it was.
std::optional<rlimit>& given() {
  static std::optional<rlimit> limit;
  return limit;
}

}  // namespace

void raise_limit_on_open_files() {
  rlimit limit{};
  if (given() || getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlimit before = limit;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0) given() = before;
}

std::optional<rlimit> given_limit_on_open_files() { return given(); }

}  // namespace elenchus::proc
