#pragma once

#include <string_view>

#include "base/result.h"

namespace elenchus::base {

// Whether a system call that failed with this errno ran out of files, processes or memory: a limit
// of ours or of the machine, which says nothing of what it was asked for.
bool is_exhaustion(int number);

// "what: why", of a system call that failed with this errno: kLimit, with advice, where we ran out
// of something, else kIo.
Error system_error(std::string_view what, int number);

}  // namespace elenchus::base
