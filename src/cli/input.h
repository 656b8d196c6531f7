#pragma once

#include <string>

#include "base/result.h"

namespace elenchus::cli {

// The whole content of a file, a pipe, or with "-" of standard input.
base::Result<std::string> read_input(const std::string& path);

// Writes everything, or says why not. "-" is standard output.
base::Result<void> write_output(const std::string& path, const std::string& content);

}  // namespace elenchus::cli
