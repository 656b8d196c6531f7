// `elenchus dashboard DIR...`: campaigns in a browser, live.

#include "cli/dashboard_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"
#include "cli/interrupts.h"
#include "cli/say.h"
#include "web/dashboard.h"
#include "web/http_server.h"

namespace elenchus::cli {
namespace {

struct Options {
  std::vector<std::string> folders;
  std::string address = "127.0.0.1";
  uint16_t port = 8137;
  bool quiet = false;
};

int fail(const base::Error& error) {
  tell("elenchus: error: {}\n", error.message);
  return kBadInput;
}

int run_dashboard(const Options& options) {
  auto server = web::HttpServer::listen(options.address, options.port);
  if (!server) return fail(server.error());
  const std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
  auto dashboard = web::Dashboard::open(folders, (*server)->is_local());
  if (!dashboard) return fail(dashboard.error());
  const bool is_v6 = options.address.find(':') != std::string::npos;
  put("http://{0}{1}{2}:{3}/\n", is_v6 ? "[" : "", options.address, is_v6 ? "]" : "",
      (*server)->port());
  std::fflush(stdout);
  if (!options.quiet) tell("Ctrl-C ends it.\n");
  campaign::Control control;
  const Interrupts interrupts(control);
  (*server)->serve([&](const web::Request& request) { return dashboard->answer(request); },
                   control.stop);
  return kNothingWrong;
}

}  // namespace

void add_dashboard_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* dashboard = app.add_subcommand("dashboard", "Watch campaigns in a browser");
  dashboard->add_option("DIR", options->folders, "folders of campaigns, running or ended")
      ->required();
  dashboard->add_option("--port", options->port, "where to listen; 0: any port that is free")
      ->type_name("N")
      ->capture_default_str();
  dashboard
      ->add_option("--address", options->address,
                   "where to listen; other machines can read the campaign unless it is this one's")
      ->type_name("A")
      ->capture_default_str();
  dashboard->add_flag("-q,--quiet", options->quiet, "nothing but the address");
  dashboard->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  dashboard->footer(
      "It reads the folders and never makes a campaign wait. Anybody on this machine can look; "
      "with\n"
      "--address 0.0.0.0, anybody who reaches it.\n\n"
      "Examples:\n"
      "  elenchus dashboard night\n"
      "  elenchus dashboard monday tuesday --port 9000");
  dashboard->callback([options, &exit_code] { exit_code = run_dashboard(*options); });
}

}  // namespace elenchus::cli
