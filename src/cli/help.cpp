#include "cli/help.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/status_screen.h"

namespace elenchus::cli {
namespace {

constexpr size_t kWidest = 100;
constexpr size_t kNarrowest = 60;
constexpr size_t kMargin = 26;

size_t columns() {
  if (isatty(STDOUT_FILENO) == 0) return kWidest;
  return std::clamp(window_size(STDOUT_FILENO).columns, kNarrowest, kWidest);
}

// A name, and beside it what it is; below it where the name is too long.
std::string row(const std::string& name, const std::string& text, size_t margin = kMargin) {
  std::string line = "  " + name;
  if (line.size() + 2 > margin) {
    line += '\n' + std::string(margin, ' ');
  } else {
    line += std::string(margin - line.size(), ' ');
  }
  return line + beside_margin(text, margin, columns()) + '\n';
}

std::string commands_of(const CLI::App& app) {
  constexpr size_t kCommandMargin = 16;
  std::string text;
  for (const CommandGroup& group : command_groups(app)) {
    text += '\n' + group.title + ":\n";
    for (const CLI::App* command : group.commands) {
      text += row(command->get_name(), command->get_description(), kCommandMargin);
    }
  }
  return text;
}

std::string positionals_of(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* one : positionals(app)) {
    text += row(one->get_name(true), shown_help(*one));
  }
  return text.empty() ? text : '\n' + text;
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const OptionGroup& group : option_groups(app)) {
    text += '\n' + group.title + ":\n";
    for (const CLI::Option* option : group.options) {
      // Long names stand below each other, also where there is no short one.
      const std::string indent = option->get_snames().empty() ? "    " : "";
      text += row(indent + shown_names(*option), shown_help(*option));
    }
  }
  return text;
}

std::string glossaries_of(const CLI::App& app) {
  std::string text;
  for (const Glossary& glossary : glossaries(app)) {
    text += '\n' + glossary.title + ":\n";
    constexpr size_t kNameMargin = 16;
    for (const auto& [name, about] : glossary.rows) text += row(name, about, kNameMargin);
  }
  return text;
}

// "SEEDS..." or "[SEEDS]..."
std::string usage_word(const CLI::Option& positional) {
  std::string word = positional.get_name(true);
  if (positional.get_items_expected_max() > 1) word += "...";
  return positional.get_required() ? word : fmt::format("[{}]", word);
}

// A paragraph as lines of at most `width` columns.
void wrap_paragraph(std::string_view text, size_t width, std::string& out) {
  size_t column = 0;
  while (!text.empty()) {
    const size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (column > 0 && column + 1 + end > width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(end);
  }
}

}  // namespace

std::string wrapped(std::string_view text, size_t width) {
  std::string out;
  std::string paragraph;
  const auto flush = [&] {
    if (paragraph.empty()) return;
    wrap_paragraph(paragraph, width, out);
    out += '\n';
    paragraph.clear();
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool stays = line.empty() || line[0] == ' ';
    if (stays) flush();
    if (stays) out.append(line).append("\n");
    if (!stays) paragraph.append(line).append(" ");
    if (!stays && line.back() == ':') flush();  // the line above a list
  }
  flush();
  return out;
}

std::string beside_margin(std::string_view text, size_t margin, size_t width) {
  std::string lines;
  wrap_paragraph(text, width - margin, lines);
  std::string out;
  for (const char c : lines) {
    out += c;
    if (c == '\n') out += std::string(margin, ' ');
  }
  return out;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + ' ' + command.get_name();
}

std::string usage_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  std::string text = command.get_name();
  if (parent != nullptr) {
    // What comes before the name of a command of a command: `bugs DIR... show`.
    std::string before = full_name(*parent);
    for (const CLI::Option* one : positionals(*parent)) before += ' ' + usage_word(*one);
    text = before + ' ' + text;
  }
  if (parent != nullptr) text += " [OPTION]...";
  for (const CLI::Option* one : positionals(command)) text += ' ' + usage_word(*one);
  if (command.get_subcommands({}).empty()) return text;
  return text + (command.get_require_subcommand_min() > 0 ? " COMMAND ..." : " [COMMAND ...]");
}

std::string HelpLayout::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  std::string text = fmt::format("Usage: {}\n\n", usage_of(*app));
  std::string about = app->get_description();
  if (!about.empty()) about[0] = static_cast<char>(std::toupper(about[0]));
  if (!about.ends_with('.')) about += '.';
  text += wrapped(about, columns());
  text += positionals_of(*app);
  const bool is_program = app->get_parent() == nullptr;
  if (is_program) text += commands_of(*app);
  if (!is_program) text += commands_of(*app) + options_of(*app) + glossaries_of(*app);
  if (!app->get_footer().empty()) text += '\n' + wrapped(app->get_footer(), columns());
  return text;
}

}  // namespace elenchus::cli
