#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/bisect_command.h"
#include "cli/bugs_command.h"
#include "cli/check_command.h"
#include "cli/corpus_command.h"
#include "cli/dashboard_command.h"
#include "cli/diagnose_command.h"
#include "cli/doctor_command.h"
#include "cli/exit_codes.h"
#include "cli/experiment_command.h"
#include "cli/fuzz_command.h"
#include "cli/generate_command.h"
#include "cli/help.h"
#include "cli/help_command.h"
#include "cli/judge_command.h"
#include "cli/learn_command.h"
#include "cli/mutate_command.h"
#include "cli/parse_command.h"
#include "cli/reduce_command.h"
#include "cli/report_command.h"
#include "cli/say.h"
#include "cli/share_command.h"
#include "cli/solvers_command.h"
#include "cli/usage_error.h"
#include "cli/version.h"
#include "proc/open_files.h"

namespace {

using namespace elenchus::cli;

void add_version(CLI::App& app) {
  app.set_version_flag(
      "--version", [] { return version_text(built_from_commit()); },
      "show version, commit, compiler and libraries");
  for (CLI::App* command : app.get_subcommands({})) add_version(*command);
}

// As a shell would take it.
std::string command_line(int argc, char** argv) {
  std::string line = "elenchus";
  for (int i = 1; i < argc; ++i) line += ' ' + elenchus::base::shell_word(argv[i]);
  return line;
}

int run(int argc, char** argv) {
  CLI::App app("Elenchus cross-examines SMT solvers until they contradict themselves.", "elenchus");
  app.formatter(std::make_shared<HelpLayout>());
  app.set_help_flag("-h,--help", "show this help");
  app.require_subcommand(1);
  app.footer("`elenchus help COMMAND` explains a command, with examples.");
  int exit_code = kNothingWrong;
  add_fuzz_command(app, command_line(argc, argv), exit_code);
  add_doctor_command(app, exit_code);
  add_judge_command(app, exit_code);
  add_bugs_command(app, exit_code);
  add_reduce_command(app, exit_code);
  add_bisect_command(app, exit_code);
  add_diagnose_command(app, exit_code);
  add_corpus_command(app, exit_code);
  add_report_command(app, exit_code);
  add_dashboard_command(app, exit_code);
  add_share_command(app, exit_code);
  add_experiment_command(app, exit_code);
  add_check_command(app, exit_code);
  add_mutate_command(app, exit_code);
  add_generate_command(app, exit_code);
  add_learn_command(app, exit_code);
  add_parse_command(app, exit_code);
  add_solvers_command(app, exit_code);
  add_help_commands(app, exit_code);
  add_version(app);
  if (argc == 1) {
    put("{}", app.help());
    return kNothingWrong;
  }
  const auto commands = app.get_subcommands({});
  const auto is_named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_named)) {
    return tell_unknown_command(app, argv[1]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // help, or the version
    std::ostringstream text;
    app.exit(success, text, text);
    put("{}", text.str());
    return kNothingWrong;
  } catch (const CLI::Error& error) {
    return tell_usage_error(app, error);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // Where the limit stays low, solvers that cannot be started say so.
  elenchus::proc::raise_limit_on_open_files();
  // A solver that goes away while it is written to is an outcome. For our own output see say.h.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int code = run(argc, argv);
    return output_failed() ? kBadInput : code;
  } catch (const std::bad_alloc&) {
    tell("elenchus: error: out of memory\n");
  } catch (const std::exception& error) {
    tell("elenchus: internal error: {}\n", error.what());
  }
  return kInternalError;
}
