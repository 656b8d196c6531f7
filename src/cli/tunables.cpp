#include "cli/tunables.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "mutate/tunables.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using mutate::Tunable;

Json to_json(const Tunable& tunable) {
  Json object = {{"name", tunable.name}};
  mutate::EngineSettings standard;
  if (tunable.flag != nullptr) {
    object["type"] = "bool";
    object["default"] = tunable.flag(standard);
  } else {
    object["type"] = "number";
    object["default"] = tunable.number(standard);
    object["low"] = tunable.low;
    object["high"] = tunable.high;
  }
  object["help"] = tunable.help;
  return object;
}

}  // namespace

void add_set_option(CLI::App& command, std::vector<std::string>& assignments) {
  command
      .add_option(
          "--set", assignments,
          "sets a number of an engine, such as storm.max-depth=5; may be repeated; `elenchus "
          "mutate --list-tunables` lists all")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

std::string tunables_as_text() {
  size_t width = 0;
  for (const Tunable& one : mutate::tunables()) width = std::max(width, one.name.size());
  std::string text;
  for (const Tunable& one : mutate::tunables()) {
    text += fmt::format("{:<{}}  {:<6} {:<14}  {}\n", one.name, width, one.value_in({}),
                        one.range(), one.help);
  }
  return text;
}

std::string tunables_as_json() {
  Json list = Json::array();
  for (const Tunable& one : mutate::tunables()) list.push_back(to_json(one));
  return list.dump(2) + '\n';
}

}  // namespace elenchus::cli
