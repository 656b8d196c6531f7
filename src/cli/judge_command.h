#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus judge`: every solver and every oracle on one script.
void add_judge_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
