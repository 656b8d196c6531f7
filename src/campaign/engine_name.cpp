#include "campaign/engine_name.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggest.h"

namespace elenchus::campaign {
namespace {

constexpr std::string_view kOptions = "+options";
constexpr std::string_view kVariants = "+variants";
constexpr std::string_view kIncremental = "+incremental";
constexpr std::string_view kTactics = "+tactics";
constexpr std::string_view kObjectives = "+objectives";

// Takes a suffix out of the middle or the end of a name; false where it is not there.
bool take(std::string& name, std::string_view suffix) {
  const size_t at = name.find(suffix);
  const size_t end = at + suffix.size();
  if (at == std::string::npos || (end < name.size() && name[end] != '+')) return false;
  name.erase(at, suffix.size());
  return true;
}

}  // namespace

EngineName engine_name_of(std::string_view name) {
  EngineName result{.plain = std::string(name)};
  result.has_options = take(result.plain, kOptions);
  result.has_variants = take(result.plain, kVariants);
  return result;
}

std::string without_guests(std::string_view name) { return engine_name_of(name).plain; }

std::vector<mutate::Brief> ways() {
  std::vector<mutate::Brief> all = mutate::modifier_briefs();
  all.push_back(
      {kOptions.substr(1), "under solver options that matter to the test (Falcon, ISSTA 2021)"});
  all.push_back(
      {kVariants.substr(1), "under variants of a solver that its maintainers want tested"});
  return all;
}

std::string engine_suggestion(std::string_view name) {
  std::vector<std::string> known;
  for (const std::string_view engine : mutate::engine_names()) known.emplace_back(engine);
  std::vector<std::string> suffixes;
  for (const mutate::Brief& way : ways()) suffixes.emplace_back(way.name);
  std::string meant;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('+', at), name.size());
    const std::string word = base::nearest(name.substr(at, end - at), at == 0 ? known : suffixes);
    if (word.empty()) return fmt::format("; choose from {}", fmt::join(known, ", "));
    meant += (at == 0 ? "" : "+") + word;
    at = end + 1;
  }
  return fmt::format("; did you mean '{}'?", meant);
}

std::vector<std::string> default_mix(const Means& means) {
  std::vector<std::string> names;
  for (const std::string_view engine : mutate::engine_names()) {
    names.emplace_back(engine);
    names.push_back(fmt::format("{}{}", engine, kIncremental));
    if (means.tactics) names.push_back(fmt::format("{}{}", engine, kTactics));
    if (means.objectives) names.push_back(fmt::format("{}{}", engine, kObjectives));
    if (means.options) names.push_back(fmt::format("{}{}", engine, kOptions));
    if (means.variants) names.push_back(fmt::format("{}{}", engine, kVariants));
  }
  return names;
}

}  // namespace elenchus::campaign
