#include "campaign/settings.h"

#include <algorithm>
#include <concepts>
#include <span>
#include <sstream>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "campaign/lanes.h"
#include "config/toml_reader.h"
#include "mutate/tunables.h"

namespace elenchus::campaign {

namespace {

// In the order of the enumerators.
constexpr std::string_view kPolicies[] = {"default", "regular", "anything"};
constexpr std::string_view kWays[] = {"both", "relevant", "search", "random"};
constexpr std::string_view kSearchParts[] = {"neighbourhood", "breadth", "forgetting", "pool"};

template <typename Enum>
base::Result<Enum> choice_of(std::string_view what, std::span<const std::string_view> names,
                             std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  return base::Error{
      base::ErrorKind::kUnsupported,
      fmt::format("no {} '{}'; choose from {}", what, base::shown(name), fmt::join(names, ", ")),
      {}};
}

}  // namespace

std::string_view to_string(Policy policy) { return kPolicies[static_cast<size_t>(policy)]; }

base::Result<Policy> policy_of(std::string_view name) {
  return choice_of<Policy>("policy", kPolicies, name);
}

std::span<const std::string_view> search_parts() { return kSearchParts; }

bool Settings::has(std::string_view search_part) const {
  return std::find(without.begin(), without.end(), search_part) == without.end();
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
  field("lanes", settings.lanes);
  field("set", settings.set);
  field("jobs", settings.jobs);
  field("time", settings.seconds);
  field("tests", settings.tests);
  field("bugs", settings.bugs);
  field("logic", settings.logic);
  field("focus", settings.focus);
  field("operators", settings.operators);
  field("operators-only", settings.operators_only);
  field("baseline", settings.baseline);
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
  field("without", settings.without);
  field("reduce-tries", settings.reduce_tries);
  field("prosecution", settings.prosecution);
  field("grace", settings.grace);
  field("diagnosis", settings.diagnosis);
  field("share", settings.share);
  field("campaign", settings.campaign);
  field("node", settings.node);
  field("max-disk", settings.max_disk);
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

// Takes each field out of the table.
struct Reader {
  config::TomlReader& table;

  void operator()(std::string_view name, std::vector<std::string>& list) const {
    table.read_one_or_more(name, list);
  }
  void operator()(std::string_view name, uint64_t& number) const {
    // TOML has signed numbers; a seed may be any of them.
    if (name != "rng") return table.read(name, number);
    auto bits = static_cast<int64_t>(number);
    table.read(name, bits);
    number = static_cast<uint64_t>(bits);
  }
  void operator()(std::string_view name, Policy& policy) const { choose(name, policy, policy_of); }
  void operator()(std::string_view name, OptionsFrom& way) const {
    choose(name, way, options_from_of);
  }
  template <typename T>
  void operator()(std::string_view name, T& value) const {
    table.read(name, value);
  }

 private:
  template <typename Enum>
  void choose(std::string_view name, Enum& member,
              base::Result<Enum> (*choice)(std::string_view)) const {
    std::string text(to_string(member));
    table.read(name, text);
    const auto chosen = choice(text);
    if (!chosen) return table.fail_at(name, chosen.error().message);
    member = *chosen;
  }
};

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
    return wrong("no solver can run in so little memory; the limit must be at least 16M");
  }
  for (const std::string& name : settings.lanes) {
    if (const auto lane = lane_of(name); !lane) return lane.error();
  }
  for (const std::string& name : settings.without) {
    const auto parts = search_parts();
    if (std::find(parts.begin(), parts.end(), name) != parts.end()) continue;
    return wrong(fmt::format("no part of the search is called '{}'; choose from {}",
                             base::shown(name), fmt::join(parts, ", ")));
  }
  return {};
}

base::Result<Settings> parse_settings(std::string_view toml, Settings defaults) {
  ELENCHUS_ASSIGN_OR_RETURN(const toml::table table, config::parse_toml(toml));
  Settings settings = std::move(defaults);
  base::Error problem;
  {
    config::TomlReader reader(table, "", problem);
    each_field(settings, Reader{reader});
  }
  if (!problem.message.empty()) return problem;
  if (const auto usable = check_settings(settings); !usable) {
    return base::Error{base::ErrorKind::kParse, usable.error().message, {1, 1}};
  }
  if (const auto engines = mutate::tuned(settings.set); !engines) {
    return base::Error{base::ErrorKind::kParse, engines.error().message,
                       config::place_of(*table.get("set"))};
  }
  return settings;
}

}  // namespace elenchus::campaign
