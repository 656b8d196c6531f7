#include "web/campaign_json.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "record/bug.h"
#include "record/kind.h"
#include "store/code_reached.h"
#include "store/files.h"
#include "web/running_time.h"
#include "web/series.h"

namespace elenchus::web {
namespace {

using store::CampaignView;

std::string name_of(const std::filesystem::path& root) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(root, ignored).lexically_normal();
  const std::string last = whole.filename().string();
  return last.empty() ? whole.parent_path().filename().string() : last;
}

Json outcomes_json(const store::Counts& counts) {
  return {{"sat", counts.sat},
          {"unsat", counts.unsat},
          {"unknown", counts.unknown},
          {"timeout", counts.timeouts},
          {"memout", counts.memouts},
          {"crash", counts.crashes},
          {"rejected", counts.rejected_runs}};
}

Json counts_json(const std::string& name, const store::Counts& counts) {
  return {{"name", name},
          {"tests", counts.tests},
          {"runs", counts.runs},
          {"accepted", counts.accepted},
          {"rejected", counts.rejected},
          {"decided", counts.decided},
          {"valid", counts.valid},
          {"skipped", counts.skipped},
          {"findings", counts.findings},
          {"bugs", counts.bugs},
          {"cpu", counts.cpu_seconds_solvers},
          {"outcomes", outcomes_json(counts)}};
}

// Those with most bugs first, then those with most tests: what a reader looks for.
template <typename Map>
Json ranked(const Map& by_name) {
  std::vector<std::pair<std::string, store::Counts>> rows(by_name.begin(), by_name.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.bugs, a.second.runs) > std::pair(b.second.bugs, b.second.runs);
  });
  Json list = Json::array();
  for (const auto& [name, counts] : rows) list.push_back(counts_json(name, counts));
  return list;
}

Json folders_json(std::vector<store::FolderRecord> folders) {
  std::stable_sort(folders.begin(), folders.end(), [](const auto& a, const auto& b) {
    return std::pair(a.findings, a.counts.tests) > std::pair(b.findings, b.counts.tests);
  });
  Json list = Json::array();
  for (const store::FolderRecord& folder : folders) {
    list.push_back({{"name", folder.folder},
                    {"seeds", folder.seeds},
                    {"dropped", folder.dropped},
                    {"tests", folder.counts.tests},
                    {"accepted", folder.counts.accepted},
                    {"rejected", folder.counts.rejected},
                    {"decided", folder.counts.decided},
                    {"findings", folder.findings},
                    {"cpu", folder.cpu}});
  }
  return list;
}

Json bugs_json(const std::vector<store::BugRecord>& bugs, const RunningTime& running) {
  Json list = Json::array();
  for (const store::BugRecord& bug : bugs) {
    Json row = record::to_json(bug, record::kRow);
    row["known"] = bug.rank == record::kKnownRank;
    row["outside_policy"] = bug.rank == record::kOutsideRank;
    row["found"] = std::round(running.at(bug.first_seen));
    for (const char* time : {"first_seen", "last_seen"}) {
      row[time] = std::floor(row[time].get<double>());
    }
    list.push_back(std::move(row));
  }
  return list;
}

Json events_json(const std::vector<store::EventRecord>& events) {
  constexpr size_t kMost = 100;  // the newest
  Json list = Json::array();
  for (size_t i = events.size() - std::min(events.size(), kMost); i < events.size(); ++i) {
    const store::EventRecord& event = events[i];
    list.push_back({{"last", std::floor(event.last)},
                    {"severity", store::to_string(event.severity)},
                    {"source", event.source},
                    {"message", event.message},
                    {"count", event.count}});
  }
  return list;
}

Json skips_json(const std::vector<store::SkipRecord>& skips) {
  constexpr size_t kMost = 40;
  Json list = Json::array();
  for (const store::SkipRecord& skip : skips) {
    if (list.size() == kMost) break;
    list.push_back({{"engine", skip.engine}, {"reason", skip.reason}, {"count", skip.count}});
  }
  return list;
}

Json code_json(const store::CodeCounts& counts) {
  return {{"name", counts.name},
          {"lines", {counts.lines.reached, counts.lines.all}},
          {"functions", {counts.functions.reached, counts.functions.all}},
          {"branches", {counts.branches.reached, counts.branches.all}}};
}

// The files with most lines that were not reached first: where tests are missing.
Json code_json(std::vector<store::CodeReached> solvers) {
  constexpr size_t kMostFiles = 200;
  const auto missed = [](const store::CodeCounts& counts) {
    return counts.lines.all - std::min(counts.lines.reached, counts.lines.all);
  };
  Json list = Json::array();
  for (store::CodeReached& solver : solvers) {
    std::stable_sort(solver.files.begin(), solver.files.end(),
                     [&](const auto& a, const auto& b) { return missed(a) > missed(b); });
    Json entry = code_json(solver.total);
    entry["file_count"] = solver.files.size();
    entry["files"] = Json::array();
    for (size_t i = 0; i < std::min(solver.files.size(), kMostFiles); ++i) {
      entry["files"].push_back(code_json(solver.files[i]));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// How a node stands, from when it was heard of: whoever wrote that down may have ended, too.
Json node_json(const Json& written) {
  const double silent = std::max(0.0, base::wall_time() - written.at("seen").get<double>());
  const bool is_stalled = silent > store::kNodeSilence;
  Json node = written;
  node["standing"] = written.at("ended").get<bool>() ? "ended" : is_stalled ? "stalled" : "alive";
  node["silent"] = silent;
  return node;
}

// Of a shared campaign: what its mirror has written down.
Json nodes_json(const CampaignView& view) {
  const auto text = store::read_file(view.folder().nodes());
  const Json written = text ? Json::parse(*text, nullptr, false) : Json::array();
  Json nodes = Json::array();
  try {
    for (const Json& node : written) nodes.push_back(node_json(node));
  } catch (const Json::exception&) {
    return Json::array();  // of another version
  }
  return nodes;
}

// The scripts before what belongs to them.
int place_of(const std::string& file) {
  constexpr std::array<std::string_view, 5> kFirst = {"reduced.smt2", "witness.model", "repro.sh",
                                                      "report.md", "original.smt2"};
  return static_cast<int>(std::find(kFirst.begin(), kFirst.end(), file) - kFirst.begin());
}

base::Result<Json> files_json(const CampaignView& view, const std::string& id, size_t most) {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<std::string> names, view.bug_files(id));
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return place_of(a) < place_of(b);
  });
  Json list = Json::array();
  for (const std::string& name : names) {
    if (name == store::kManifestName) continue;
    const auto text = view.read_bug_file(id, name);
    if (!text) continue;  // a file that is being replaced; the others are worth showing
    list.push_back({{"name", name},
                    {"size", text->size()},
                    {"cut", text->size() > most},
                    {"text", text->substr(0, most)}});
  }
  return list;
}

}  // namespace

base::Result<Json> campaign_json(const CampaignView& view) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::Stats stats, view.stats());
  ELENCHUS_ASSIGN_OR_RETURN(const auto sessions, view.sessions());
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, view.bugs());
  ELENCHUS_ASSIGN_OR_RETURN(auto folders, view.folders());
  ELENCHUS_ASSIGN_OR_RETURN(const auto events, view.events());
  ELENCHUS_ASSIGN_OR_RETURN(const auto skips, view.skips());
  ELENCHUS_ASSIGN_OR_RETURN(auto code, store::read_code_reached(view.folder()));
  const RunningTime running(sessions);
  ELENCHUS_ASSIGN_OR_RETURN(Json series, series_json(view, plot_step(stats.seconds), running));
  const auto settings = view.settings();
  // Long enough for a writer that is busy, short enough to see that it is gone.
  constexpr double kSilence = 30;
  Json totals = Json::parse(store::print_stats(stats));
  for (const char* name : {"engines", "solvers", "program", "command_line"}) totals.erase(name);
  return Json{{"name", name_of(view.folder().root())},
              {"running", base::wall_time() - stats.last_update < kSilence},
              {"program", stats.program},
              {"command_line", stats.command_line},
              {"settings", settings ? *settings : std::string()},
              {"totals", std::move(totals)},
              {"engines", ranked(stats.engines)},
              {"solvers", ranked(stats.solvers)},
              {"folders", folders_json(std::move(folders))},
              {"series", std::move(series)},
              {"bugs", bugs_json(bugs, running)},
              {"events", events_json(events)},
              {"skips", skips_json(skips)},
              {"nodes", nodes_json(view)},
              {"code", code_json(std::move(code))}};
}

Json overview_json(const Json& campaign) {
  Json found = Json::array();
  for (const Json& bug : campaign["bugs"]) found.push_back(bug["found"]);
  const Json& series = campaign["series"];
  Json tests = Json::array({Json::array({0, 0})});
  uint64_t sum = 0;
  for (size_t i = 0; i < series["time"].size(); ++i) {
    sum += series["tests"][i].get<uint64_t>();
    const double end = series["time"][i].get<double>() + series["width"][i].get<double>();
    tests.push_back({end, sum});
  }
  const Json& totals = campaign["totals"];
  return {{"name", campaign["name"]},     {"running", campaign["running"]},
          {"bugs", totals["bugs"]},       {"tests", totals["tests"]},
          {"seconds", totals["seconds"]}, {"found", std::move(found)},
          {"tests_by", std::move(tests)}};
}

base::Result<Json> find_bug_json(const CampaignView& view, std::string_view id, size_t most) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::BugRecord bug, view.bug(id));
  if (bug.id != id) {
    return base::Error{base::ErrorKind::kIo, "there is no bug '" + base::shown(id) + "'", {}};
  }
  return bug_json(view, bug.id, most);
}

base::Result<Json> bug_json(const CampaignView& view, const std::string& id, size_t most) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(id));
  ELENCHUS_ASSIGN_OR_RETURN(Json files, files_json(view, id, most));
  Json object = record::to_json(manifest, record::kCard);
  // As text: JavaScript's numbers have 53 bits.
  object["rng_seed"] = std::to_string(manifest.rng_seed);
  object["files"] = std::move(files);
  return object;
}

}  // namespace elenchus::web
