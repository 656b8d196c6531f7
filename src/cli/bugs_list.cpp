#include "cli/bugs_list.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/text.h"
#include "cli/bugs_shelf.h"
#include "cli/complaint.h"
#include "cli/docket_list.h"
#include "docket/docket.h"
#include "record/bug.h"
#include "record/kind.h"
#include "record/provisional.h"
#include "store/campaign_view.h"
#include "triage/listing.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using store::BugRecord;
using triage::Listing;

constexpr size_t kMaxShown = 100'000;

std::string utc(double time) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

std::string joined(const std::vector<std::string>& items, std::string_view between) {
  return fmt::format("{}", fmt::join(items, between));
}

uint64_t size_of(const BugRecord& bug) {
  return bug.size_reduced != 0 ? bug.size_reduced : bug.size_original;
}

std::string remark_on(const Listing& listing, size_t bug) {
  const std::string& state = listing.bugs[bug].state;
  if (!state.empty()) {
    const std::string& where = listing.bugs[bug].reference;
    return fmt::format("{}{}{}: ", state, where.empty() ? "" : " ", where);
  }
  if (listing.is_known(bug)) return fmt::format("known: {}; ", listing.bugs[bug].known);
  if (listing.is_outside_policy(bug)) return "outside the policy: ";
  if (listing.is_chief(bug)) {
    const std::string& old = listing.bugs[bug].new_since;
    return old.empty() ? std::string() : fmt::format("new since {}: ", old);
  }
  return fmt::format("like {}: ", listing.bugs[listing.chief[bug]].id);
}

std::string table(const Listing& listing) {
  std::vector<std::vector<std::string>> rows = {
      {"BUG", "KIND", "SOLVER", "FOUND", "BYTES", "WHAT"}};
  for (const size_t number : triage::shown_order(listing)) {
    const BugRecord& bug = listing.bugs[number];
    std::string solver = bug.solver + (bug.version.empty() ? "" : " " + bug.version);
    std::string what = remark_on(listing, number) + bug.title;
    if (!bug.options.empty()) what += " [" + joined(bug.options, " ") + "]";
    rows.push_back({bug.id, bug.kind, base::shown(solver, 24), fmt::format("{}x", bug.count),
                    fmt::format("{}{}", size_of(bug), bug.size_reduced == 0 ? "*" : ""),
                    base::shown(what, 120)});
  }
  std::vector<size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      const bool is_number = i == 3 || i == 4;
      text += is_number ? fmt::format("{:>{}}  ", row[i], widths[i])
                        : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += row.back() + '\n';
  }
  return text;
}

std::string summary(const Listing& listing) {
  const std::vector<BugRecord>& bugs = listing.bugs;
  std::string text = base::counted(bugs.size(), "bug");
  std::string_view between = ": ";
  for (const record::KindInfo& kind : record::kinds()) {
    const auto count = std::count_if(bugs.begin(), bugs.end(),
                                     [&](const BugRecord& bug) { return bug.kind == kind.name; });
    if (count == 0) continue;
    text += fmt::format("{}{} {}", between, count, kind.name);
    between = ", ";
  }
  if (listing.groups < bugs.size())
    text += fmt::format("; in {}", base::counted(listing.groups, "group"));
  const auto known = std::count_if(bugs.begin(), bugs.end(),
                                   [](const BugRecord& bug) { return !bug.known.empty(); });
  if (known > 0) text += fmt::format("; {} known upstream", known);
  for (const std::string_view state : record::bug_states()) {
    const auto marked = std::count_if(bugs.begin(), bugs.end(),
                                      [&](const BugRecord& bug) { return bug.state == state; });
    if (marked > 0) text += fmt::format("; {} marked {}", marked, state);
  }
  const auto outside = std::count_if(
      bugs.begin(), bugs.end(), [](const BugRecord& bug) { return !bug.outside_policy.empty(); });
  if (outside > 0) text += fmt::format("; {} outside the policy", outside);
  const bool has_unreduced = std::any_of(
      bugs.begin(), bugs.end(), [](const BugRecord& bug) { return bug.size_reduced == 0; });
  return text + (has_unreduced ? " (*: not reduced)\n" : "\n");
}

std::string none_listed(const Shelf& shelf) {
  if (shelf.left_out == 0) return "no bugs\n";
  return fmt::format("no such bugs; without these options there {} {}\n",
                     shelf.left_out == 1 ? "is" : "are", shelf.left_out);
}

// What was found and is not a bug, or not one yet.
int run_unconfirmed(const BugsOptions& options) {
  if (options.folders.size() > 1) {
    return fail({base::ErrorKind::kUnsupported, "--unconfirmed takes one folder at a time", {}},
                {});
  }
  const auto opened = store::CampaignView::open(options.folders.front());
  if (!opened) return fail(opened.error(), {});
  const store::CampaignView& view = **opened;
  const auto found = docket::read_docket(view.folder().docket());
  if (!found) return fail(found.error(), {});
  if (options.json) return write(options, docket_json(options.folders.front(), *found));
  if (found->empty()) return write(options, options.quiet ? "" : "the docket is empty\n");
  return write(options, docket_table(*found) +
                            (options.quiet ? ""
                                           : fmt::format("\nscripts and sessions are in {}\n",
                                                         view.folder().docket().string())));
}

}  // namespace

int run_bugs_list(const BugsOptions& options) {
  if (options.unconfirmed) return run_unconfirmed(options);
  const auto shelf = open_shelf(options);
  if (!shelf) return fail(shelf.error(), {});
  const Listing& listing = shelf->listing;
  if (options.json) {
    Json list = Json::array();
    for (const size_t bug : triage::shown_order(listing)) list.push_back(listed_json(*shelf, bug));
    Json object = {{"campaign", options.folders.front()}};
    if (options.folders.size() > 1) object["campaigns"] = options.folders;
    object["bugs"] = std::move(list);
    return write(options, dump(object, 2));
  }
  if (listing.bugs.empty()) return write(options, options.quiet ? "" : none_listed(*shelf));
  return write(options, table(listing) + (options.quiet ? "" : '\n' + summary(listing)));
}

namespace {

// Text of somebody else, line by line below a heading, fit for a terminal.
void put_block(std::string& text, std::string_view heading, std::string_view block) {
  while (!block.empty() && block.back() == '\n') block.remove_suffix(1);
  if (block.empty()) return;
  text += fmt::format("\n{}:\n", heading);
  size_t left = kMaxShown;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    if (line.size() >= left) {
      text += fmt::format("  ... {} more bytes\n", block.size());
      return;
    }
    left -= line.size() + 1;
    text += "  " + base::shown(line, kMaxShown) + '\n';
    block.remove_prefix(std::min(block.size(), line.size() + 1));
  }
}

std::string meaning_of(std::string_view kind) {
  const record::KindInfo* known = record::find_kind(kind);
  return known == nullptr ? base::shown(kind) : fmt::format("{} ({})", kind, known->meaning);
}

std::string description(const record::Bug& bug, const std::string& folder,
                        const std::vector<std::string>& files) {
  std::string text = bug.id + '\n';
  const auto line = [&text](std::string_view key, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<13}{}\n", key, base::shown(value, 400));
  };
  line("what", bug.title);
  text += fmt::format("  {:<13}{}\n", "kind", meaning_of(bug.kind));
  line("solver", bug.solver + (bug.version.empty() ? "" : " " + bug.version));
  line("command", bug.command);
  line("options", bug.options.empty() ? "none beyond the usual" : joined(bug.options, " "));
  line("logic", bug.logic);
  line("expectation", bug.expectation);
  line("found", fmt::format("{}, first {}, last {}", base::counted(bug.count, "time"),
                            utc(bug.first_seen), utc(bug.last_seen)));
  line("by", fmt::format("{}, rng seed {}", bug.engine, bug.rng_seed));
  line("from", joined(bug.seeds, " "));
  line("size", bug.size_reduced == 0
                   ? fmt::format("{} bytes, not reduced", bug.size_original)
                   : fmt::format("{} bytes, reduced from {}", bug.size_reduced, bug.size_original));
  line("signature", bug.signature);
  line("shape", bug.shape);
  if (bug.is_provisional) line("provisional", std::string(record::kProvisionalNote));
  line("known", bug.known);
  line("state", bug.state + (bug.reference.empty() ? "" : " " + bug.reference));
  line("note", bug.note);
  line("disclaimed", joined(bug.disclaimed, " "));
  if (const record::KindInfo* probable = record::find_kind(bug.probable)) {
    line("probably", fmt::format("a {}", probable->brief));
  }
  line("confirmed by", joined(bug.confirmed_by, "; "));
  line("new since", bug.new_since);
  line("not reported", bug.outside_policy);
  line("arises", bug.arises);
  line("gone with", joined(bug.gone_with, " "));
  line("gone after", bug.quiet_edit);
  line("folder", folder);
  line("files", joined(files, " "));
  put_block(text, "evidence", bug.evidence);
  std::string answers;
  for (const store::SolverAnswer& answer : bug.answers) {
    answers += fmt::format("{} {}: {}\n", answer.solver, answer.version, answer.answer);
  }
  put_block(text, "answers", answers);
  return text;
}

}  // namespace

int run_bugs_show(const BugsOptions& options) {
  const auto found = find_bug(options, options.id);
  if (!found) return fail(found.error(), {});
  const auto& view = found->view;
  const auto bug = view->described_bug(found->id);
  if (!bug) return fail(bug.error(), {});
  const auto files = view->bug_files(bug->id);
  if (!files) return fail(files.error(), {});
  const std::string folder = view->folder().bug(bug->id).string();
  const bool is_reduced = std::binary_search(files->begin(), files->end(), "reduced.smt2");
  const std::string name = is_reduced ? "reduced.smt2" : "original.smt2";
  const auto script = view->read_bug_file(bug->id, name);
  if (options.json) {
    Json object = record::to_json(*bug, record::kDetails);
    object["folder"] = folder;
    object["files"] = *files;
    object["script"] = script ? Json(*script) : Json();
    return write(options, dump(object, 2));
  }
  std::string text = description(*bug, folder, *files);
  if (script) put_block(text, name, *script);
  return write(options, text);
}

}  // namespace elenchus::cli
