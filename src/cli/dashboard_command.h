#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

void add_dashboard_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
