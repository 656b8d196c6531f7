#include "triage/export.h"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "store/json.h"
#include "store/kinds.h"
#include "triage/groups.h"
#include "triage/report.h"

namespace elenchus::triage {
namespace {

using Json = nlohmann::ordered_json;
using store::Manifest;

std::string theory_of(const Manifest& bug) {
  return bug.theories.empty() ? bug.signature : fmt::format("{}", fmt::join(bug.theories, " "));
}

// Wrong answers are errors; what nobody can settle, and what is only slow, is less.
const char* level_of(std::string_view kind) {
  const bool is_mild = kind == "disagreement" || kind == "incomplete" || kind == "slow";
  return is_mild ? "warning" : "error";
}

Json rules() {
  Json list = Json::array();
  for (const store::Kind& kind : store::kinds()) {
    list.push_back({{"id", kind.name},
                    {"shortDescription", {{"text", fmt::format("a solver {}", kind.meaning)}}},
                    {"defaultConfiguration", {{"level", level_of(kind.name)}}}});
  }
  return list;
}

Json result_of(const SarifBug& bug) {
  const Manifest& manifest = bug.manifest;
  Json result = {{"ruleId", manifest.kind}};
  const int rank = store::rank_of(manifest.kind);
  if (rank <= static_cast<int>(store::kinds().size())) result["ruleIndex"] = rank - 1;
  result["level"] = level_of(manifest.kind);
  result["message"] = {{"text", report_title(manifest)}, {"markdown", bug.report}};
  result["locations"] =
      Json::array({{{"physicalLocation",
                     {{"artifactLocation", {{"uri", bug.uri}}}, {"region", {{"startLine", 1}}}}}}});
  result["partialFingerprints"] = {
      {"signature/v1", fmt::format("{:016x}", base::hash_bytes(manifest.signature))}};
  result["properties"] = {{"id", manifest.id},           {"solver", manifest.solver},
                          {"version", manifest.version}, {"command", manifest.command},
                          {"options", manifest.options}, {"signature", manifest.signature},
                          {"engine", manifest.engine}};
  return result;
}

}  // namespace

std::vector<size_t> reporting_order(std::span<const Manifest> bugs) {
  std::vector<size_t> first;
  std::vector<size_t> rest;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Group& group : group_bugs(bugs)) {
    const Manifest& bug = bugs[group.chief];
    if (!bug.known.empty()) continue;
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
