#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace elenchus::cli {

// --set NAME=VALUE, which may be repeated.
void add_set_option(CLI::App& command, std::vector<std::string>& assignments);

// What --set takes: names, defaults, ranges.
std::string tunables_as_text();
std::string tunables_as_json();

}  // namespace elenchus::cli
