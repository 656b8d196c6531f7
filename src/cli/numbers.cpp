#include "cli/numbers.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"

namespace elenchus::cli {
namespace {

// CLI11's own conversion takes what is too large for the largest number, -1 for that as well, and a
// leading 0 for a sign of octal digits. So the text is read here and handed on in its plain form.
std::string make_plain(std::string& text) {
  uint64_t number = 0;
  if (!base::read_number(text, number)) {
    return fmt::format("'{}' is no whole number from 0 to {}", base::shown(text), UINT64_MAX);
  }
  text = std::to_string(number);
  return {};
}

}  // namespace

CLI::Option* add_number(CLI::App& command, const std::string& name, uint64_t& number,
                        const std::string& help) {
  return command.add_option(name, number, help)
      ->type_name("N")
      ->transform(CLI::Validator(make_plain, ""));
}

void require_positive(CLI::Option& option) {
  option.check([](const std::string& text) -> std::string {
    double number = 0;
    return CLI::detail::lexical_cast(text, number) && number > 0 ? "" : "must be more than 0";
  });
}

CLI::Option* add_rng(CLI::App& command, uint64_t& rng, const std::string& help) {
  return add_number(command, "--rng", rng, help);
}

}  // namespace elenchus::cli
