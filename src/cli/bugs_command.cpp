// `elenchus bugs DIR [list | show ID | replay ID | recheck | export]`: what a campaign found,
// read from its folder, and tried again.

#include "cli/bugs_command.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "campaign/replay.h"
#include "campaign/trial.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/in_order.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "cli/trial_options.h"
#include "store/campaign_view.h"
#include "store/kinds.h"
#include "triage/export.h"
#include "triage/groups.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using campaign::Standing;
using campaign::Trial;
using store::BugRecord;

struct Options {
  std::string folder;
  std::string id;
  std::vector<std::string> ids;
  std::string solver;
  TrialOptions trial;
  std::string format = "github";
  uint64_t limit = 3;
  std::string out = "-";
  bool json = false;
  bool quiet = false;
  uint64_t jobs = 1;
  uint64_t rng = 0;
};

constexpr size_t kMaxShown = 100'000;

std::string dump(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

int write(const Options& options, const std::string& text) {
  const auto written = write_output(options.out, text);
  if (written) return kNothingWrong;
  tell("{}: error: {}\n", options.out, written.error().message);
  return kBadInput;
}

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

std::string plural(uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

uint64_t size_of(const BugRecord& bug) {
  return bug.size_reduced != 0 ? bug.size_reduced : bug.size_original;
}

Json record_json(const BugRecord& bug) {
  return {{"id", bug.id},
          {"kind", bug.kind},
          {"rank", bug.rank},
          {"solver", bug.solver},
          {"version", bug.version},
          {"command", bug.command},
          {"options", bug.options},
          {"engine", bug.engine},
          {"seeds", bug.seeds},
          {"title", bug.title},
          {"signature", bug.signature},
          {"count", bug.count},
          {"first_seen", bug.first_seen},
          {"last_seen", bug.last_seen},
          {"size_original", bug.size_original},
          {"size_reduced", bug.size_reduced},
          {"examples", bug.examples},
          {"path", bug.path}};
}

// The bugs of a campaign with what triage makes of them.
struct Triaged {
  std::vector<BugRecord> bugs;
  std::vector<store::Manifest> manifests;
  std::vector<size_t> chief;  // of each bug's group
  size_t groups = 0;

  bool is_chief(size_t bug) const { return chief[bug] == bug; }
  bool is_known(size_t bug) const { return !manifests[bug].known.empty(); }
};

// What the database says, where the folder does not say more.
store::Manifest manifest_of(const store::CampaignView& view, const BugRecord& bug) {
  if (auto manifest = view.manifest(bug.id)) return std::move(*manifest);
  store::Manifest manifest;
  manifest.id = bug.id;
  manifest.kind = bug.kind;
  manifest.solver = bug.solver;
  manifest.version = bug.version;
  manifest.options = bug.options;
  manifest.signature = bug.signature;
  return manifest;
}

base::Result<Triaged> triaged(const store::CampaignView& view) {
  Triaged triaged;
  ELENCHUS_ASSIGN_OR_RETURN(triaged.bugs, view.bugs());
  for (const BugRecord& bug : triaged.bugs) triaged.manifests.push_back(manifest_of(view, bug));
  triaged.chief.resize(triaged.bugs.size());
  for (const triage::Group& group : triage::group_bugs(triaged.manifests)) {
    for (const size_t member : group.members) triaged.chief[member] = group.chief;
    ++triaged.groups;
  }
  return triaged;
}

// Those to report first, then those like them, then what is known upstream.
std::vector<size_t> shown_order(const Triaged& triaged) {
  std::vector<size_t> order(triaged.bugs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto part = [&](size_t bug) {
    if (triaged.is_known(bug)) return 2;
    return triaged.is_chief(bug) ? 0 : 1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return part(a) < part(b); });
  return order;
}

std::string remark_on(const Triaged& triaged, size_t bug) {
  if (triaged.is_known(bug)) return fmt::format("known: {}; ", triaged.manifests[bug].known);
  if (triaged.is_chief(bug)) return {};
  return fmt::format("like {}: ", triaged.bugs[triaged.chief[bug]].id);
}

std::string table(const Triaged& triaged) {
  std::vector<std::vector<std::string>> rows = {
      {"BUG", "KIND", "SOLVER", "FOUND", "BYTES", "WHAT"}};
  for (const size_t number : shown_order(triaged)) {
    const BugRecord& bug = triaged.bugs[number];
    std::string solver = bug.solver + (bug.version.empty() ? "" : " " + bug.version);
    std::string what = remark_on(triaged, number) + bug.title;
    if (!bug.options.empty()) what += " [" + joined(bug.options, " ") + "]";
    rows.push_back({bug.id, bug.kind, base::shown(solver, 24), fmt::format("{}x", bug.count),
                    fmt::format("{}{}", size_of(bug), bug.size_reduced == 0 ? "*" : ""),
                    base::shown(what, 100)});
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

std::string summary(const Triaged& triaged) {
  const std::vector<BugRecord>& bugs = triaged.bugs;
  std::string text = plural(bugs.size(), "bug");
  std::string_view between = ": ";
  for (const store::Kind& kind : store::kinds()) {
    const auto count = std::count_if(bugs.begin(), bugs.end(),
                                     [&](const BugRecord& bug) { return bug.kind == kind.name; });
    if (count == 0) continue;
    text += fmt::format("{}{} {}", between, count, kind.name);
    between = ", ";
  }
  if (triaged.groups < bugs.size()) text += fmt::format("; in {}", plural(triaged.groups, "group"));
  const auto known = std::count_if(triaged.manifests.begin(), triaged.manifests.end(),
                                   [](const auto& manifest) { return !manifest.known.empty(); });
  if (known > 0) text += fmt::format("; {} known upstream", known);
  const bool has_unreduced = std::any_of(
      bugs.begin(), bugs.end(), [](const BugRecord& bug) { return bug.size_reduced == 0; });
  return text + (has_unreduced ? " (*: not reduced)\n" : "\n");
}

Json listed_json(const Triaged& triaged, size_t bug) {
  Json object = record_json(triaged.bugs[bug]);
  object["group"] = triaged.bugs[triaged.chief[bug]].id;
  object["known"] = triaged.manifests[bug].known;
  object["shape"] = triaged.manifests[bug].shape;
  return object;
}

int run_list(const Options& options) {
  const auto view = store::CampaignView::open(options.folder);
  if (!view) return fail(view.error(), {});
  const auto triage = triaged(**view);
  if (!triage) return fail(triage.error(), {});
  if (options.json) {
    Json list = Json::array();
    for (const size_t bug : shown_order(*triage)) list.push_back(listed_json(*triage, bug));
    return write(options, dump({{"campaign", options.folder}, {"bugs", list}}, 2));
  }
  if (triage->bugs.empty()) return write(options, options.quiet ? "" : "no bugs\n");
  return write(options, table(*triage) + (options.quiet ? "" : '\n' + summary(*triage)));
}

Json answers_json(const std::vector<store::SolverAnswer>& answers) {
  Json list = Json::array();
  for (const store::SolverAnswer& answer : answers) {
    list.push_back({{"solver", answer.solver},
                    {"version", answer.version},
                    {"command", answer.command},
                    {"answer", answer.answer}});
  }
  return list;
}

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
  for (const store::Kind& known : store::kinds()) {
    if (known.name == kind) return fmt::format("{} ({})", kind, known.meaning);
  }
  return base::shown(kind);
}

std::string description(const BugRecord& bug, const store::Manifest& manifest,
                        const std::string& folder, const std::vector<std::string>& files) {
  std::string text = bug.id + '\n';
  const auto line = [&text](std::string_view key, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<13}{}\n", key, base::shown(value, 400));
  };
  line("what", bug.title);
  text += fmt::format("  {:<13}{}\n", "kind", meaning_of(bug.kind));
  line("solver", bug.solver + (bug.version.empty() ? "" : " " + bug.version));
  line("command", bug.command);
  line("options", bug.options.empty() ? "none beyond the usual" : joined(bug.options, " "));
  line("logic", manifest.logic);
  line("expectation", manifest.expectation);
  line("found", fmt::format("{}, first {}, last {}", plural(bug.count, "time"), utc(bug.first_seen),
                            utc(bug.last_seen)));
  line("by", fmt::format("{}, rng seed {}", bug.engine, manifest.rng_seed));
  line("from", joined(bug.seeds, " "));
  line("size", bug.size_reduced == 0
                   ? fmt::format("{} bytes, not reduced", bug.size_original)
                   : fmt::format("{} bytes, reduced from {}", bug.size_reduced, bug.size_original));
  line("signature", bug.signature);
  line("shape", manifest.shape);
  line("known", manifest.known);
  line("folder", folder);
  line("files", joined(files, " "));
  put_block(text, "evidence", manifest.evidence);
  std::string answers;
  for (const store::SolverAnswer& answer : manifest.answers) {
    answers += fmt::format("{} {}: {}\n", answer.solver, answer.version, answer.answer);
  }
  put_block(text, "answers", answers);
  return text;
}

int run_show(const Options& options) {
  const auto view = store::CampaignView::open(options.folder);
  if (!view) return fail(view.error(), {});
  const auto bug = (*view)->bug(options.id);
  if (!bug) return fail(bug.error(), {});
  const auto manifest = (*view)->manifest(bug->id);
  if (!manifest) return fail(manifest.error(), {});
  const auto files = (*view)->bug_files(bug->id);
  if (!files) return fail(files.error(), {});
  const std::string folder = (*view)->folder().bug(bug->id).string();
  const bool is_reduced = std::binary_search(files->begin(), files->end(), "reduced.smt2");
  const std::string name = is_reduced ? "reduced.smt2" : "original.smt2";
  const auto script = (*view)->read_bug_file(bug->id, name);
  if (options.json) {
    Json object = record_json(*bug);
    object["folder"] = folder;
    object["files"] = *files;
    object["logic"] = manifest->logic;
    object["expectation"] = manifest->expectation;
    object["evidence"] = manifest->evidence;
    object["answers"] = answers_json(manifest->answers);
    object["rng_seed"] = manifest->rng_seed;
    object["script"] = script ? Json(*script) : Json();
    return write(options, dump(object, 2));
  }
  std::string text = description(*bug, *manifest, folder, *files);
  if (script) put_block(text, name, *script);
  return write(options, text);
}

base::Result<Trial> try_again(const store::CampaignView& view, const BugRecord& bug,
                              const Options& options, const campaign::ReplaySettings& settings) {
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Profiles profiles, profiles_with(options.trial.profiles));
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(bug.id));
  auto solver = options.solver.empty() ? campaign::solver_of(manifest, profiles)
                                       : solver::find_solver(profiles, options.solver);
  if (!solver) return solver.error();
  return campaign::try_bug(view, bug, *solver, profiles, settings);
}

Json trial_json(const Trial& trial) {
  return {{"id", trial.bug},
          {"kind", trial.kind},
          {"solver", trial.solver.name},
          {"version", trial.solver.version},
          {"status", to_string(trial.standing)},
          {"shows", trial.standing == Standing::kOpen},
          {"answer", trial.what}};
}

std::string trial_line(const Trial& trial) {
  return fmt::format("{:<9}{:<34}{} {}: {}\n", to_string(trial.standing), trial.bug,
                     trial.solver.name, trial.solver.version, base::shown(trial.what, 200));
}

int report_trials(const Options& options, const std::vector<Trial>& trials) {
  const auto count = [&](Standing standing) {
    return std::count_if(trials.begin(), trials.end(),
                         [&](const Trial& trial) { return trial.standing == standing; });
  };
  const auto open = count(Standing::kOpen);
  const auto fixed = count(Standing::kFixed);
  const auto unclear = count(Standing::kUnclear);
  std::string text;
  Json list = Json::array();
  for (const Trial& trial : trials) {
    list.push_back(trial_json(trial));
    text += trial_line(trial);
  }
  if (!options.quiet && trials.size() > 1) {
    text +=
        fmt::format("\n{} of {} open, {} fixed, {} unclear\n", open, trials.size(), fixed, unclear);
  }
  const Json json = {{"bugs", list}, {"open", open}, {"fixed", fixed}, {"unclear", unclear}};
  const int code = write(options, options.json ? dump(json, 2) : text);
  if (code != kNothingWrong) return code;
  return open > 0 ? kBugFound : kNothingWrong;
}

int run_replay(const Options& options) {
  const auto view = store::CampaignView::open(options.folder);
  if (!view) return fail(view.error(), {});
  const auto bug = (*view)->bug(options.id);
  if (!bug) return fail(bug.error(), {});
  std::string file;
  const auto settings = replay_settings(options.trial, file);
  if (!settings) return fail(settings.error(), file);
  const auto trial = try_again(**view, *bug, options, *settings);
  if (!trial) return fail(trial.error(), {});
  return report_trials(options, {*trial});
}

// Several at the same time; what comes out is in their order.
base::Result<std::vector<Trial>> try_all(const store::CampaignView& view,
                                         const std::vector<BugRecord>& bugs, const Options& options,
                                         const campaign::ReplaySettings& settings) {
  std::vector<base::Result<Trial>> tried;
  const auto try_one = [&](size_t i) {
    if (!options.quiet && !options.json) tell("trying {}\n", bugs[i].id);
    return try_again(view, bugs[i], options, settings);
  };
  const auto keep = [&](size_t, base::Result<Trial>&& trial) {
    tried.push_back(std::move(trial));
    return tried.back().has_value();
  };
  in_order<base::Result<Trial>>(bugs.size(), options.jobs, try_one, keep);
  std::vector<Trial> trials;
  for (base::Result<Trial>& trial : tried) {
    if (!trial) return trial.error();
    trials.push_back(std::move(*trial));
  }
  return trials;
}

// Every bug of solvers of the same kind as the one given.
int run_recheck(const Options& options) {
  const auto view = store::CampaignView::open(options.folder);
  if (!view) return fail(view.error(), {});
  auto bugs = (*view)->bugs();
  if (!bugs) return fail(bugs.error(), {});
  const auto profiles = profiles_with(options.trial.profiles);
  if (!profiles) return fail(profiles.error(), {});
  const auto solver = solver::find_solver(*profiles, options.solver);
  if (!solver) return fail(solver.error(), {});
  std::string file;
  const auto settings = replay_settings(options.trial, file);
  if (!settings) return fail(settings.error(), file);
  std::erase_if(*bugs, [&](const BugRecord& bug) { return !solver::may_be(*solver, bug.solver); });
  if (bugs->empty()) {
    return fail({base::ErrorKind::kUnsupported,
                 fmt::format("the campaign has no bug of {}", solver->profile->name),
                 {}},
                {});
  }
  const auto trials = try_all(**view, *bugs, options, *settings);
  if (!trials) return fail(trials.error(), {});
  return report_trials(options, *trials);
}

// --- Export. ---

// Those that are named, or the first few of the order in which one should report them: maintainers
// have to read them, and a fix often mends more than one.
base::Result<std::vector<size_t>> chosen(const Options& options, const store::CampaignView& view,
                                         const Triaged& triaged) {
  std::vector<size_t> bugs;
  for (const std::string& id : options.ids) {
    ELENCHUS_ASSIGN_OR_RETURN(const BugRecord bug, view.bug(id));
    for (size_t i = 0; i < triaged.bugs.size(); ++i) {
      if (triaged.bugs[i].id == bug.id) bugs.push_back(i);
    }
  }
  if (bugs.size() > options.limit) {
    return base::Error{base::ErrorKind::kUnsupported,
                       fmt::format("at most {} bugs at a time, maintainers have to read them; "
                                   "--limit allows more",
                                   options.limit),
                       {}};
  }
  if (!options.ids.empty()) return bugs;
  bugs = triage::reporting_order(triaged.manifests);
  if (bugs.size() > options.limit) bugs.resize(options.limit);
  return bugs;
}

std::string sarif_of(const store::CampaignView& view, const Triaged& triaged,
                     const std::vector<size_t>& bugs) {
  std::vector<triage::SarifBug> list;
  for (const size_t bug : bugs) {
    const BugRecord& record = triaged.bugs[bug];
    const auto report = view.read_bug_file(record.id, "report.md");
    const bool is_reduced = view.read_bug_file(record.id, "reduced.smt2").has_value();
    list.push_back({triaged.manifests[bug],
                    record.path + (is_reduced ? "/reduced.smt2" : "/original.smt2"),
                    report ? *report : ""});
  }
  return triage::sarif(list, ELENCHUS_VERSION);
}

base::Result<std::string> export_text(const Options& options, const store::CampaignView& view,
                                      const Triaged& triaged, const std::vector<size_t>& bugs) {
  if (options.format == "sarif") return sarif_of(view, triaged, bugs);
  std::string text;
  Json list = Json::array();
  for (const size_t bug : bugs) {
    ELENCHUS_ASSIGN_OR_RETURN(const std::string report,
                              view.read_bug_file(triaged.bugs[bug].id, "report.md"));
    text += (text.empty() ? "" : "\n---\n\n") + report;
    Json object = listed_json(triaged, bug);
    object["report"] = report;
    list.push_back(std::move(object));
  }
  const bool is_json = options.json || options.format == "json";
  return is_json ? dump({{"bugs", list}}, 2) : text;
}

int run_export(const Options& options) {
  const auto view = store::CampaignView::open(options.folder);
  if (!view) return fail(view.error(), {});
  const auto triage = triaged(**view);
  if (!triage) return fail(triage.error(), {});
  const auto bugs = chosen(options, **view, *triage);
  if (!bugs) return fail(bugs.error(), {});
  const auto text = export_text(options, **view, *triage, *bugs);
  if (!text) return fail(text.error(), {});
  const size_t left = triage::reporting_order(triage->manifests).size() - bugs->size();
  if (options.ids.empty() && left > 0 && !options.quiet) {
    tell("{} more to report when these are fixed\n", left);
  }
  return write(options, *text);
}

void add_common(CLI::App& command, Options& options) {
  command.add_flag("--json", options.json, "for programs to read");
  command.add_option("-o,--out", options.out, "where the output goes instead of standard output")
      ->type_name("FILE");
  command.add_flag("-q,--quiet", options.quiet, "no summary");
}

void add_limit(CLI::App& command, Options& options) {
  add_common(command, options);
  add_trial_options(command, options.trial);
}

}  // namespace

namespace {

// The folder stands between the command and what to do with it.
class UsageWithFolder : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    return CLI::Formatter::make_usage(app, "elenchus bugs DIR " + app->get_name());
  }
};

void explain(CLI::App& command, const std::string& example) {
  command.formatter(std::make_shared<UsageWithFolder>());
  command.set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  command.footer("Example:\n  elenchus bugs out " + example);
}

}  // namespace

void add_bugs_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* bugs = app.add_subcommand("bugs", "What a campaign found: its bugs, the gravest first");
  bugs->add_option("DIR", options->folder, "the campaign's folder")->required();
  add_common(*bugs, *options);
  bugs->add_option("-j,--jobs", options->jobs, "how many bugs `recheck` tries at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  add_rng(*bugs, options->rng, "accepted everywhere; bugs draws nothing at random");
  bugs->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  bugs->require_subcommand(0, 1);

  CLI::App* list = bugs->add_subcommand("list", "a table of all bugs (the default)");
  add_common(*list, *options);
  CLI::App* show = bugs->add_subcommand("show", "everything about one bug");
  show->add_option("ID", options->id, "the bug; the first letters of its id suffice")->required();
  add_common(*show, *options);

  CLI::App* replay = bugs->add_subcommand("replay", "run one bug again and say whether it shows");
  replay->add_option("ID", options->id, "the bug; the first letters of its id suffice")->required();
  replay->add_option("--solver", options->solver, "another solver than the one it was found on")
      ->type_name("SPEC");
  add_limit(*replay, *options);
  CLI::App* recheck =
      bugs->add_subcommand("recheck", "which bugs show on another build of the solver");
  recheck->add_option("--solver", options->solver, "the build")->type_name("SPEC")->required();
  add_limit(*recheck, *options);
  recheck->add_option("-j,--jobs", options->jobs, "how many bugs are tried at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  CLI::App* export_text = bugs->add_subcommand("export", "the text of issues, for maintainers");
  export_text->add_option("ID", options->ids,
                          "the bugs; default: those to report first, of each solver one for each "
                          "theory");
  export_text->add_option("--format", options->format, "Markdown for GitHub, JSON or SARIF 2.1.0")
      ->check(CLI::IsMember({"github", "json", "sarif"}))
      ->capture_default_str();
  require_positive(*add_number(*export_text, "--limit", options->limit, "how many at most")
                        ->capture_default_str());
  add_common(*export_text, *options);

  explain(*list, "list --json");
  explain(*show, "show z3-crash-1a2b");
  explain(*replay, "replay z3-crash-1a2b");
  explain(*recheck, "recheck --solver /opt/z3-new/z3");
  explain(*export_text, "export z3-crash-1a2b --format sarif > bug.sarif");
  bugs->footer(
      "The folder can be that of a campaign that is running.\n\n"
      "Examples:\n"
      "  elenchus bugs out\n"
      "  elenchus bugs out show z3-crash-1a2b\n"
      "  elenchus bugs out list --json\n"
      "  elenchus bugs out replay z3-crash-1a2b\n"
      "  elenchus bugs out recheck --solver /opt/z3-new/z3\n"
      "  elenchus bugs out export > issues.md\n"
      "  elenchus bugs out export z3-crash-1a2b --format sarif > bug.sarif");
  bugs->callback([options, bugs, show, replay, recheck, export_text, &exit_code] {
    if (bugs->got_subcommand(show)) {
      exit_code = run_show(*options);
    } else if (bugs->got_subcommand(replay)) {
      exit_code = run_replay(*options);
    } else if (bugs->got_subcommand(recheck)) {
      exit_code = run_recheck(*options);
    } else if (bugs->got_subcommand(export_text)) {
      exit_code = run_export(*options);
    } else {
      exit_code = run_list(*options);
    }
  });
}

}  // namespace elenchus::cli
