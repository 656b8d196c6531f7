#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "proc/fd.h"
#include "proc/launch.h"

namespace elenchus::proc {

// What ends a process together with us (see tie), and where a fork server finds what AFL's protocol
// gives it.
inline constexpr int kLifeline = 197;
inline constexpr int kServerCommands = 198;
inline constexpr int kServerStatus = 199;
inline constexpr int kFirstServerFile = kLifeline;
inline constexpr int kLastServerFile = kServerStatus;

// What a child gets: descriptors of ours that become its 0, 1, 2 and, unless negative, 3 and the
// lifeline; for a fork server also those above. None of ours may have one of these numbers, except
// for 3.
struct ChildFiles {
  int in = -1;
  int out = -1;
  int err = -1;
  int file = -1;
  int lifeline = -1;
  int commands = -1;
  int status = -1;

  bool is_server() const { return commands >= 0; }
};

// Starts a program as the leader of a session of its own: no core dumps, default signals, killed
// when the calling thread ends. It inherits orphans among its descendants.
//
// The first call makes our program ignore SIGPIPE, if nobody else looks after that signal.
base::Result<pid_t> spawn(const Launch& launch, const ChildFiles& files);

// PR_SET_PDEATHSIG is for a child alone, and not for what that starts. But all of them inherit the
// read end of a pipe, the lifeline, of which we alone have the write end: from here on the kernel
// kills the group when the write end is closed, as it is when we die in whatever way.
void tie(const Fd& read_end, pid_t group);

}  // namespace elenchus::proc
