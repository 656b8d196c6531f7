#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus check`. Sets exit_code when it runs.
void add_check_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
