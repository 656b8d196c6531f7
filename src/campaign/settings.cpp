#include "campaign/settings.h"

#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace elenchus::campaign {

std::string_view to_string(Policy policy) {
  switch (policy) {
    case Policy::kDefault: return "default";
    case Policy::kRegular: return "regular";
    case Policy::kAnything: return "anything";
  }
  return "regular";
}

base::Result<Policy> policy_of(std::string_view name) {
  for (const Policy policy : {Policy::kDefault, Policy::kRegular, Policy::kAnything}) {
    if (name == to_string(policy)) return policy;
  }
  return base::Error{base::ErrorKind::kUnsupported,
                     fmt::format("no policy '{}'; there is default, regular, anything", name),
                     {}};
}

namespace {

// Calls `field(name, member)` for everything that is stored, so that writing and reading agree.
template <typename S, typename Field>
void each_field(S& settings, Field field) {
  field("seeds", settings.seeds);
  field("solvers", settings.solvers);
  field("engines", settings.engines);
  field("jobs", settings.jobs);
  field("time", settings.seconds);
  field("tests", settings.tests);
  field("bugs", settings.bugs);
  field("logic", settings.logic);
  field("focus", settings.focus);
  field("operators", settings.operators);
  field("history", settings.history);
  field("correlations", settings.correlations);
  field("rng", settings.rng);
  field("timeout", settings.timeout);
  field("memory", settings.memory);
  field("fresh", settings.fresh);
  field("only-seeds", settings.only_seeds);
  field("oracles", settings.oracles);
  field("reduce-tries", settings.reduce_tries);
}

struct Writer {
  toml::table& table;

  void operator()(std::string_view name, const std::vector<std::string>& list) const {
    toml::array array;
    for (const std::string& item : list) array.push_back(item);
    table.insert(name, std::move(array));
  }
  void operator()(std::string_view name, const std::string& text) const {
    table.insert(name, text);
  }
  void operator()(std::string_view name, bool flag) const { table.insert(name, flag); }
  void operator()(std::string_view name, double number) const { table.insert(name, number); }
  template <std::unsigned_integral T>
  void operator()(std::string_view name, T number) const {
    table.insert(name, static_cast<int64_t>(number));
  }
};

struct Reader {
  const toml::table& table;
  std::string& problem;

  void operator()(std::string_view name, std::vector<std::string>& list) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return;
    list.clear();
    if (const auto one = node->value<std::string>()) {
      list.push_back(*one);
      return;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr) return wrong(name, "a list of strings");
    for (const toml::node& item : *array) {
      const auto text = item.value<std::string>();
      if (!text) return wrong(name, "a list of strings");
      list.push_back(*text);
    }
  }
  void operator()(std::string_view name, std::string& text) const { read(name, text, "a string"); }
  void operator()(std::string_view name, bool& flag) const { read(name, flag, "true or false"); }
  void operator()(std::string_view name, double& number) const { read(name, number, "a number"); }
  template <std::unsigned_integral T>
  void operator()(std::string_view name, T& number) const {
    int64_t value = static_cast<int64_t>(number);
    read(name, value, "a whole number");
    if (value < 0 && name != "rng") return wrong(name, "not negative");
    number = static_cast<T>(value);
  }

 private:
  template <typename T>
  void read(std::string_view name, T& member, std::string_view expected) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return;
    const auto value = node->value<T>();
    if (!value) return wrong(name, expected);
    member = *value;
  }
  void wrong(std::string_view name, std::string_view expected) const {
    if (problem.empty()) problem = fmt::format("'{}' must be {}", name, expected);
  }
};

base::Result<void> check_names(const toml::table& table) {
  Settings known;
  for (const auto& entry : table) {
    const std::string_view key = entry.first.str();
    bool found = key == "policy";
    each_field(known, [&](std::string_view name, const auto&) { found = found || key == name; });
    if (!found) {
      const auto where = entry.second.source().begin;
      return base::Error{base::ErrorKind::kParse,
                         fmt::format("there is no setting '{}'", key),
                         {where.line, where.column}};
    }
  }
  return {};
}

}  // namespace

std::string print_settings(const Settings& settings) {
  toml::table table;
  each_field(settings, Writer{table});
  table.insert("policy", to_string(settings.policy));
  std::ostringstream out;
  out << table << '\n';
  return out.str();
}

base::Result<Settings> parse_settings(std::string_view toml) {
  toml::table table;
  try {
    table = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    return base::Error{
        base::ErrorKind::kParse, std::string(error.description()), {where.line, where.column}};
  }
  if (const auto known = check_names(table); !known) return known.error();
  Settings settings;
  std::string problem;
  each_field(settings, Reader{table, problem});
  if (!problem.empty()) return base::Error{base::ErrorKind::kParse, problem, {1, 1}};
  if (const auto policy = table["policy"].value<std::string>()) {
    ELENCHUS_ASSIGN_OR_RETURN(settings.policy, policy_of(*policy));
  }
  return settings;
}

}  // namespace elenchus::campaign
