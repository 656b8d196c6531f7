#include "cli/command_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "campaign/engine_name.h"
#include "oracle/oracle.h"
#include "record/bug.h"
#include "record/kind.h"
#include "solver/profile.h"

namespace elenchus::cli {
namespace {

struct Titled {
  std::string_view title;
  std::vector<std::string_view> names;
};

// The commands by what one wants to do.
const std::vector<Titled>& tasks() {
  static const std::vector<Titled> kTasks = {
      {"Look for bugs", {"fuzz", "doctor", "solvers"}},
      {"Look at what was found", {"bugs", "report", "dashboard", "diagnose", "bisect", "corpus"}},
      {"Look at one script", {"judge", "check", "reduce", "parse"}},
      {"Make scripts", {"mutate", "generate"}},
      {"Learn and compare", {"learn", "experiment"}},
      {"Many machines", {"share"}},
      {"More", {"help", "completion"}},
  };
  return kTasks;
}

// The options of all commands, in the order in which they are shown.
const std::vector<Titled>& option_titles() {
  static const std::vector<Titled> kTitles = {
      {"What to test",
       {"--bug", "--solver", "--profiles", "--all", "--again", "--options", "--state",
        "--unconfirmed", "--baseline", "--policy", "--logic", "--focus", "--only", "--until",
        "--operators", "--operators-only", "--only-seeds", "--model", "--sample"}},
      {"With what",
       {"--engine", "--set", "--lane", "--oracle", "--fresh", "--history", "--correlations",
        "--options-from", "--size", "--depth", "--assertions", "--sharing", "--kind", "--support",
        "--confidence", "--threshold"}},
      {"How long, how much",
       {"--time", "--tests", "--bugs", "--count", "--tries", "--jobs", "--timeout", "--memory",
        "--max-disk", "--nice", "--grace", "--prosecution", "--reduce-tries", "--diagnosis",
        "--edits", "--formulas"}},
      {"Where to",
       {"--out", "--replace", "--no-atoms", "--resume", "--resume-or-start", "--config", "--share",
        "--campaign", "--node", "--share-every", "--share-lease", "--known", "--on-bug",
        "--dry-run", "--json", "--quiet", "--verbose"}},
      {"More", {"--rng", "--list-tunables", "--list-logics", "--version", "--help"}},
  };
  return kTitles;
}

// Up to so many options are one group.
constexpr size_t kFew = 12;

// Where a name stands in the titles: which one, and where below it.
std::pair<size_t, size_t> place_of(const std::vector<Titled>& titles, std::string_view name) {
  for (size_t i = 0; i < titles.size(); ++i) {
    const auto& names = titles[i].names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return {i, found - names.begin()};
  }
  return {titles.size() - 1, 0};
}

// Sorts things below titles; those without any are left out.
template <typename Thing, typename Name>
std::vector<std::pair<std::string, std::vector<Thing>>> below_titles(
    const std::vector<Titled>& titles, std::vector<Thing> things, const Name& name_of) {
  const auto place = [&](const Thing& thing) { return place_of(titles, name_of(thing)); };
  std::stable_sort(things.begin(), things.end(),
                   [&](const Thing& a, const Thing& b) { return place(a) < place(b); });
  std::vector<std::pair<std::string, std::vector<Thing>>> groups;
  for (const Thing& thing : things) {
    const std::string title(titles[place(thing).first].title);
    if (groups.empty() || groups.back().first != title) groups.push_back({title, {}});
    groups.back().second.push_back(thing);
  }
  return groups;
}

bool is_shown(const CLI::Option* option) {
  return option->nonpositional() && !option->get_group().empty() && option->get_group() != kHidden;
}

std::vector<std::string> engine_words() {
  std::vector<std::string> words;
  for (const std::string_view name : mutate::engine_names()) words.emplace_back(name);
  return words;
}

std::vector<std::string> solver_words() {
  std::vector<std::string> words;
  for (const auto& profile : solver::Profiles::standard().all()) {
    if (!profile->programs.empty()) words.push_back(profile->name);
  }
  return words;
}

std::vector<std::string> optional_oracle_words() {
  std::vector<std::string> words;
  for (const auto& oracle : oracle::oracle_briefs()) {
    if (oracle.is_optional) words.emplace_back(oracle.name);
  }
  return words;
}

std::vector<std::string> kind_words() {
  std::vector<std::string> words;
  for (const record::KindInfo& kind : record::kinds()) words.emplace_back(kind.name);
  return words;
}

std::vector<std::string> state_words() {
  std::vector<std::string> words = {"open"};
  for (const std::string_view state : record::bug_states()) words.emplace_back(state);
  return words;
}

struct Values {
  std::string_view option;
  std::vector<std::string> (*words)();
};

constexpr Values kValues[] = {
    {"--engine", engine_words},
    {"--solver", solver_words},
    {"--oracle", optional_oracle_words},
    {"--lane",
     [] {
       return std::vector<std::string>{"checks", "terms"};
     }},
    {"--kind", kind_words},
    {"--state", state_words},
    {"STATE", state_words},
    {"SHELL",
     [] {
       return std::vector<std::string>{"bash", "zsh", "fish"};
     }},
    {"--format",
     [] {
       return std::vector<std::string>{"github", "json", "sarif"};
     }},
    {"--policy",
     [] {
       return std::vector<std::string>{"default", "regular", "anything"};
     }},
    {"--options-from",
     [] {
       return std::vector<std::string>{"both", "relevant", "search", "random"};
     }},
};

Glossary engine_glossary() {
  Glossary engines{"Engines", {}};
  for (const mutate::Brief& one : mutate::engine_briefs())
    engines.rows.emplace_back(one.name, one.about);
  return engines;
}

Glossary way_glossary() {
  Glossary ways{"Ways of asking, with any engine", {}};
  for (const mutate::Brief& one : campaign::ways()) {
    ways.rows.emplace_back(fmt::format("+{}", one.name), one.about);
  }
  return ways;
}

Glossary oracle_glossary() {
  Glossary oracles{"Oracles", {}};
  for (const auto& one : oracle::oracle_briefs()) {
    oracles.rows.emplace_back(
        one.name, fmt::format("{}{}", one.about, one.is_optional ? " (only with --oracle)" : ""));
  }
  return oracles;
}

}  // namespace

std::string long_name(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name(true);
}

std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  // What follows a colon is said by CLI11 of its checks.
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}

std::vector<OptionGroup> option_groups(const CLI::App& command) {
  std::vector<const CLI::Option*> options = command.get_options(is_shown);
  std::vector<OptionGroup> groups;
  for (auto& [title, members] : below_titles(
           option_titles(), options, [](const CLI::Option* one) { return long_name(*one); })) {
    groups.push_back({title, std::move(members)});
  }
  if (options.size() > kFew) return groups;
  OptionGroup all{"Options", {}};
  for (const OptionGroup& group : groups) {
    all.options.insert(all.options.end(), group.options.begin(), group.options.end());
  }
  return {all};
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<CommandGroup> command_groups(const CLI::App& app) {
  const auto commands = app.get_subcommands({});
  if (app.get_parent() != nullptr) {
    if (commands.empty()) return {};
    return {{"Commands", {commands.begin(), commands.end()}}};
  }
  std::vector<CommandGroup> groups;
  for (auto& [title, members] :
       below_titles(tasks(), commands, [](const CLI::App* one) { return one->get_name(); })) {
    groups.push_back({title, {members.begin(), members.end()}});
  }
  return groups;
}

std::vector<std::string> value_words(const CLI::Option& option) {
  for (const Values& row : kValues) {
    if (row.option == long_name(option)) return row.words();
  }
  return {};
}

std::string shown_names(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += fmt::format("-{}, ", name);
  text += long_name(option);
  const std::string value = value_name(option);
  return value.empty() ? text : text + ' ' + value;
}

std::string shown_help(const CLI::Option& option) {
  const std::string& text = option.get_description();
  const std::string standard = option.get_default_str();
  const bool says_it = text.find("default") != std::string::npos;
  if (standard.empty() || says_it || value_name(option).empty()) return text;
  return fmt::format("{} (default {})", text, standard);
}

std::vector<Glossary> glossaries(const CLI::App& command) {
  if (command.get_name() == "mutate") return {engine_glossary(), way_glossary()};
  if (command.get_name() == "judge") return {oracle_glossary()};
  if (command.get_name() != "fuzz") return {};
  return {engine_glossary(), way_glossary(), oracle_glossary()};
}

}  // namespace elenchus::cli
