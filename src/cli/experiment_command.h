#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// Adds `elenchus experiment` to the program. Its exit code is stored in `exit_code` when it ran.
void add_experiment_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
