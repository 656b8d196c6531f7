#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace elenchus::cli {

// How all help looks: what a command does, its options by what they are for, tables, notes.
class HelpLayout : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// "elenchus bugs [OPTION]... DIR... show [OPTION]... ID"
std::string usage_of(const CLI::App& command);

// "elenchus bugs show"
std::string full_name(const CLI::App& command);

// Text of paragraphs, wrapped at `width` columns. Lines that begin with a blank stay as they are.
std::string wrapped(std::string_view text, size_t width);

// The same text below a margin, which the first line has already.
std::string beside_margin(std::string_view text, size_t margin, size_t width);

}  // namespace elenchus::cli
