#include "record/bug.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "record/kind.h"

namespace elenchus::record {

using Json = nlohmann::ordered_json;

// By its name: the library looks for it.
void to_json(Json& object, const SolverAnswer& answer) {
  object = {{"solver", answer.solver},
            {"version", answer.version},
            {"command", answer.command},
            {"answer", answer.answer}};
}

namespace {

// Takes fields out of an object; remembers the first one that is not as it should be.
class Fields {
 public:
  Fields(const Json& object, std::string prefix) : object_(object), prefix_(std::move(prefix)) {}

  void take(const char* name, std::string& value) {
    if (const Json* field = find(name, &Json::is_string, "a string")) {
      value = field->get<std::string>();
    }
  }
  void take(const char* name, bool& value) {
    if (const Json* field = find(name, &Json::is_boolean, "true or false")) {
      value = field->get<bool>();
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
  // Of no manifest.
  void take(const char*, double&) {}
  void take(const char*, int&) {}
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

}  // namespace

std::span<const std::string_view> bug_states() {
  static constexpr auto kStates =
      std::to_array<std::string_view>({"reported", "fixed", "not-a-bug", "known"});
  return kStates;
}

int rank_of(const Bug& bug) {
  if (!bug.known.empty()) return kKnownRank;
  if (!bug.outside_policy.empty()) return kOutsideRank;
  const int of_kind = rank_of(bug.probable.empty() ? bug.kind : bug.probable);
  const int rank = bug.new_since.empty() ? of_kind : of_kind - kNewLead;
  return bug.disclaimed.empty() ? rank : rank + static_cast<int>(kinds().size()) + 1;
}

Json to_json(const Bug& bug, View view) {
  Json object = Json::object();
#define ELENCHUS_BUG_FIELD(member, views) \
  if (((views)&view) != 0) object[#member] = bug.member;
#include "record/bug_fields.def"
#undef ELENCHUS_BUG_FIELD
  return object;
}

base::Result<Bug> bug_of_json(const Json& object) {
  Bug bug;
  Fields fields(object, "");
#define ELENCHUS_BUG_FIELD(member, views) \
  if (((views)&kManifest) != 0) fields.take(#member, bug.member);
#include "record/bug_fields.def"
#undef ELENCHUS_BUG_FIELD
  fields.need("id", bug.id);
  fields.need("kind", bug.kind);
  fields.need("solver", bug.solver);
  fields.need("signature", bug.signature);
  if (!fields.problem().empty()) {
    return base::Error{base::ErrorKind::kParse, fields.problem(), {}};
  }
  return bug;
}

}  // namespace elenchus::record
