#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// Where commands and options stand in the help, and which words their values can be: what the help,
// the man pages and the completions have in common. A command or an option that no row names stands
// under the last title, so that adding one takes nothing but its declaration.
namespace elenchus::cli {

// An option of this group works and is not shown: it is there since scripts give it to every
// command.
inline constexpr const char* kHidden = "hidden";

struct OptionGroup {
  std::string title;
  std::vector<const CLI::Option*> options;
};

// What the command offers, without its positional arguments. Few options make one group.
std::vector<OptionGroup> option_groups(const CLI::App& command);

// The positional arguments, in their order.
std::vector<const CLI::Option*> positionals(const CLI::App& command);

struct CommandGroup {
  std::string title;
  std::vector<const CLI::App*> commands;
};

// The commands below this one: by task where it is the program.
std::vector<CommandGroup> command_groups(const CLI::App& app);

// What stands for the value of an option: "TIME"; empty for a flag.
std::string value_name(const CLI::Option& option);

// The words that the value can be, where they are few and known.
std::vector<std::string> value_words(const CLI::Option& option);

// "--out", or "-n" where there is no long name.
std::string long_name(const CLI::Option& option);

// "-o, --out DIR"
std::string shown_names(const CLI::Option& option);

// What the option does, with its default.
std::string shown_help(const CLI::Option& option);

// A table that the help of a command ends with, such as the engines.
struct Glossary {
  std::string title;
  std::vector<std::pair<std::string, std::string>> rows;
};
std::vector<Glossary> glossaries(const CLI::App& command);

}  // namespace elenchus::cli
