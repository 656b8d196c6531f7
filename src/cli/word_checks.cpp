#include "cli/word_checks.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/command_table.h"

namespace elenchus::cli {
namespace {

bool is_among(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void require_known_word(CLI::Option& option) {
  option.check([words = value_words(option)](const std::string& word) -> std::string {
    if (is_among(word, words)) return {};
    std::string hint = base::did_you_mean(word, words);
    if (hint.empty()) hint = fmt::format("; choose from {}", fmt::join(words, ", "));
    return fmt::format("unknown word '{}'{}", base::shown(word), hint);
  });
}

void refuse_misspelt_commands(CLI::App& command, CLI::Option* folders) {
  folders->check([&command](const std::string& word) -> std::string {
    std::error_code ignored;
    if (std::filesystem::exists(word, ignored)) return {};
    std::vector<std::string> names;
    for (const CLI::App* one : command.get_subcommands({})) names.push_back(one->get_name());
    const std::string hint = base::did_you_mean(word, names);
    return hint.empty() ? "" : fmt::format("'{}' does not exist{}", base::shown(word), hint);
  });
}

}  // namespace elenchus::cli
