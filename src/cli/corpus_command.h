#pragma once

#include <CLI/CLI.hpp>

namespace elenchus::cli {

// `elenchus corpus DIR...`: the scripts that campaigns found worth keeping.
void add_corpus_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
