#include "mutate/registry.h"

#include "mutate/incremental.h"

namespace elenchus::mutate {
namespace {

struct Row {
  std::string_view name;
  std::unique_ptr<Engine> (*make)(const EngineSettings& settings);
};

// One line for each engine.
constexpr Row kEngines[] = {
    {"opfuzz", [](const EngineSettings& settings) { return make_opfuzz(settings.opfuzz); }},
    {"typefuzz", [](const EngineSettings& settings) { return make_typefuzz(settings.typefuzz); }},
    {"diver", [](const EngineSettings& settings) { return make_diver(settings.diver); }},
    {"storm", [](const EngineSettings& settings) { return make_storm(settings.storm); }},
    {"skeleton", [](const EngineSettings& settings) { return make_skeleton(settings.skeleton); }},
    {"fusion", [](const EngineSettings& settings) { return make_fusion(settings.fusion); }},
    {"generate", [](const EngineSettings& settings) { return make_generate(settings.generate); }},
};

struct Modifier {
  std::string_view name;
  std::unique_ptr<Engine> (*make)(std::unique_ptr<Engine> inner);
};

// What can be said of any engine.
constexpr Modifier kModifiers[] = {
    {"incremental", make_incremental},
};

std::unique_ptr<Engine> make_plain(std::string_view name, const EngineSettings& settings) {
  for (const Row& row : kEngines) {
    if (row.name == name) return row.make(settings);
  }
  return nullptr;
}

std::unique_ptr<Engine> modified(std::unique_ptr<Engine> engine, std::string_view name) {
  for (const Modifier& modifier : kModifiers) {
    if (modifier.name == name) return modifier.make(std::move(engine));
  }
  return nullptr;
}

}  // namespace

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kEngines) names.push_back(row.name);
  return names;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineSettings& settings) {
  size_t end = name.find('+');
  auto engine = make_plain(name.substr(0, end), settings);
  while (engine != nullptr && end != std::string_view::npos) {
    name.remove_prefix(end + 1);
    end = name.find('+');
    engine = modified(std::move(engine), name.substr(0, end));
  }
  return engine;
}

bool is_engine_name(std::string_view name) { return make_engine(name) != nullptr; }

}  // namespace elenchus::mutate
