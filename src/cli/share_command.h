#pragma once

#include <CLI/CLI.hpp>

namespace elenchus::cli {

// Adds `elenchus share`.
void add_share_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
