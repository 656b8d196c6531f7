#pragma once

#include <sys/types.h>

#include <cstdint>

namespace elenchus::proc {

// Resident bytes of one process; 0 when there is none.
uint64_t resident_bytes(pid_t pid);

// Resident bytes of a process and of all that it started, in whatever group; what outlived its own
// parent is among them where the process inherits orphans, as those do that we start. The cost is
// that of these processes, and not of all on the machine.
uint64_t tree_resident_bytes(pid_t root);

// How many processes of the group there are, zombies left out. Reads all of /proc.
uint32_t group_size(pid_t group);

// Kills every other process that has this pipe open as a descriptor of this number.
void kill_holders(ino_t pipe, int number);

// Whether a process has children, dead ones that nobody waited for included.
bool has_children(pid_t pid);

// User and system time of the children that a process has waited for, in clock ticks.
double children_cpu_seconds(pid_t pid);

}  // namespace elenchus::proc
