#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace elenchus::proc {

// What a child gets: descriptors of ours that become its 0, 1, 2 and, unless negative, 3.
struct ChildFiles {
  int in = -1;
  int out = -1;
  int err = -1;
  int file = -1;
};

// Starts a program as the leader of a session of its own: no core dumps, default signals, killed
// when the calling thread ends. Both lists end with null.
base::Result<pid_t> spawn(const char* path, char* const* arguments, char* const* environment,
                          const ChildFiles& files);

}  // namespace elenchus::proc
