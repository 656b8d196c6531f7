#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// Adds `elenchus diagnose` to the program. Its exit code is stored in `exit_code` when it ran.
void add_diagnose_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
