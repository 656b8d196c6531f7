#include "store/manifest.h"

#include <nlohmann/json.hpp>

#include "store/json.h"

namespace elenchus::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

base::Error broken(std::string message) {
  return {base::ErrorKind::kParse, std::move(message), {}};
}

}  // namespace

std::string print_manifest(const Manifest& manifest) {
  Json object = {{"format", kFormat}};
  object.update(record::to_json(manifest, record::kManifest));
  return dump_json(object, 2) + '\n';
}

base::Result<Manifest> parse_manifest(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  if (object.is_discarded()) return broken("it is not JSON");
  if (!object.is_object()) return broken("it is not a JSON object");
  return record::bug_of_json(object);
}

std::string print_mark(const record::Mark& mark) {
  const Json object = {{"state", mark.state}, {"reference", mark.reference}, {"note", mark.note}};
  return dump_json(object, 2) + '\n';
}

base::Result<record::Mark> parse_mark(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return broken("it is not a JSON object");
  record::Mark mark;
  const auto take = [&](const char* name, std::string& field) {
    const auto at = object.find(name);
    if (at != object.end() && at->is_string()) field = at->get<std::string>();
  };
  take("state", mark.state);
  take("reference", mark.reference);
  take("note", mark.note);
  return mark;
}

}  // namespace elenchus::store
