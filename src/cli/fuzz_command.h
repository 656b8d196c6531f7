#pragma once

namespace CLI {
class App;
}

namespace elenchus::cli {

// `elenchus fuzz`: a campaign.
void add_fuzz_command(CLI::App& app, int& exit_code);

}  // namespace elenchus::cli
