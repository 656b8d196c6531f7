#pragma once

#include <sys/resource.h>

#include <optional>

namespace elenchus::proc {

// Raises the soft limit on open files to the hard one, for us alone: sessions take a few files
// each. Programs that we start get the limit that we were given: they may use select(), which
// cannot deal with more than 1,024. To be called at the start of the program, before any thread.
void raise_limit_on_open_files();

// The limit that children get; nothing while it has not been raised.
std::optional<rlimit> given_limit_on_open_files();

// How many files a session with a solver keeps open, and how many more its start takes for a
// moment.
inline constexpr rlim_t kFilesOfProcess = 5;
inline constexpr rlim_t kFilesOfStart = 6;

}  // namespace elenchus::proc
