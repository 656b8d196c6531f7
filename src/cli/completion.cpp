// Completions for three shells, from the commands as they are declared. Each script finds out which
// command the words before the cursor name ("/bugs/show") and offers what that command takes: its
// commands and options, and for the value of an option known words, files or folders.

#include "cli/completion.h"

#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command_table.h"

namespace elenchus::cli {
namespace {

// "/bugs/show"; empty for the program.
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? std::string() : path_of(*parent) + '/' + command.get_name();
}

void for_each_command(const CLI::App& app, const std::function<void(const CLI::App&)>& act) {
  act(app);
  for (const CLI::App* command : app.get_subcommands({})) for_each_command(*command, act);
}

void for_each_option(const CLI::App& command, const std::function<void(const CLI::Option&)>& act) {
  for (const OptionGroup& group : option_groups(command)) {
    for (const CLI::Option* option : group.options) act(*option);
  }
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

bool takes_folder(const CLI::Option& option) { return value_name(option) == "DIR"; }
bool takes_file(const CLI::Option& option) { return value_name(option) == "FILE"; }

// Within single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

// All paths, as the alternatives of a `case`.
std::string all_paths(const CLI::App& app) {
  std::string paths;
  for_each_command(app, [&](const CLI::App& command) {
    const std::string path = path_of(command);
    if (!path.empty()) paths += (paths.empty() ? "" : "|") + path;
  });
  return paths;
}

// The words of the positional arguments of a command that are known, and its commands.
std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* one : command.get_subcommands({})) words.push_back(one->get_name());
  for (const CLI::Option* one : positionals(command)) {
    for (const std::string& word : value_words(*one)) words.push_back(word);
  }
  return words;
}

// The cases of an option's value: "/fuzz:--engine|/fuzz:-e".
std::string value_case(const CLI::App& command, const CLI::Option& option) {
  std::string names;
  for (const std::string& name : spellings(option)) {
    names += fmt::format("{}{}:{}", names.empty() ? "" : "|", path_of(command), name);
  }
  return names;
}

using ValueAction = std::function<std::string(const CLI::Option&)>;

std::string value_cases(const CLI::App& app, const ValueAction& action) {
  std::string text;
  for_each_command(app, [&](const CLI::App& command) {
    for_each_option(command, [&](const CLI::Option& option) {
      if (value_name(option).empty()) return;
      text += fmt::format("    {}) {}; return;;\n", value_case(command, option), action(option));
    });
  });
  return text;
}

std::string described(const CLI::App& command, bool with_options) {
  const auto entry = [](const std::string& name, const std::string& help) {
    return ' ' + shell_quoted(name + ':' + help);
  };
  std::string text;
  if (with_options) {
    for_each_option(command, [&](const CLI::Option& option) {
      for (const std::string& name : spellings(option)) text += entry(name, shown_help(option));
    });
    return text;
  }
  for (const CLI::App* one : command.get_subcommands({})) {
    text += entry(one->get_name(), one->get_description());
  }
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string options;
  std::string words;
  for_each_command(app, [&](const CLI::App& command) {
    std::vector<std::string> names;
    for_each_option(command, [&](const CLI::Option& option) {
      for (const std::string& name : spellings(option)) names.push_back(name);
    });
    options +=
        fmt::format("    {}) words='{}';;\n", path_of(command).empty() ? "''" : path_of(command),
                    fmt::join(names, " "));
    const auto known = words_of(command);
    if (known.empty()) return;
    words += fmt::format("    {}) words='{}';;\n",
                         path_of(command).empty() ? "''" : path_of(command), fmt::join(known, " "));
  });
  const std::string values = value_cases(app, [](const CLI::Option& option) -> std::string {
    const auto known = value_words(option);
    if (!known.empty()) {
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", fmt::join(known, " "));
    }
    if (takes_folder(option)) return "COMPREPLY=($(compgen -d -- \"$current\"))";
    return takes_file(option) ? "COMPREPLY=($(compgen -f -- \"$current\"))" : "COMPREPLY=()";
  });
  return fmt::format(R"(# bash completion for elenchus, as `elenchus completion bash` writes it
_elenchus() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local path= words= word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path/$word" in
    {}) path=$path/$word;;
    esac
  done
  case "$path:$previous" in
{}  esac
  if [[ $current == -* ]]; then
    case "$path" in
{}    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -z $path ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _elenchus elenchus
)",
                     all_paths(app), values, options, words);
}

std::string zsh_completion(const CLI::App& app) {
  std::string options;
  std::string words;
  for_each_command(app, [&](const CLI::App& command) {
    const std::string path = path_of(command).empty() ? "''" : path_of(command);
    options += fmt::format("    {}) entries=({});;\n", path, described(command, true));
    const std::string commands = described(command, false);
    if (!commands.empty()) words += fmt::format("    {}) entries=({});;\n", path, commands);
  });
  const std::string values = value_cases(app, [](const CLI::Option& option) -> std::string {
    const auto known = value_words(option);
    if (!known.empty()) return fmt::format("compadd -- {}", fmt::join(known, " "));
    if (takes_folder(option)) return "_files -/";
    return takes_file(option) ? "_files" : "_message " + shell_quoted(value_name(option));
  });
  return fmt::format(R"(#compdef elenchus
# zsh completion for elenchus, as `elenchus completion zsh` writes it
_elenchus() {{
  local at= word previous=$words[CURRENT-1]
  local -a entries
  for word in $words[2,CURRENT-1]; do
    case "$at/$word" in
    {}) at=$at/$word;;
    esac
  done
  case "$at:$previous" in
{}  esac
  if [[ $words[CURRENT] == -* ]]; then
    case "$at" in
{}    esac
    _describe -o option entries
    return
  fi
  case "$at" in
{}  esac
  _describe command entries
  [[ -z $at ]] || _files
}}
if [[ $funcstack[1] == _elenchus ]]; then _elenchus "$@"; else compdef _elenchus elenchus; fi
)",
                     all_paths(app), values, options, words);
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion for elenchus, as `elenchus completion fish` writes it\n";
  text += "function __elenchus_at\n  set -l at ''\n";
  text += "  for word in (commandline -opc)[2..-1]\n";
  std::string paths = all_paths(app);
  for (char& c : paths) c = c == '|' ? ' ' : c;
  text += fmt::format("    contains -- $at/$word {}; and set at $at/$word\n", paths);
  text += "  end\n  test \"$at\" = \"$argv[1]\"\nend\n";
  for_each_command(app, [&](const CLI::App& command) {
    const std::string at =
        fmt::format("complete -c elenchus -n '__elenchus_at \"{}\"'", path_of(command));
    for (const CLI::App* one : command.get_subcommands({})) {
      text += fmt::format("{}{} -a {} -d {}\n", at, path_of(command).empty() ? " -f" : "",
                          one->get_name(), shell_quoted(one->get_description()));
    }
    for_each_option(command, [&](const CLI::Option& option) {
      text += at;
      for (const std::string& name : option.get_snames()) text += " -s " + name;
      for (const std::string& name : option.get_lnames()) text += " -l " + name;
      const auto known = value_words(option);
      if (!known.empty()) text += fmt::format(" -x -a '{}'", fmt::join(known, " "));
      if (known.empty() && takes_folder(option)) text += " -x -a '(__fish_complete_directories)'";
      if (known.empty() && takes_file(option)) text += " -r -F";
      const bool is_other = known.empty() && !takes_folder(option) && !takes_file(option);
      if (is_other && !value_name(option).empty()) text += " -x";
      text += " -d " + shell_quoted(shown_help(option)) + '\n';
    });
  });
  return text;
}

}  // namespace elenchus::cli
