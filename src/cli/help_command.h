#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus help` and `elenchus completion`, which are about the commands of `app`. Added last.
void add_help_commands(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
