#pragma once

#include <string>

namespace CLI {
class App;
}

namespace elenchus::cli {

// The source of a man page for a command, or for the program; the same text as the help.
std::string man_page(const CLI::App& command);

// "elenchus-bugs-show"
std::string man_page_name(const CLI::App& command);

}  // namespace elenchus::cli
