#pragma once

#include <string>
#include <string_view>

#include "solver/outcome.h"

namespace elenchus::oracle {

// What tells one crash from another: the frames of a sanitizer's stack, the place of an assertion,
// or the message without what changes from run to run.
std::string crash_location(const solver::Run& run);

// The message without numbers, addresses, folders and quoted text; `file.cpp:12` stays.
std::string normalised_message(std::string_view message);

}  // namespace elenchus::oracle
