#include "cli/help_command.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command_table.h"
#include "cli/complaint.h"
#include "cli/completion.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/input.h"
#include "cli/man_page.h"
#include "cli/say.h"
#include "cli/usage_error.h"
#include "cli/word_checks.h"
#include "record/kind.h"

namespace elenchus::cli {
namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false;
  std::string man_pages;  // a folder
  std::string shell;
};

const CLI::App* command_of(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// The pages of a command and of those below it.
base::Result<void> write_man_pages(const CLI::App& command, const std::string& folder) {
  const std::string file = fmt::format("{}/{}.1", folder, man_page_name(command));
  if (auto written = replace_output(file, man_page(command)); !written) return written;
  for (const CLI::App* one : command.get_subcommands({})) {
    if (auto written = write_man_pages(*one, folder); !written) return written;
  }
  return {};
}

// What is no command and has a page all the same.
constexpr std::string_view kKindsTopic = "kinds";

std::string kinds_page() {
  std::string text = "What can be wrong with a solver, the gravest first:\n";
  for (const record::KindInfo& kind : record::kinds()) {
    text += fmt::format("\n{}{}\n  A solver {}.\n  Expected: {}.\n", kind.name,
                        kind.has(record::kOptional) ? " (off unless asked for)" : "", kind.meaning,
                        kind.expected);
  }
  return text;
}

int run_help(const CLI::App& app, const HelpOptions& options) {
  if (!options.man_pages.empty()) {
    const auto written = write_man_pages(app, options.man_pages);
    return written ? kNothingWrong : fail(written.error(), options.man_pages);
  }
  if (options.words.size() == 1 && options.words[0] == kKindsTopic) {
    put("{}", kinds_page());
    return kNothingWrong;
  }
  const CLI::App* command = &app;
  for (const std::string& word : options.words) {
    const CLI::App* next = command_of(*command, word);
    if (next == nullptr) return tell_unknown_command(*command, word);
    command = next;
  }
  put("{}", options.man ? man_page(*command)
                        : HelpLayout().make_help(command, {}, CLI::AppFormatMode::Normal));
  return kNothingWrong;
}

int run_completion(const CLI::App& app, const std::string& shell) {
  put("{}", shell == "bash"  ? bash_completion(app)
            : shell == "zsh" ? zsh_completion(app)
                             : fish_completion(app));
  return kNothingWrong;
}

}  // namespace

void add_help_commands(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App* help = app.add_subcommand("help", "Explain a command, as COMMAND --help does");
  help->add_option("COMMAND", options->words,
                   "a command, also one of two words (bugs show); or kinds, for all kinds of bugs");
  help->add_flag("--man", options->man, "as the source of a man page")->group(kHidden);
  help->add_option("--man-pages", options->man_pages, "write all man pages into this folder")
      ->group(kHidden);
  help->footer("Examples:\n  elenchus help fuzz\n  elenchus help bugs show\n  elenchus help kinds");
  help->callback([&app, options, &exit_code] { exit_code = run_help(app, *options); });

  CLI::App* completion = app.add_subcommand(
      "completion", "Write a script that completes commands and options in a shell");
  require_known_word(
      *completion->add_option("SHELL", options->shell, "bash, zsh or fish")->required());
  completion->footer(
      "`cmake --install build/release` puts these scripts where the shells look for them.\n\n"
      "Examples:\n"
      "  source <(elenchus completion bash)\n"
      "  elenchus completion zsh > ~/.zfunc/_elenchus\n"
      "  elenchus completion fish > ~/.config/fish/completions/elenchus.fish");
  completion->callback(
      [&app, options, &exit_code] { exit_code = run_completion(app, options->shell); });
}

}  // namespace elenchus::cli
