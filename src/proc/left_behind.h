#pragma once

// For tests: what processes may leave behind, and what they may find wanting.

#include <dirent.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstddef>
#include <thread>

#include "proc/group.h"

namespace elenchus::proc {

inline size_t open_files() {
  size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

// While it lives, no file can be opened; what is open stays so.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none = {0, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
};

inline bool has_zombies() {
  siginfo_t info = {};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

// Killed processes of a group are gone at once, or a moment later when init waits for them.
inline bool group_is_gone(pid_t group) {
  for (int i = 0; i < 6000; ++i) {
    if (group_size(group) == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace elenchus::proc
