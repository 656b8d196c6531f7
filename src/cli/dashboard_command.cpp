// `elenchus dashboard DIR...`: campaigns in a browser, live.

#include "cli/dashboard_command.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/campaign_places.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/say.h"
#include "web/dashboard.h"
#include "web/http_server.h"

namespace elenchus::cli {
namespace {

struct DashboardOptions {
  std::vector<std::string> folders;
  std::string address = "127.0.0.1";
  uint16_t port = 8137;
  std::string token_file;
  web::TlsFiles tls;
  bool is_plain = false;  // on purpose, also where others may listen
  bool quiet = false;
};

// Keeps what is shown of shared campaigns up to date, without making anybody wait.
class Refresher {
 public:
  explicit Refresher(CampaignPlaces& places) {
    if (places.has_shared()) thread_ = std::thread([this, &places] { run(places); });
  }
  ~Refresher() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Refresher(const Refresher&) = delete;
  Refresher& operator=(const Refresher&) = delete;

  // Ends it; false: it waits for a server that takes its time.
  bool end() {
    constexpr int kPatience = 10;  // naps
    stop_ = true;
    for (int i = 0; i < kPatience && is_busy_; ++i) std::this_thread::sleep_for(kNap);
    return !is_busy_;
  }

  // Why this folder is not up to date.
  std::string trouble_of(const std::filesystem::path& folder) {
    const std::lock_guard lock(mutex_);
    const auto found = troubles_.find(folder.string());
    return found == troubles_.end() ? std::string() : found->second;
  }

 private:
  // What is shown stays where the server is away. A database that takes its time is left alone for
  // ten times as long.
  void run(CampaignPlaces& places) {
    using Clock = std::chrono::steady_clock;
    constexpr Clock::duration kPause = std::chrono::seconds(3);
    Clock::time_point next = Clock::now() + kPause;
    while (!stop_) {
      std::this_thread::sleep_for(kNap);
      const Clock::time_point began = Clock::now();
      if (began < next) continue;
      is_busy_ = true;
      std::map<std::string, std::string> troubles;
      if (!stop_) troubles = places.refresh();
      is_busy_ = false;
      const Clock::duration longer = 10 * (Clock::now() - began);
      next = Clock::now() + (troubles.empty() ? std::max(kPause, longer) : kPause);
      const std::lock_guard lock(mutex_);
      troubles_ = std::move(troubles);
    }
  }

  static constexpr auto kNap = std::chrono::milliseconds(100);

  std::mutex mutex_;
  std::map<std::string, std::string> troubles_;  // by folder
  std::atomic<bool> stop_ = false;
  std::atomic<bool> is_busy_ = false;
  std::thread thread_;
};

int fail_to_serve(const base::Error& error) {
  tell("elenchus: error: {}\n", error.message);
  return kBadInput;
}

// Nobody can guess it.
std::string drawn_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

// Other users of a machine see its command lines, so it is not on one. Whoever listens for other
// machines has one in any case.
base::Result<std::string> token_of(const DashboardOptions& options, bool is_local) {
  if (!options.token_file.empty()) {
    ELENCHUS_ASSIGN_OR_RETURN(const Input input, read_input(options.token_file));
    const std::string token(input.view().substr(0, input.view().find_first_of("\r\n")));
    if (!token.empty()) return token;
    return base::Error{base::ErrorKind::kIo, options.token_file + " holds no token", {}};
  }
  const char* const token = std::getenv("ELENCHUS_TOKEN");
  if (token != nullptr && *token != '\0') return std::string(token);
  return is_local ? std::string() : drawn_token();
}

base::Error unsafe_error() {
  return {base::ErrorKind::kUnsupported,
          "what other machines read goes over the network as it is, and the token with it: "
          "--tls-cert FILE and --tls-key FILE encrypt it; --plain-http says that this is not "
          "needed (behind a proxy that has TLS)",
          {}};
}

std::string shown_url(const DashboardOptions& options, const web::HttpServer& server,
                      const std::string& token) {
  const bool is_v6 = options.address.find(':') != std::string::npos;
  // One that the user chose is not repeated.
  const bool is_drawn =
      !token.empty() && options.token_file.empty() && std::getenv("ELENCHUS_TOKEN") == nullptr;
  return fmt::format("{}://{}{}{}:{}/{}{}", server.has_tls() ? "https" : "http", is_v6 ? "[" : "",
                     options.address, is_v6 ? "]" : "", server.port(), is_drawn ? "?token=" : "",
                     is_drawn ? token : "");
}

int run_dashboard(const DashboardOptions& options) {
  if (options.tls.certificate.empty() && !options.tls.key.empty()) {
    return fail_to_serve({base::ErrorKind::kUnsupported, "--tls-key wants --tls-cert", {}});
  }
  auto server = web::HttpServer::listen(options.address, options.port, {}, options.tls);
  if (!server) return fail_to_serve(server.error());
  const bool is_local = (*server)->is_local();
  if (!is_local && !(*server)->has_tls() && !options.is_plain) return fail_to_serve(unsafe_error());
  const auto token = token_of(options, is_local);
  if (!token) return fail_to_serve(token.error());
  auto places = CampaignPlaces::find(options.folders);
  if (!places) return fail_to_serve(places.error());
  const std::vector<std::filesystem::path> folders(places->folders().begin(),
                                                   places->folders().end());
  auto dashboard = web::Dashboard::open(folders, is_local, *token);
  if (!dashboard) return fail_to_serve(dashboard.error());
  put("{}\n", shown_url(options, **server, *token));
  std::fflush(stdout);
  if (!options.quiet) tell("Ctrl-C ends it.\n");
  campaign::Control control;
  const Interrupts interrupts(control);
  Refresher refresher(*places);
  dashboard->set_trouble([&](const auto& folder) { return refresher.trouble_of(folder); });
  (*server)->serve([&](const web::Request& request) { return dashboard->answer(request); },
                   control.stop);
  // What the refresher writes, it writes as a whole.
  if (!refresher.end()) std::_Exit(kNothingWrong);
  return kNothingWrong;
}

}  // namespace

void add_dashboard_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DashboardOptions>();
  CLI::App* dashboard = app.add_subcommand("dashboard", "Watch campaigns in a browser");
  dashboard
      ->add_option("DIR", options->folders,
                   "folders of campaigns, running or ended, or URLs of shared ones")
      ->required();
  dashboard->add_option("--port", options->port, "where to listen; 0: any free port")
      ->type_name("N")
      ->check(CLI::Range(0, UINT16_MAX))
      ->capture_default_str();
  dashboard
      ->add_option("--address", options->address,
                   "where to listen; other machines can read the campaign unless it is this one's")
      ->type_name("A")
      ->capture_default_str();
  dashboard
      ->add_option(
          "--token-file", options->token_file,
          "answer only requests with the token on the first line of this file (?token=, or "
          "Authorization: Bearer); ELENCHUS_TOKEN works, too")
      ->type_name("FILE");
  dashboard
      ->add_option("--tls-cert", options->tls.certificate,
                   "serve HTTPS with this certificate (PEM)")
      ->type_name("FILE");
  dashboard
      ->add_option("--tls-key", options->tls.key,
                   "the key of the certificate (PEM), where it is not in the same file")
      ->type_name("FILE");
  dashboard->add_flag("--plain-http", options->is_plain,
                      "serve plain HTTP to other machines, behind a proxy that does TLS");
  dashboard->add_flag("-q,--quiet", options->quiet, "print nothing but the address");
  dashboard->footer(
      "It reads the folders and never makes a campaign wait. Anybody on this machine can look, "
      "unless\n"
      "there is a token. With an --address that other machines reach, there always is one: given, "
      "or drawn\n"
      "and shown with the address. /metrics is for Prometheus.\n\n"
      "Examples:\n"
      "  elenchus dashboard night\n"
      "  elenchus dashboard monday tuesday --port 9000\n"
      "  elenchus dashboard --address 0.0.0.0 --tls-cert cert.pem --tls-key key.pem night\n"
      "  elenchus dashboard 'postgresql://db/fuzzing?campaign=night'");
  dashboard->callback([options, &exit_code] { exit_code = run_dashboard(*options); });
}

}  // namespace elenchus::cli
