#pragma once

#include <string>

namespace CLI {
class App;
}

namespace elenchus::cli {

// Scripts that complete the words of a command line of the program, one for each shell.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace elenchus::cli
