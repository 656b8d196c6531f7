#pragma once

#include <sys/types.h>

#include <cstdint>

namespace elenchus::proc {

// Resident bytes of one process; 0 when there is none.
uint64_t resident_bytes(pid_t pid);

// Resident bytes of all processes of a group. Reads all of /proc: about a millisecond.
uint64_t group_resident_bytes(pid_t group);

// How many processes of the group there are, zombies left out.
uint32_t group_size(pid_t group);

}  // namespace elenchus::proc
