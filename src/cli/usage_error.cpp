#include "cli/usage_error.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/say.h"

namespace elenchus::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const OptionGroup& group : option_groups(command)) {
    for (const CLI::Option* option : group.options) names.push_back(long_name(*option));
  }
  return names;
}

// The command that the words of the line lead to.
const CLI::App& command_meant(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return *command;
}

int complain(const CLI::App& command, const std::string& message) {
  const std::string name = full_name(command);
  tell("{}: error: {}\nRun `{} --help` for more information.\n", name, message, name);
  return kBadInput;
}

int complain_of_word(const CLI::App& command, const std::string& word) {
  if (word[0] != '-' || word.size() < 2) {
    return complain(command, fmt::format("unexpected argument '{}'", base::shown(word)));
  }
  const std::string name = word.substr(0, word.find('='));
  return complain(command, fmt::format("no option {}{}", base::shown(name),
                                       base::did_you_mean(name, option_names(command))));
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

// What CLI11 says, but where only those who know its types could read it.
std::string plain_words(const CLI::App& command, const CLI::Error& error) {
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  std::string text = error.what();
  if (is(CLI::ExitCodes::ExcludesError)) {  // "--out excludes --resume"
    replace_all(text, " excludes ", " and ");
    return text + " cannot be given together";
  }
  if (is(CLI::ExitCodes::ValidationError)) {  // "Value 3 not in range 0.000000 to 1.000000"
    replace_all(text, ".000000", "");
    replace_all(text, "Value ", "");
    replace_all(text, " not in range ", " is not in the range from ");
    return text;
  }
  if (!is(CLI::ExitCodes::ArgumentMismatch)) return text;
  // "--jobs: 1 required N:INT in [1 - 1024] missing"
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr || value_name(*option).empty()) return text;
  return fmt::format("{} needs a value: {} {}", name, name, value_name(*option));
}

}  // namespace

int tell_unknown_command(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> known = command_names(app);
  if (known.empty()) return complain_of_word(app, name);
  std::string hint = base::did_you_mean(name, known);
  if (hint.empty()) hint = fmt::format("; the commands are {}", fmt::join(known, ", "));
  return complain(app, fmt::format("no command '{}'{}", base::shown(name), hint));
}

int tell_usage_error(const CLI::App& app, const CLI::Error& error) {
  const CLI::App& command = command_meant(app);
  for (const std::string& word : command.remaining()) {
    if (word == "--" || word.empty()) continue;
    const bool lacks_command = command.get_require_subcommand_min() > 0;
    if (lacks_command && word[0] != '-') return tell_unknown_command(command, word);
    return complain_of_word(command, word);
  }
  if (command.get_require_subcommand_min() > 0) {
    return complain(
        command, fmt::format("say which command: {}", fmt::join(command_names(command), " or ")));
  }
  return complain(command, plain_words(command, error));
}

}  // namespace elenchus::cli
