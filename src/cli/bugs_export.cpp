#include "cli/bugs_export.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "cli/bugs_shelf.h"
#include "cli/complaint.h"
#include "cli/say.h"
#include "store/campaign_view.h"
#include "triage/export.h"
#include "triage/listing.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using store::BugRecord;
using triage::Listing;

// Those that are named, or the first few of the order in which one should report them: maintainers
// have to read them, and a fix often mends more than one.
base::Result<std::vector<size_t>> chosen(const BugsOptions& options, const Listing& listing) {
  std::vector<size_t> bugs;
  for (const std::string& id : options.ids) {
    ELENCHUS_ASSIGN_OR_RETURN(const Found found, find_bug(options, id));
    const auto bug = std::find_if(listing.bugs.begin(), listing.bugs.end(),
                                  [&](const BugRecord& one) { return one.id == found.id; });
    if (bug == listing.bugs.end()) {
      return base::Error{base::ErrorKind::kUnsupported,
                         fmt::format("{} is not among the bugs that are asked for", found.id),
                         {}};
    }
    bugs.push_back(static_cast<size_t>(bug - listing.bugs.begin()));
  }
  if (bugs.size() > options.limit) {
    return base::Error{base::ErrorKind::kUnsupported,
                       fmt::format("at most {} at a time, since maintainers have to read them; "
                                   "--limit allows more",
                                   base::counted(options.limit, "bug")),
                       {}};
  }
  if (!options.ids.empty()) return bugs;
  bugs = triage::reporting_order(listing.bugs);
  if (bugs.size() > options.limit) bugs.resize(options.limit);
  return bugs;
}

std::string sarif_of(const Shelf& shelf, const std::vector<size_t>& bugs) {
  std::vector<triage::SarifBug> list;
  for (const size_t bug : bugs) {
    const BugRecord& record = shelf.listing.bugs[bug];
    const store::CampaignView& view = shelf.view(bug);
    const auto report = view.read_bug_file(record.id, "report.md");
    const bool is_reduced = view.read_bug_file(record.id, "reduced.smt2").has_value();
    list.push_back({record, record.path + (is_reduced ? "/reduced.smt2" : "/original.smt2"),
                    report ? *report : ""});
  }
  return triage::sarif(list, ELENCHUS_VERSION);
}

base::Result<std::string> export_text(const BugsOptions& options, const Shelf& shelf,
                                      const std::vector<size_t>& bugs) {
  if (options.format == "sarif") return sarif_of(shelf, bugs);
  std::string text;
  Json list = Json::array();
  for (const size_t bug : bugs) {
    ELENCHUS_ASSIGN_OR_RETURN(
        const std::string report,
        shelf.view(bug).read_bug_file(shelf.listing.bugs[bug].id, "report.md"));
    text += (text.empty() ? "" : "\n---\n\n") + report;
    Json object = listed_json(shelf, bug);
    object["report"] = report;
    list.push_back(std::move(object));
  }
  const bool is_json = options.json || options.format == "json";
  return is_json ? dump({{"bugs", list}}, 2) : text;
}

}  // namespace

int run_bugs_export(const BugsOptions& options) {
  const auto shelf = open_shelf(options);
  if (!shelf) return fail(shelf.error(), {});
  const auto bugs = chosen(options, shelf->listing);
  if (!bugs) return fail(bugs.error(), {});
  const auto text = export_text(options, *shelf, *bugs);
  if (!text) return fail(text.error(), {});
  const size_t all = triage::reporting_order(shelf->listing.bugs).size();
  if (options.ids.empty() && all > bugs->size() && !options.quiet) {
    tell("{} more to report when these are fixed\n", all - bugs->size());
  }
  return write(options, *text);
}

}  // namespace elenchus::cli
