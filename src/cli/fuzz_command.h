#pragma once

#include <string>

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus fuzz`: a campaign.
void add_fuzz_command(CLI::App& app, const std::string& command_line, int& exit_code);

}  // namespace elenchus::cli
