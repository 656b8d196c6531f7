#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elenchus::cli {

// Lets an option take only the words that the table of commands has for it; a misspelt one is
// answered with the one that is probably meant.
void require_known_word(CLI::Option& option);

// Refuses a folder that is not there and is spelled much like a command: `bugs night shw`.
void refuse_misspelt_commands(CLI::App& command, CLI::Option* folders);

}  // namespace elenchus::cli
