#include "cli/options_listing.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "knobs/catalogue.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using knobs::Catalogue;
using knobs::Knob;
using knobs::Type;

std::string values_of(const Knob& knob) {
  if (knob.type == Type::kInteger || knob.type == Type::kReal) {
    return fmt::format("{}..{}", knob.low, knob.high);
  }
  return fmt::format("{}", fmt::join(knob.values, "|"));
}

size_t regular_count(const Catalogue& catalogue) {
  return static_cast<size_t>(
      std::count_if(catalogue.knobs.begin(), catalogue.knobs.end(),
                    [](const Knob& knob) { return knob.is_usable() && !knob.is_expert; }));
}

std::string line_of(const Knob& knob) {
  const std::string_view who = knob.is_expert ? "expert" : "regular";
  std::string text = fmt::format("  {:<44} {:<6} {:<8} ", knob.name, knobs::to_string(knob.type),
                                 knob.is_usable() ? who : "-");
  text += fmt::format("{:<12} ", knob.standard.empty() ? "-" : knob.standard);
  text += knob.is_usable() ? values_of(knob) : "left alone: " + knob.ignored;
  return text + '\n';
}

std::string summary(const solver::Solver& solver, const Catalogue& catalogue) {
  const size_t usable = catalogue.usable();
  const size_t regular = regular_count(catalogue);
  std::string text = fmt::format(
      "{} {}: {} options, {} of them usable ({} regular, {} for experts), {} left alone",
      solver.name, solver.version, catalogue.knobs.size(), usable, regular, usable - regular,
      catalogue.knobs.size() - usable);
  if (!catalogue.tactics.empty()) text += fmt::format("; {} tactics", catalogue.tactics.size());
  return text + '\n';
}

Json to_json(const Knob& knob) {
  return {{"name", knob.name},
          {"module", knob.group},
          {"type", knobs::to_string(knob.type)},
          {"default", knob.standard.empty() ? Json(nullptr) : Json(knob.standard)},
          {"values", knob.values},
          {"low", knob.low},
          {"high", knob.high},
          {"expert", knob.is_expert},
          {"usable", knob.is_usable()},
          {"reason", knob.ignored},
          {"about", knob.about}};
}

}  // namespace

std::string options_as_text(std::span<const solver::Solver> solvers) {
  std::string text;
  for (const solver::Solver& solver : solvers) {
    const Catalogue catalogue = knobs::catalogue_of(solver);
    text += summary(solver, catalogue);
    for (const Knob& knob : catalogue.knobs) text += line_of(knob);
    for (const knobs::Tactic& tactic : catalogue.tactics) {
      text += fmt::format("  tactic {:<37} {}\n", tactic.name, tactic.about);
    }
  }
  return text;
}

std::string options_as_json(std::span<const solver::Solver> solvers) {
  Json list = Json::array();
  for (const solver::Solver& solver : solvers) {
    const Catalogue catalogue = knobs::catalogue_of(solver);
    Json options = Json::array();
    for (const Knob& knob : catalogue.knobs) options.push_back(to_json(knob));
    Json tactics = Json::array();
    for (const knobs::Tactic& tactic : catalogue.tactics) tactics.push_back(tactic.name);
    list.push_back({{"name", solver.name},
                    {"version", solver.version},
                    {"count", catalogue.knobs.size()},
                    {"usable", catalogue.usable()},
                    {"regular", regular_count(catalogue)},
                    {"options", options},
                    {"tactics", tactics}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace elenchus::cli
