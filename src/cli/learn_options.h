#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus learn options`.
void add_learn_options(CLI::App& learn, int& exit_code);

}  // namespace elenchus::cli
