#include "triage/export.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "record/kind.h"
#include "store/json.h"
#include "triage/groups.h"

namespace elenchus::triage {
namespace {

using Json = nlohmann::ordered_json;
using record::Bug;

std::string theory_of(const Bug& bug) {
  return bug.theories.empty() ? bug.signature : fmt::format("{}", fmt::join(bug.theories, " "));
}

// Wrong answers are errors; what nobody can settle, and what is only slow, is less.
const char* level_of(const record::KindInfo* kind) {
  return kind != nullptr && kind->look == record::Look::kMild ? "warning" : "error";
}

Json rules() {
  Json list = Json::array();
  for (const record::KindInfo& kind : record::kinds()) {
    list.push_back({{"id", kind.name},
                    {"shortDescription", {{"text", fmt::format("a solver {}", kind.meaning)}}},
                    {"defaultConfiguration", {{"level", level_of(&kind)}}}});
  }
  return list;
}

Json result_of(const SarifBug& entry) {
  const record::Bug& bug = entry.bug;
  Json result = {{"ruleId", bug.kind}};
  const record::KindInfo* kind = record::find_kind(bug.kind);
  if (kind != nullptr) result["ruleIndex"] = static_cast<size_t>(kind->kind);
  result["level"] = level_of(kind);
  result["message"] = {{"text", bug.title}, {"markdown", entry.report}};
  result["locations"] = Json::array(
      {{{"physicalLocation",
         {{"artifactLocation", {{"uri", entry.uri}}}, {"region", {{"startLine", 1}}}}}}});
  result["partialFingerprints"] = {
      {"signature/v1", fmt::format("{:016x}", base::hash_bytes(bug.signature))}};
  result["properties"] = record::to_json(bug, record::kSarif);
  return result;
}

// Whether the maintainers know of the cause, or somebody has said what it is: one report of a group
// tells them of all of it.
bool is_told(std::span<const Bug> bugs, const Group& group) {
  return std::any_of(group.members.begin(), group.members.end(), [&](size_t member) {
    return !bugs[member].known.empty() || !bugs[member].state.empty();
  });
}

}  // namespace

std::vector<size_t> reporting_order(std::span<const Bug> bugs) {
  std::vector<size_t> first;
  std::vector<size_t> rest;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Group& group : group_bugs(bugs)) {
    const Bug& bug = bugs[group.chief];
    if (!bug.outside_policy.empty() || is_told(bugs, group)) continue;
    const bool is_first = seen.insert({bug.solver, theory_of(bug)}).second;
    (is_first ? first : rest).push_back(group.chief);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string sarif(std::span<const SarifBug> bugs, std::string_view program_version) {
  Json results = Json::array();
  for (const SarifBug& bug : bugs) results.push_back(result_of(bug));
  const Json driver = {{"name", "Elenchus"}, {"version", program_version}, {"rules", rules()}};
  const Json run = {{"tool", {{"driver", driver}}}, {"results", results}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return store::dump_json(log, 2) + '\n';
}

}  // namespace elenchus::triage
