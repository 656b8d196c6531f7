// `elenchus bugs DIR... [list | show ID | mark ID STATE | replay ID | recheck | export]`: what
// campaigns found, read from their folders, marked, and tried again.

#include "cli/bugs_command.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/bugs_export.h"
#include "cli/bugs_list.h"
#include "cli/bugs_options.h"
#include "cli/bugs_shelf.h"
#include "cli/bugs_trials.h"
#include "cli/campaign_places.h"
#include "cli/command_table.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/numbers.h"
#include "cli/trial_options.h"
#include "cli/word_checks.h"
#include "record/bug.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

// Says what has become of a bug, for whoever looks at the folder later.
int run_mark(const BugsOptions& options, CampaignPlaces& places) {
  const auto found = find_bug(options, options.id);
  if (!found) return fail(found.error(), {});
  record::Mark mark = options.mark;
  if (mark.state == "open") mark.state.clear();
  const auto bug = found->view->bug(found->id);
  if (!bug) return fail(bug.error(), {});
  auto told = places.mark(found->view->folder().root(), bug->signature, mark);
  if (!told) return fail(told.error(), {});
  if (auto done = found->view->mark(found->id, mark); !done) return fail(done.error(), {});
  return kNothingWrong;
}

void add_common(CLI::App& command, BugsOptions& options) {
  command.add_flag("--json", options.json, "for programs to read");
  command.add_option("-o,--out", options.out, "where the output goes instead of standard output")
      ->type_name("FILE");
  command.add_flag("-q,--quiet", options.quiet, "no summary");
}

// The same before and after `list`; what is chosen holds for export and recheck, too.
void add_filters(CLI::App& command, BugsOptions& options) {
  require_known_word(
      *command
           .add_option("--kind", options.kind, "only bugs that are, or probably are, of this kind")
           ->type_name("KIND"));
  command.add_option("--solver", options.of_solver, "only bugs of this solver")->type_name("NAME");
  require_known_word(
      *command
           .add_option("--state", options.state,
                       "only bugs in this state: open, reported, fixed, not-a-bug, known")
           ->type_name("STATE"));
  command.add_option("--engine", options.engine, "only bugs that this engine found")
      ->type_name("NAME");
  command
      .add_option("--known", options.known,
                  "a file with bugs that are known upstream, like those of data/known")
      ->type_name("FILE");
}

void add_limit(CLI::App& command, BugsOptions& options) {
  add_common(command, options);
  add_trial_options(command, options.trial);
}

void explain(CLI::App& command, const std::string& example) {
  command.footer("Example:\n  elenchus bugs out " + example);
}

void add_id(CLI::App& command, BugsOptions& options) {
  command.add_option("ID", options.id, "the bug; the first letters of its id suffice")->required();
}

void add_jobs(CLI::App& command, BugsOptions& options) {
  command.add_option("-j,--jobs", options.jobs, "how many bugs are tried at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
}

CLI::App* add_list(CLI::App& bugs, BugsOptions& options) {
  CLI::App* list = bugs.add_subcommand("list", "a table of all bugs (the default)");
  add_common(*list, options);
  explain(*list, "list --json");
  return list;
}

CLI::App* add_show(CLI::App& bugs, BugsOptions& options) {
  CLI::App* show = bugs.add_subcommand("show", "everything about one bug");
  add_id(*show, options);
  add_common(*show, options);
  explain(*show, "show z3-crash-1a2b");
  return show;
}

CLI::App* add_mark(CLI::App& bugs, BugsOptions& options) {
  CLI::App* mark = bugs.add_subcommand("mark", "note what has become of a bug");
  add_id(*mark, options);
  require_known_word(
      *mark->add_option("STATE", options.mark.state, "open, reported, fixed, not-a-bug or known")
           ->required());
  mark->add_option("URL", options.mark.reference, "where it is reported");
  mark->add_option("--note", options.mark.note, "a line to remember")->type_name("TEXT");
  explain(*mark, "mark z3-crash-1a2b reported https://github.com/Z3Prover/z3/issues/1");
  return mark;
}

CLI::App* add_replay(CLI::App& bugs, BugsOptions& options) {
  CLI::App* replay =
      bugs.add_subcommand("replay", "run one bug again and say whether it still shows");
  add_id(*replay, options);
  replay->add_option("--solver", options.solver, "a solver other than the one it was found in")
      ->type_name("SPEC");
  add_limit(*replay, options);
  explain(*replay, "replay z3-crash-1a2b");
  return replay;
}

CLI::App* add_recheck(CLI::App& bugs, BugsOptions& options) {
  CLI::App* recheck =
      bugs.add_subcommand("recheck", "say which bugs show on another build of the solver");
  recheck->add_option("--solver", options.solver, "the build")->type_name("SPEC")->required();
  add_limit(*recheck, options);
  add_jobs(*recheck, options);
  explain(*recheck, "recheck --solver /opt/z3-new/z3");
  return recheck;
}

CLI::App* add_export(CLI::App& bugs, BugsOptions& options) {
  CLI::App* text = bugs.add_subcommand("export", "write the text of issues, for maintainers");
  text->add_option("ID", options.ids,
                   "the bugs; default: those to report first, one for each solver and theory");
  require_known_word(*text->add_option("--format", options.format,
                                       "github (Markdown), json or sarif (SARIF 2.1.0)")
                          ->capture_default_str());
  require_positive(
      *add_number(*text, "--limit", options.limit, "how many at most")->capture_default_str());
  add_filters(*text, options);
  add_common(*text, options);
  explain(*text, "export z3-crash-1a2b --format sarif > bug.sarif");
  return text;
}

}  // namespace

void add_bugs_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<BugsOptions>();
  CLI::App* bugs = app.add_subcommand("bugs", "What a campaign found: its bugs, the gravest first");
  refuse_misspelt_commands(
      *bugs, bugs->add_option("DIR", options->folders,
                              "the campaign's folder, or the URL of a shared one; several give "
                              "one list without duplicates")
                 ->required());
  add_common(*bugs, *options);
  bugs->add_option("-j,--jobs", options->jobs, "how many bugs `recheck` tries at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->group(kHidden);
  add_rng(*bugs, options->rng, "accepted everywhere; bugs draws nothing at random")->group(kHidden);
  bugs->require_subcommand(0, 1);

  CLI::App* list = add_list(*bugs, *options);
  for (CLI::App* command : {bugs, list}) {
    add_filters(*command, *options);
    command->add_flag("--unconfirmed", options->unconfirmed,
                      "findings that did not show again, or were not tried again yet");
  }
  CLI::App* show = add_show(*bugs, *options);
  CLI::App* mark = add_mark(*bugs, *options);
  CLI::App* replay = add_replay(*bugs, *options);
  CLI::App* recheck = add_recheck(*bugs, *options);
  CLI::App* export_text = add_export(*bugs, *options);
  bugs->footer(
      "The campaign may still be running.\n\n"
      "Examples:\n"
      "  elenchus bugs out\n"
      "  elenchus bugs out show z3-crash-1a2b\n"
      "  elenchus bugs out list --json\n"
      "  elenchus bugs out --unconfirmed\n"
      "  elenchus bugs night1 night2 --kind crash --state open\n"
      "  elenchus bugs out mark z3-crash-1a2b reported https://github.com/Z3Prover/z3/issues/1\n"
      "  elenchus bugs out replay z3-crash-1a2b\n"
      "  elenchus bugs out recheck --solver /opt/z3-new/z3\n"
      "  elenchus bugs out export > issues.md\n"
      "  elenchus bugs out export z3-crash-1a2b --format sarif > bug.sarif");
  bugs->callback([options, bugs, show, mark, replay, recheck, export_text, &exit_code] {
    auto places = CampaignPlaces::find(options->folders);
    if (!places) {
      exit_code = fail(places.error(), {});
      return;
    }
    options->folders = places->folders();
    if (bugs->got_subcommand(show)) {
      exit_code = run_bugs_show(*options);
    } else if (bugs->got_subcommand(mark)) {
      exit_code = run_mark(*options, *places);
    } else if (bugs->got_subcommand(replay)) {
      exit_code = run_bugs_replay(*options);
    } else if (bugs->got_subcommand(recheck)) {
      exit_code = run_bugs_recheck(*options, *places);
    } else if (bugs->got_subcommand(export_text)) {
      exit_code = run_bugs_export(*options);
    } else {
      exit_code = run_bugs_list(*options);
    }
  });
}

}  // namespace elenchus::cli
