// `elenchus report DIR...`: a campaign as one HTML page.

#include "cli/report_command.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "campaign/code_reached.h"
#include "cli/campaign_places.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/say.h"
#include "store/campaign_view.h"
#include "web/page.h"

namespace elenchus::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out = "report.html";
  bool quiet = false;
};

int fail_report(const std::string& message) {
  tell("elenchus: error: {}\n", message);
  return kBadInput;
}

// What the campaign reached of solvers that were built with --coverage. A page without it is better
// than none.
void sum_up_code(const ReportOptions& options, const std::string& folder) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point shown = Clock::now();
  const auto watch = [&](size_t done, size_t all) {
    if (!options.quiet && Clock::now() - shown > std::chrono::seconds(2)) {
      tell("{}: counts of {} of {} objects read\n", folder, done, all);
      shown = Clock::now();
    }
    return true;
  };
  const auto problems = campaign::sum_up_code(folder, watch);
  if (!problems) {
    tell("elenchus: warning: no coverage of {}: {}\n", folder, problems.error().message);
  } else if (!problems->empty()) {
    tell("elenchus: warning: {} objects left out: {}\n", problems->size(), problems->front());
  }
}

int run_report(const ReportOptions& options) {
  std::vector<std::unique_ptr<store::CampaignView>> views;
  std::vector<const store::CampaignView*> campaigns;
  const auto places = CampaignPlaces::find(options.folders);
  if (!places) return fail_report(places.error().message);
  for (const std::string& folder : places->folders()) {
    auto view = store::CampaignView::open(folder);
    if (!view) return fail_report(view.error().message);
    sum_up_code(options, folder);
    campaigns.push_back(view->get());
    views.push_back(std::move(*view));
  }
  const auto page = web::report_page(campaigns);
  if (!page) return fail_report(page.error().message);
  const auto written = write_output(options.out, *page);
  if (!written) return fail_report(fmt::format("{}: {}", options.out, written.error().message));
  if (!options.quiet && options.out != "-") tell("wrote {}\n", options.out);
  return kNothingWrong;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* report = app.add_subcommand("report", "Write a campaign as one HTML page");
  report
      ->add_option("DIR", options->folders,
                   "folders of campaigns, or URLs of shared ones; several are set side by side")
      ->required();
  report->add_option("-o,--out", options->out, "where the page goes; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  report->add_flag("-q,--quiet", options->quiet, "say nothing");
  report->footer(
      "The page has everything in it and loads nothing: it can be mailed, and works offline.\n"
      "The folder can be that of a campaign that is running.\n\n"
      "Examples:\n"
      "  elenchus report night -o night.html\n"
      "  elenchus report monday tuesday -o both.html");
  report->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace elenchus::cli
