#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus reduce`: the smallest script that still shows what is wrong with a file.
void add_reduce_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
