#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus learn`: what is learnt from inputs and solvers before a campaign.
void add_learn_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
