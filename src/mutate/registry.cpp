#include "mutate/registry.h"

#include "mutate/incremental.h"

namespace elenchus::mutate {
namespace {

struct Row {
  std::string_view name;
  std::string_view about;  // a line for the help
  std::unique_ptr<Engine> (*make)(const EngineSettings& settings);
};

// One line for each engine.
constexpr Row kEngines[] = {
    {"edit", "every well-typed change at one place of a seed, then pairs of them",
     [](const EngineSettings& settings) { return make_edit(settings.edit); }},
    {"opfuzz", "an operator becomes another one of the same type (OOPSLA 2020)",
     [](const EngineSettings& settings) { return make_opfuzz(settings.opfuzz); }},
    {"typefuzz", "an expression becomes a new one of the same type (OOPSLA 2021)",
     [](const EngineSettings& settings) { return make_typefuzz(settings.typefuzz); }},
    {"diver", "any change under which a known model of the seed still holds (ICSE 2023)",
     [](const EngineSettings& settings) { return make_diver(settings.diver); }},
    {"storm", "parts of the seed, combined so that the answer is known (ESEC/FSE 2020)",
     [](const EngineSettings& settings) { return make_storm(settings.storm); }},
    {"skeleton", "skeletons of past bugs, filled with new atoms (HistFuzz, ICSE 2023)",
     [](const EngineSettings& settings) { return make_skeleton(settings.skeleton); }},
    {"fusion", "two seeds become one whose answer is known (PLDI 2020)",
     [](const EngineSettings& settings) { return make_fusion(settings.fusion); }},
    {"generate", "scripts from scratch, by a grammar",
     [](const EngineSettings& settings) { return make_generate(settings.generate); }},
};

struct Modifier {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<Engine> (*make)(std::unique_ptr<Engine> inner, const EngineSettings& settings);
};

// What can be said of any engine.
constexpr Modifier kModifiers[] = {
    {"incremental", "asked in steps, with push, pop and several checks",
     [](std::unique_ptr<Engine> inner, const EngineSettings&) {
       return make_incremental(std::move(inner));
     }},
    {"tactics", "asked with z3's tactics",
     [](std::unique_ptr<Engine> inner, const EngineSettings& settings) {
       return make_tactics(std::move(inner), settings.tactics);
     }},
    {"objectives", "with terms to maximize or minimize, and assert-soft",
     [](std::unique_ptr<Engine> inner, const EngineSettings& settings) {
       return make_objectives(std::move(inner), settings.objectives);
     }},
};

std::unique_ptr<Engine> make_plain(std::string_view name, const EngineSettings& settings) {
  for (const Row& row : kEngines) {
    if (row.name == name) return row.make(settings);
  }
  return nullptr;
}

std::unique_ptr<Engine> modified(std::unique_ptr<Engine> engine, std::string_view name,
                                 const EngineSettings& settings) {
  for (const Modifier& modifier : kModifiers) {
    if (modifier.name == name) return modifier.make(std::move(engine), settings);
  }
  return nullptr;
}

}  // namespace

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kEngines) names.push_back(row.name);
  return names;
}

std::vector<Brief> engine_briefs() {
  std::vector<Brief> briefs;
  for (const Row& row : kEngines) briefs.push_back({row.name, row.about});
  return briefs;
}

std::vector<Brief> modifier_briefs() {
  std::vector<Brief> briefs;
  for (const Modifier& row : kModifiers) briefs.push_back({row.name, row.about});
  return briefs;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineSettings& settings) {
  size_t end = name.find('+');
  auto engine = make_plain(name.substr(0, end), settings);
  while (engine != nullptr && end != std::string_view::npos) {
    name.remove_prefix(end + 1);
    end = name.find('+');
    engine = modified(std::move(engine), name.substr(0, end), settings);
  }
  return engine;
}

bool is_engine_name(std::string_view name) { return make_engine(name) != nullptr; }

}  // namespace elenchus::mutate
