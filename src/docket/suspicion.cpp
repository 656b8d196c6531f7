#include "docket/suspicion.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "store/json.h"

namespace elenchus::docket {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDescription = "suspicion.json";
constexpr std::array kStages = {Stage::kSuspected, Stage::kConfirmed, Stage::kReduced,
                                Stage::kUnconfirmed};

// The texts with a file of their own, which is there where the text is not empty.
struct TextFile {
  std::string_view name;
  std::string Suspicion::*text;
};
constexpr std::array kTexts = {
    TextFile{"script.smt2", &Suspicion::script},
    TextFile{"witness.model", &Suspicion::witness},
    TextFile{"test.model", &Suspicion::test_model},
    TextFile{"session.smt2", &Suspicion::session},
    TextFile{"reduced.smt2", &Suspicion::reduced},
    TextFile{"reduced.model", &Suspicion::reduced_witness},
};

Json json_of(const Party& party) { return {{"solver", party.solver}, {"options", party.options}}; }

Party party_of(const Json& json) {
  return {json.at("solver").get<std::string>(), json.at("options").get<std::vector<std::string>>()};
}

Json json_of(const Suspicion& one) {
  Json json = {{"id", one.id},
               {"stage", to_string(one.stage)},
               {"time", one.time},
               {"kind", one.kind},
               {"oracle", one.oracle},
               {"guilty", json_of(one.solver)},
               {"check", one.check},
               {"claim", one.claim},
               {"evidence", one.evidence},
               {"location", one.location},
               {"look", one.look},
               {"cause", one.cause},
               {"engine", one.origin.engine},
               {"seeds", one.origin.seeds},
               {"rng", one.origin.rng},
               {"expectation", one.origin.expectation},
               {"construction", one.construction},
               {"expected", one.expected},
               {"is_by_variant", one.is_by_variant},
               {"needs_history", one.needs_history},
               {"is_minimal", one.is_minimal},
               {"tries", one.tries},
               {"reduced_check", one.reduced_check},
               {"provisional", one.provisional},
               {"reason", one.reason}};
  if (one.other) json["other"] = json_of(*one.other);
  return json;
}

std::optional<Stage> stage_of(std::string_view name) {
  for (const Stage stage : kStages) {
    if (to_string(stage) == name) return stage;
  }
  return {};
}

// Throws what the JSON library throws where a field is missing or of another type.
Suspicion suspicion_of(const Json& json) {
  Suspicion one;
  const auto take = [&](const char* name, auto& field) { json.at(name).get_to(field); };
  take("id", one.id);
  take("time", one.time);
  take("kind", one.kind);
  take("oracle", one.oracle);
  take("check", one.check);
  take("claim", one.claim);
  take("evidence", one.evidence);
  take("location", one.location);
  take("look", one.look);
  take("cause", one.cause);
  take("engine", one.origin.engine);
  take("seeds", one.origin.seeds);
  take("rng", one.origin.rng);
  take("expectation", one.origin.expectation);
  take("construction", one.construction);
  take("expected", one.expected);
  take("is_by_variant", one.is_by_variant);
  take("needs_history", one.needs_history);
  take("is_minimal", one.is_minimal);
  take("tries", one.tries);
  one.reduced_check = json.value("reduced_check", one.check);
  one.provisional = json.value("provisional", std::string());
  take("reason", one.reason);
  one.stage = stage_of(json.at("stage").get<std::string>()).value_or(Stage::kSuspected);
  one.solver = party_of(json.at("guilty"));
  if (json.contains("other")) one.other = party_of(json.at("other"));
  return one;
}

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kSuspected: return "suspected";
    case Stage::kConfirmed: return "confirmed";
    case Stage::kReduced: return "reduced";
    case Stage::kUnconfirmed: return "unconfirmed";
  }
  return "?";
}

store::RecordFile description_of(const Suspicion& suspicion) {
  return {std::string(kDescription), store::dump_json(json_of(suspicion), 1) + "\n"};
}

std::string json_text(const Suspicion& suspicion) {
  Json json = json_of(suspicion);
  for (const TextFile& file : kTexts) {
    if (!(suspicion.*file.text).empty()) json["files"].push_back(file.name);
  }
  return store::dump_json(json);
}

std::vector<store::RecordFile> files_of(const Suspicion& suspicion) {
  std::vector<store::RecordFile> files = {description_of(suspicion)};
  for (const TextFile& file : kTexts) {
    const std::string& text = suspicion.*file.text;
    if (!text.empty()) files.push_back({std::string(file.name), text});
  }
  return files;
}

base::Result<Suspicion> read_suspicion(const store::RecordFolders& folders, std::string_view id) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, folders.read(id, kDescription));
  Suspicion suspicion;
  try {
    suspicion = suspicion_of(Json::parse(text));
  } catch (const Json::exception& error) {
    return base::Error{base::ErrorKind::kParse,
                       fmt::format("cannot read '{}': {}",
                                   (folders.root() / id / kDescription).string(), error.what()),
                       {}};
  }
  suspicion.id = id;
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, folders.files(id));
  for (const TextFile& file : kTexts) {
    if (std::find(names.begin(), names.end(), file.name) == names.end()) continue;
    ELENCHUS_ASSIGN_OR_RETURN(suspicion.*file.text, folders.read(id, file.name));
  }
  // Campaigns of older versions keep one witness, which is good for what is left of the script.
  const bool has_one = !suspicion.reduced.empty() && suspicion.reduced_witness.empty();
  if (has_one) suspicion.reduced_witness = suspicion.witness;
  return suspicion;
}

}  // namespace elenchus::docket
