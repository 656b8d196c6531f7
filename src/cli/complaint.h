#pragma once

#include <string>

#include "base/result.h"

namespace elenchus::cli {

// Says what is wrong, with its place in the file where it has one, and gives the exit code. No
// file: the message says what it is about.
int fail(const base::Error& error, const std::string& file);

}  // namespace elenchus::cli
