#include "cli/man_page.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command_table.h"
#include "cli/help.h"

namespace elenchus::cli {
namespace {

// Text for troff: nothing in it is a request or an escape.
std::string plain(std::string_view text) {
  std::string out;
  bool is_line_start = true;
  for (const char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) out += "\\&";
    is_line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string item(const std::string& name, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", plain(name), plain(text));
}

std::string man_commands(const CLI::App& app) {
  std::string text;
  for (const CommandGroup& group : command_groups(app)) {
    text += fmt::format(".SS {}\n", plain(group.title));
    for (const CLI::App* command : group.commands) {
      text += item(command->get_name(), command->get_description());
    }
  }
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string man_options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* one : positionals(app))
    text += item(one->get_name(true), shown_help(*one));
  for (const OptionGroup& group : option_groups(app)) {
    text += fmt::format(".SS {}\n", plain(group.title));
    for (const CLI::Option* option : group.options) {
      text += item(shown_names(*option), shown_help(*option));
    }
  }
  return ".SH OPTIONS\n" + text;
}

std::string man_glossaries(const CLI::App& app) {
  std::string text;
  for (const Glossary& glossary : glossaries(app)) {
    text += fmt::format(".SH {}\n", plain(upper(glossary.title)));
    for (const auto& [name, about] : glossary.rows) text += item(name, about);
  }
  return text;
}

// Paragraphs, and lines that stay as they are.
std::string notes_of(const CLI::App& app) {
  std::string text;
  bool is_example = false;
  const std::string notes = wrapped(app.get_footer(), 72);
  for (size_t at = 0; at < notes.size();) {
    const size_t end = std::min(notes.find('\n', at), notes.size());
    const std::string line = notes.substr(at, end - at);
    at = end + 1;
    const bool is_indented = !line.empty() && line[0] == ' ';
    if (is_indented != is_example) text += is_indented ? ".PP\n.nf\n" : ".fi\n";
    is_example = is_indented;
    text += line.empty() ? ".PP\n" : plain(line) + '\n';
  }
  if (is_example) text += ".fi\n";
  return text.empty() ? text : ".SH NOTES\n" + text;
}

std::string see_also(const CLI::App& app) {
  std::string text;
  const CLI::App* parent = app.get_parent();
  if (parent != nullptr) text += fmt::format(".BR {} (1)\n", plain(man_page_name(*parent)));
  for (const CLI::App* command : app.get_subcommands({})) {
    text += fmt::format(".BR {} (1)\n", plain(man_page_name(*command)));
  }
  return text.empty() ? text : ".SH SEE ALSO\n" + text;
}

}  // namespace

std::string man_page_name(const CLI::App& command) {
  std::string name = full_name(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CLI::App& command) {
  const std::string name = man_page_name(command);
  std::string text = fmt::format(".TH {} 1 \"\" \"elenchus {}\" \"User Commands\"\n",
                                 plain(upper(name)), ELENCHUS_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(command.get_description()));
  text += fmt::format(".SH SYNOPSIS\n{}\n", plain(usage_of(command)));
  text += man_commands(command);
  if (command.get_parent() != nullptr) text += man_options(command);
  return text + man_glossaries(command) + notes_of(command) + see_also(command);
}

}  // namespace elenchus::cli
