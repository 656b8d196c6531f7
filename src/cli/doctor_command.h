#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus doctor`: what will go wrong on this machine, or test nothing.
void add_doctor_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
