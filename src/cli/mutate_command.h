#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus mutate`. Sets exit_code when it runs.
void add_mutate_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
