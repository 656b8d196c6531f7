#include "web/metrics.h"

#include <string_view>

#include <fmt/format.h>

namespace elenchus::web {
namespace {

struct Metric {
  const char* name;
  const char* type;
  const char* help;
  const char* field;
};

constexpr Metric kTotals[] = {
    {"elenchus_tests_total", "counter", "Tests that were made.", "tests"},
    {"elenchus_runs_total", "counter", "Runs of solvers.", "runs"},
    {"elenchus_accepted_total", "counter", "Tests that some solver took.", "accepted"},
    {"elenchus_decided_total", "counter", "Tests that some solver decided.", "decided"},
    {"elenchus_timeouts_total", "counter", "Runs that timed out.", "timeouts"},
    {"elenchus_findings_total", "counter", "Findings that were confirmed.", "findings"},
    {"elenchus_bugs", "gauge", "Distinct bugs.", "bugs"},
    {"elenchus_running_seconds_total", "counter", "Seconds that the campaign has run.", "seconds"},
    {"elenchus_warnings", "gauge", "Warnings.", "warnings"},
};

constexpr Metric kNodes[] = {
    {"elenchus_node_tests_total", "counter", "Tests that a node has made.", "tests"},
    {"elenchus_node_silent_seconds", "gauge", "Since a node was heard of.", "silent"},
};

// Of those that are alive; else what they were last would stay for ever.
constexpr Metric kAliveNodes[] = {
    {"elenchus_node_tests_per_second", "gauge", "Tests a second, lately.", "tests_per_second"},
    {"elenchus_node_load", "gauge", "Load of the node's machine.", "load"},
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result;
}

std::string head_of(const Metric& metric) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", metric.name, metric.help, metric.type);
}

std::string number_in(const Json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_number() ? found->dump() : "0";
}

std::string label_of(const Json& campaign) {
  return fmt::format("campaign=\"{}\"", escaped(campaign["name"].get<std::string>()));
}

std::string sample(const char* name, const std::string& labels, const std::string& value) {
  return fmt::format("{}{{{}}} {}\n", name, labels, value);
}

}  // namespace

std::string metrics_text(const std::vector<Json>& campaigns) {
  std::string text;
  for (const Metric& metric : kTotals) {
    text += head_of(metric);
    for (const Json& campaign : campaigns) {
      text += sample(metric.name, label_of(campaign), number_in(campaign["totals"], metric.field));
    }
  }
  text += head_of({"elenchus_up", "gauge", "Whether the campaign is running.", ""});
  for (const Json& campaign : campaigns) {
    text += sample("elenchus_up", label_of(campaign), campaign["running"].get<bool>() ? "1" : "0");
  }
  const auto each_node = [&](const auto& visit) {
    for (const Json& campaign : campaigns) {
      for (const Json& node : campaign["nodes"]) {
        const std::string name = escaped(node["name"].get<std::string>());
        visit(fmt::format("{},node=\"{}\"", label_of(campaign), name), node);
      }
    }
  };
  for (const Metric& metric : kNodes) {
    text += head_of(metric);
    each_node([&](const std::string& labels, const Json& node) {
      text += sample(metric.name, labels, number_in(node, metric.field));
    });
  }
  const auto is_alive = [](const Json& node) { return node["standing"] == "alive"; };
  for (const Metric& metric : kAliveNodes) {
    text += head_of(metric);
    each_node([&](const std::string& labels, const Json& node) {
      text += sample(metric.name, labels, is_alive(node) ? number_in(node, metric.field) : "0");
    });
  }
  text += head_of({"elenchus_node_up", "gauge", "Whether a node is alive.", ""});
  each_node([&](const std::string& labels, const Json& node) {
    text += sample("elenchus_node_up", labels, is_alive(node) ? "1" : "0");
  });
  return text;
}

}  // namespace elenchus::web
