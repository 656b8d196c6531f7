// `elenchus share init|upgrade|status URL`: the database of campaigns on many machines.

#include "cli/share_command.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/quantities.h"
#include "cli/say.h"
#include "share/address.h"
#include "share/connection.h"
#include "share/experiments.h"
#include "share/mirror.h"
#include "share/schema.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ShareOptions {
  std::string url;
  bool json = false;
  bool quiet = false;
};

base::Result<std::unique_ptr<share::Connection>> connect(const ShareOptions& options) {
  ELENCHUS_ASSIGN_OR_RETURN(const share::Address address, share::parse_address(options.url));
  return share::Connection::open(address, share::kReadersPatience);
}

int run_prepare(const ShareOptions& options, bool may_create) {
  auto connection = connect(options);
  if (!connection) return fail(connection.error(), {});
  const auto done = share::prepare_schema(**connection, may_create);
  if (!done) return fail(done.error(), {});
  for (const std::string& remark : done->remarks) tell("elenchus share: warning: {}\n", remark);
  if (options.quiet) return kNothingWrong;
  if (done->from == done->to) {
    tell("the tables are already there, in format {}\n", done->to);
  } else {
    tell("created the tables, in format {}\n", done->to);
  }
  if (done->remarks.empty()) {
    tell(
        "nodes need the role elenchus_node (GRANT elenchus_node TO ...), and readers the role "
        "elenchus_reader\n");
  }
  return kNothingWrong;
}

Json json_of(const share::NodeLine& node) {
  return {{"campaign", node.campaign}, {"node", node.name},
          {"standing", node.standing}, {"silent", node.silent},
          {"running", node.running},   {"tests", node.tests},
          {"bugs", node.bugs},         {"tests_per_second", node.tests_per_second},
          {"load", node.load},         {"jobs", node.jobs},
          {"program", node.program},   {"host", node.host}};
}

void put_table(const std::vector<share::NodeLine>& nodes) {
  put("{:<16}{:<24}{:<9}{:>10}{:>8}{:>6}{:>7}  {:<18}{}\n", "CAMPAIGN", "NODE", "", "TESTS", "/S",
      "BUGS", "LOAD", "PROGRAM", "HEARD OF");
  for (const share::NodeLine& node : nodes) {
    const bool is_alive = node.standing == "alive";
    put("{:<16}{:<24}{:<9}{:>10}{:>8.1f}{:>6}{:>7.1f}  {:<18}{} ago\n",
        base::shown(node.campaign, 15), base::shown(node.name, 23), node.standing, node.tests,
        is_alive ? node.tests_per_second : 0, node.bugs, is_alive ? node.load : 0,
        base::shown(node.program, 17), show_duration(node.silent));
  }
}

int run_status(const ShareOptions& options) {
  auto connection = connect(options);
  if (!connection) return fail(connection.error(), {});
  const auto version = share::schema_version(**connection);
  if (!version) return fail(version.error(), {});
  if (const auto fits = share::check_version(*version); !fits) return fail(fits.error(), {});
  const auto nodes = share::read_nodes(**connection);
  if (!nodes) return fail(nodes.error(), {});
  const auto experiments = share::read_experiments(**connection);
  if (!experiments) return fail(experiments.error(), {});
  if (options.json) {
    Json object = {{"format", *version}, {"nodes", Json::array()}, {"experiments", Json::array()}};
    for (const share::NodeLine& node : *nodes) object["nodes"].push_back(json_of(node));
    for (const share::ExperimentLine& one : *experiments) {
      object["experiments"].push_back({{"name", one.name},
                                       {"runs", one.runs},
                                       {"complete", one.complete},
                                       {"under_way", one.under_way}});
    }
    put("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
    return kNothingWrong;
  }
  if (nodes->empty() && experiments->empty()) put("format {}; no campaign yet\n", *version);
  if (!nodes->empty()) put_table(*nodes);
  for (const share::ExperimentLine& one : *experiments) {
    put("experiment {}: {} of {} runs complete, {} under way\n", base::shown(one.name, 100),
        one.complete, one.runs, one.under_way);
  }
  return kNothingWrong;
}

}  // namespace

void add_share_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ShareOptions>();
  CLI::App* share =
      app.add_subcommand("share", "The database of a campaign on many machines (PostgreSQL)");
  share->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
  CLI::App* init = share->add_subcommand("init", "create the tables and the two roles");
  CLI::App* upgrade = share->add_subcommand("upgrade", "bring older tables up to date");
  CLI::App* status = share->add_subcommand(
      "status", "list the nodes of all campaigns, and how far experiments are");
  for (CLI::App* command : {init, upgrade, status}) {
    command->add_option("URL", options->url, "postgresql://HOST/DATABASE, as libpq takes it")
        ->required();
    command->add_flag("-q,--quiet", options->quiet, "print nothing");
    command->footer("Example:\n  elenchus share " + command->get_name() +
                    " postgresql://db.example.org/fuzzing");
  }
  status->add_flag("--json", options->json, "one JSON object");
  share->require_subcommand(1);
  share->footer(
      "The URL contains no password: libpq takes it from ~/.pgpass, PGPASSWORD or a service file.\n"
      "It says whether TLS is used (?sslmode=verify-full). docs/cluster explains the set-up.\n\n"
      "Examples:\n"
      "  elenchus share init postgresql://db.example.org/fuzzing\n"
      "  elenchus fuzz --share postgresql://db.example.org/fuzzing --campaign night\n"
      "  elenchus share status postgresql://db.example.org/fuzzing\n"
      "  elenchus bugs 'postgresql://db.example.org/fuzzing?campaign=night'");
  share->callback([=, &exit_code] {
    exit_code = status->parsed() ? run_status(*options) : run_prepare(*options, init->parsed());
  });
}

}  // namespace elenchus::cli
