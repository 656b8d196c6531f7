#include "mutate/registry.h"

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
    {"storm", [](const EngineSettings& settings) { return make_storm(settings.storm); }},
};

}  // namespace

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kEngines) names.push_back(row.name);
  return names;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineSettings& settings) {
  for (const Row& row : kEngines) {
    if (row.name == name) return row.make(settings);
  }
  return nullptr;
}

}  // namespace elenchus::mutate
