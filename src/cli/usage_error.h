#pragma once

#include <string>

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace elenchus::cli {

// Says what is wrong with the command line, and what was probably meant. Gives the exit code.
int tell_usage_error(const CLI::App& app, const CLI::Error& error);

// The same for a word that stands in the place of a command of `app`.
int tell_unknown_command(const CLI::App& app, const std::string& name);

}  // namespace elenchus::cli
