#include <csignal>
#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"
#include "cli/parse_command.h"

namespace {

using namespace elenchus::cli;

int run(int argc, char** argv) {
  CLI::App app("Elenchus cross-examines SMT solvers until they contradict themselves.", "elenchus");
  app.set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  app.require_subcommand(1);
  app.footer("`elenchus COMMAND --help` explains each command with an example.");
  int exit_code = kNothingWrong;
  add_parse_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return kNothingWrong;
  } catch (const CLI::Error& error) {
    app.exit(error);
    return kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away early (head, less) is no reason to die without a word.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "elenchus: error: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "elenchus: internal error: {}\n", error.what());
  }
  return kInternalError;
}
