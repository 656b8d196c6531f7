#pragma once

#include <cstdint>

namespace elenchus::proc {

// How a process ended.
struct Exit {
  int code = -1;            // -1 after a signal
  int signal = 0;           // that ended it; 0 where we sent that signal
  bool killed = false;      // we ended it
  double cpu_seconds = 0;   // of the process and what it waited for
  uint64_t peak_bytes = 0;  // of resident memory; 0 where nobody told
};

// What a wait status says. `by_itself`: the process had ended before we sent it SIGKILL.
Exit exit_of(int status, bool by_itself);

// How a process is ended, and how its end is learned: the kernel tells only its parent, which is
// ourselves or a fork server.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper() = default;

  // Becomes readable when the process has ended; -1 where one has to ask.
  virtual int end_fd() const = 0;
  virtual bool has_ended() const = 0;
  // Ends the process, which may have ended by itself, and what it started. Called once.
  virtual Exit end() = 0;
  // Resident bytes of the process and what it started.
  virtual uint64_t tree_bytes() const = 0;
};

}  // namespace elenchus::proc
