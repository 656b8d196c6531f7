#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus generate`: scripts from the grammar.
void add_generate_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
