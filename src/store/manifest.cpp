#include "store/manifest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "store/json.h"

namespace elenchus::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json answers_json(const std::vector<SolverAnswer>& answers) {
  Json list = Json::array();
  for (const SolverAnswer& answer : answers) {
    list.push_back({{"solver", answer.solver},
                    {"version", answer.version},
                    {"command", answer.command},
                    {"answer", answer.answer}});
  }
  return list;
}

// Takes fields out of an object; remembers the first one that is not as it should be.
class Fields {
 public:
  Fields(const Json& object, std::string prefix) : object_(object), prefix_(std::move(prefix)) {}

  void take(const char* name, std::string& value) {
    if (const Json* field = find(name, &Json::is_string, "a string")) {
      value = field->get<std::string>();
    }
  }
  void take(const char* name, uint64_t& value) {
    if (const Json* field = find(name, &Json::is_number_unsigned, "a number, at least 0")) {
      value = field->get<uint64_t>();
    }
  }
  void take(const char* name, int64_t& value) {
    if (const Json* field = find(name, &Json::is_number_integer, "a whole number")) {
      value = field->get<int64_t>();
    }
  }
  void take(const char* name, std::vector<std::string>& value) {
    const Json* field = find(name, &Json::is_array, "a list of strings");
    if (field == nullptr) return;
    for (const Json& item : *field) {
      if (!item.is_string()) return complain(name, "should be a list of strings");
      value.push_back(item.get<std::string>());
    }
  }
  void take(const char* name, std::vector<SolverAnswer>& value) {
    const Json* field = find(name, &Json::is_array, "a list of objects");
    if (field == nullptr) return;
    for (const Json& item : *field) {
      if (!item.is_object()) return complain(name, "should be a list of objects");
      Fields parts(item, prefix_ + name + ".");
      SolverAnswer& answer = value.emplace_back();
      parts.take("solver", answer.solver);
      parts.take("version", answer.version);
      parts.take("command", answer.command);
      parts.take("answer", answer.answer);
      if (problem_.empty()) problem_ = parts.problem_;
    }
  }
  void need(const char* name, const std::string& value) {
    if (value.empty()) complain(name, "is missing or empty");
  }

  const std::string& problem() const { return problem_; }

 private:
  const Json* find(const char* name, bool (Json::*is_right)() const noexcept, const char* wanted) {
    const auto at = object_.find(name);
    if (at == object_.end()) return nullptr;
    if (((*at).*is_right)()) return &*at;
    complain(name, fmt::format("should be {}", wanted));
    return nullptr;
  }
  void complain(const char* name, const std::string& what) {
    if (problem_.empty()) problem_ = fmt::format("the field '{}{}' {}", prefix_, name, what);
  }

  const Json& object_;
  std::string prefix_;
  std::string problem_;
};

base::Error broken(std::string message) {
  return {base::ErrorKind::kParse, std::move(message), {}};
}

}  // namespace

std::string print_manifest(const Manifest& manifest) {
  const Json object = {
      {"format", kFormat},
      {"id", manifest.id},
      {"kind", manifest.kind},
      {"title", manifest.title},
      {"solver", manifest.solver},
      {"version", manifest.version},
      {"command", manifest.command},
      {"options", manifest.options},
      {"engine", manifest.engine},
      {"seeds", manifest.seeds},
      {"rng_seed", manifest.rng_seed},
      {"logic", manifest.logic},
      {"expectation", manifest.expectation},
      {"evidence", manifest.evidence},
      {"answers", answers_json(manifest.answers)},
      {"signature", manifest.signature},
      {"shape", manifest.shape},
      {"shown_by", manifest.shown_by},
      {"theories", manifest.theories},
      {"random_seeds", manifest.random_seeds},
      {"random_seeds_shown", manifest.random_seeds_shown},
      {"known", manifest.known},
      {"size_original", manifest.size_original},
      {"size_reduced", manifest.size_reduced},
      {"time", manifest.time},
  };
  return dump_json(object, 2) + '\n';
}

base::Result<Manifest> parse_manifest(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  if (object.is_discarded()) return broken("it is no JSON");
  if (!object.is_object()) return broken("it is no JSON object");
  Manifest manifest;
  Fields fields(object, "");
  fields.take("id", manifest.id);
  fields.take("kind", manifest.kind);
  fields.take("title", manifest.title);
  fields.take("solver", manifest.solver);
  fields.take("version", manifest.version);
  fields.take("command", manifest.command);
  fields.take("options", manifest.options);
  fields.take("engine", manifest.engine);
  fields.take("seeds", manifest.seeds);
  fields.take("rng_seed", manifest.rng_seed);
  fields.take("logic", manifest.logic);
  fields.take("expectation", manifest.expectation);
  fields.take("evidence", manifest.evidence);
  fields.take("answers", manifest.answers);
  fields.take("signature", manifest.signature);
  fields.take("shape", manifest.shape);
  fields.take("shown_by", manifest.shown_by);
  fields.take("theories", manifest.theories);
  fields.take("random_seeds", manifest.random_seeds);
  fields.take("random_seeds_shown", manifest.random_seeds_shown);
  fields.take("known", manifest.known);
  fields.take("size_original", manifest.size_original);
  fields.take("size_reduced", manifest.size_reduced);
  fields.take("time", manifest.time);
  fields.need("id", manifest.id);
  fields.need("kind", manifest.kind);
  fields.need("solver", manifest.solver);
  fields.need("signature", manifest.signature);
  if (!fields.problem().empty()) return broken(fields.problem());
  return manifest;
}

}  // namespace elenchus::store
