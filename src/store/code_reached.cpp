#include "store/code_reached.h"

#include <system_error>

#include <fmt/format.h>

#include "store/files.h"
#include "store/json.h"

namespace elenchus::store {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Reached& counts) { return {{"reached", counts.reached}, {"all", counts.all}}; }

Json json_of(const CodeCounts& counts) {
  return {{"name", counts.name},
          {"lines", json_of(counts.lines)},
          {"functions", json_of(counts.functions)},
          {"branches", json_of(counts.branches)}};
}

// Throws nlohmann's exceptions where something is missing or of another kind.
Reached reached_of(const Json& json) {
  return {json.at("reached").get<uint64_t>(), json.at("all").get<uint64_t>()};
}

CodeCounts counts_of(const Json& json) {
  return {json.at("name").get<std::string>(), reached_of(json.at("lines")),
          reached_of(json.at("functions")), reached_of(json.at("branches"))};
}

}  // namespace

base::Result<void> write_code_reached(const CampaignFolder& folder,
                                      const std::vector<CodeReached>& solvers) {
  Json list = Json::array();
  for (const CodeReached& solver : solvers) {
    Json entry = json_of(solver.total);
    entry["files"] = Json::array();
    for (const CodeCounts& file : solver.files) entry["files"].push_back(json_of(file));
    list.push_back(std::move(entry));
  }
  Json whole;
  whole["solvers"] = std::move(list);
  return replace_file(folder.coverage(), dump_json(whole, 1) + "\n", Durability::kNow);
}

base::Result<std::vector<CodeReached>> read_code_reached(const CampaignFolder& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder.coverage(), error)) return std::vector<CodeReached>{};
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, read_file(folder.coverage()));
  try {
    std::vector<CodeReached> solvers;
    const Json whole = Json::parse(text);
    for (const Json& entry : whole.at("solvers")) {
      CodeReached& solver = solvers.emplace_back();
      solver.total = counts_of(entry);
      for (const Json& file : entry.at("files")) solver.files.push_back(counts_of(file));
    }
    return solvers;
  } catch (const nlohmann::json::exception& wrong) {
    return base::Error{
        base::ErrorKind::kParse,
        fmt::format("'{}' is damaged; remove it, and `elenchus report` makes it again ({})",
                    folder.coverage().string(), wrong.what()),
        {}};
  }
}

}  // namespace elenchus::store
