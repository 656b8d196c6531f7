#include "campaign/settings.h"

#include <concepts>
#include <span>
#include <sstream>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "base/text.h"
#include "base/toml_guard.h"
#include "mutate/tunables.h"

namespace elenchus::campaign {

namespace {

// In the order of the enumerators.
constexpr std::string_view kPolicies[] = {"default", "regular", "anything"};
constexpr std::string_view kWays[] = {"both", "relevant", "search", "random"};

template <typename Enum>
base::Result<Enum> choice_of(std::string_view what, std::span<const std::string_view> names,
                             std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  return base::Error{
      base::ErrorKind::kUnsupported,
      fmt::format("no {} '{}'; there is {}", what, base::shown(name), fmt::join(names, ", ")),
      {}};
}

}  // namespace

std::string_view to_string(Policy policy) { return kPolicies[static_cast<size_t>(policy)]; }

base::Result<Policy> policy_of(std::string_view name) {
  return choice_of<Policy>("policy", kPolicies, name);
}

std::string_view to_string(OptionsFrom way) { return kWays[static_cast<size_t>(way)]; }

base::Result<OptionsFrom> options_from_of(std::string_view name) {
  return choice_of<OptionsFrom>("way to choose options", kWays, name);
}

namespace {

// Calls `field(name, member)` for everything that is stored, so that writing and reading agree.
template <typename S, typename Field>
void each_field(S& settings, Field field) {
  field("seeds", settings.seeds);
  field("solvers", settings.solvers);
  field("profiles", settings.profiles);
  field("engines", settings.engines);
  field("set", settings.set);
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
  field("policy", settings.policy);
  field("options-from", settings.options_from);
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
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void operator()(std::string_view name, Enum choice) const {
    table.insert(name, to_string(choice));
  }
};

struct Reader {
  const toml::table& table;
  base::Error& problem;

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
    if (value < 0 && name != "rng") return wrong(name, "0 or more");
    number = static_cast<T>(value);
  }
  void operator()(std::string_view name, Policy& policy) const { choose(name, policy, policy_of); }
  void operator()(std::string_view name, OptionsFrom& way) const {
    choose(name, way, options_from_of);
  }

 private:
  template <typename Enum>
  void choose(std::string_view name, Enum& member,
              base::Result<Enum> (*choice)(std::string_view)) const {
    std::string text(to_string(member));
    read(name, text, "a string");
    const auto chosen = choice(text);
    if (chosen) {
      member = *chosen;
    } else {
      complain(name, chosen.error().message);
    }
  }
  template <typename T>
  void read(std::string_view name, T& member, std::string_view expected) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return;
    const auto value = node->value<T>();
    if (!value) return wrong(name, expected);
    member = *value;
  }
  void wrong(std::string_view name, std::string_view expected) const {
    complain(name, fmt::format("'{}' must be {}", name, expected));
  }
  // The first problem is told.
  void complain(std::string_view name, std::string message) const {
    if (!problem.message.empty()) return;
    const auto where = table.get(name)->source().begin;
    problem = {base::ErrorKind::kParse, std::move(message), {where.line, where.column}};
  }
};

base::Result<void> check_names(const toml::table& table) {
  Settings known;
  for (const auto& entry : table) {
    const std::string_view key = entry.first.str();
    bool found = false;
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
  std::ostringstream out;
  out << table << '\n';
  return out.str();
}

base::Result<void> check_settings(const Settings& settings) {
  constexpr uint32_t kMostJobs = 1024;
  constexpr double kLongest = 1e9;  // seconds
  constexpr double kShortest = 0.001;
  constexpr uint64_t kLeastMemory = 16ULL << 20;
  const auto wrong = [](std::string message) {
    return base::Error{base::ErrorKind::kUnsupported, std::move(message), {}};
  };
  if (settings.jobs > kMostJobs) return wrong(fmt::format("jobs must be at most {}", kMostJobs));
  if (!(settings.seconds >= 0 && settings.seconds <= kLongest)) {
    return wrong("the time must be 0 (no limit) to 1e9 seconds");
  }
  if (!(settings.timeout >= kShortest && settings.timeout <= kLongest)) {
    return wrong("the timeout of a check-sat must be 0.001 to 1e9 seconds");
  }
  if (settings.memory < kLeastMemory) {
    return wrong("no solver lives on so little memory; the limit must be 16M at least");
  }
  return {};
}

base::Result<Settings> parse_settings(std::string_view toml, Settings defaults) {
  if (const auto readable = base::check_toml(toml); !readable) return readable.error();
  toml::table table;
  try {
    table = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    return base::Error{
        base::ErrorKind::kParse, std::string(error.description()), {where.line, where.column}};
  }
  if (const auto known = check_names(table); !known) return known.error();
  Settings settings = std::move(defaults);
  base::Error problem;
  each_field(settings, Reader{table, problem});
  if (!problem.message.empty()) return problem;
  if (const auto usable = check_settings(settings); !usable) {
    return base::Error{base::ErrorKind::kParse, usable.error().message, {1, 1}};
  }
  if (const auto engines = mutate::tuned(settings.set); !engines) {
    const auto where = table.get("set")->source().begin;
    return base::Error{
        base::ErrorKind::kParse, engines.error().message, {where.line, where.column}};
  }
  return settings;
}

}  // namespace elenchus::campaign
