#include "web/page.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/embedded.h"
#include "record/kind.h"
#include "record/outcome.h"
#include "store/json.h"
#include "web/campaign_json.h"

namespace elenchus::web {

std::span<const base::EmbeddedFile> embedded_assets();

namespace {

std::string_view asset(std::string_view name) {
  for (const base::EmbeddedFile& file : embedded_assets()) {
    if (file.path == name) return file.content;
  }
  ELENCHUS_CHECK(false, "an embedded file is missing");
  return {};
}

using Fields = std::map<std::string_view, std::string_view>;

// Puts the fields into the template's {{name}}; what a field holds is not looked at again.
std::string filled(std::string_view text, const Fields& fields) {
  std::string page;
  while (true) {
    const size_t open = text.find("{{");
    const size_t close = open == std::string_view::npos ? open : text.find("}}", open);
    page += text.substr(0, open);
    if (close == std::string_view::npos) return page;
    const auto field = fields.find(text.substr(open + 2, close - open - 2));
    if (field != fields.end()) page += field->second;
    text.remove_prefix(close + 2);
  }
}

// A bug whose folder somebody moved away; the others are worth reading all the same.
Json lost_bug_json(const base::Error& error) {
  return {{"evidence", "The files of this bug cannot be read: " + error.message},
          {"answers", Json::array()},
          {"files", Json::array()}};
}

// Nobody can know it beforehand, so that nothing but our own script and style is taken for ours.
std::string nonce() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 4; ++i) text += fmt::format("{:08x}", device());
  return text;
}

}  // namespace

std::string_view page_script() { return asset("page.js"); }
std::string_view page_style() { return asset("page.css"); }

std::string json_for_html(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

namespace {

// The words of campaigns as the page shows them: every kind of bug, every outcome of a run.
Json vocabulary(std::string_view mode) {
  Json kinds = Json::object();
  for (const record::KindInfo& kind : record::kinds()) {
    kinds[std::string(kind.name)] = {{"meaning", kind.meaning},
                                     {"expected", kind.expected},
                                     {"style", record::style_of(kind.look)}};
  }
  Json outcomes = Json::array();
  for (const record::OutcomeInfo& outcome : record::kOutcomeTable) {
    outcomes.push_back({outcome.name, outcome.colour});
  }
  return {{"mode", mode}, {"kinds", std::move(kinds)}, {"outcomes", std::move(outcomes)}};
}

}  // namespace

base::Result<std::string> report_page(const std::vector<const store::CampaignView*>& campaigns,
                                      size_t most_per_file) {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  Json data = vocabulary("static");
  data["generated"] = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  data["campaigns"] = Json::array();
  for (const store::CampaignView* view : campaigns) {
    ELENCHUS_ASSIGN_OR_RETURN(Json campaign, campaign_json(*view));
    Json details = Json::object();
    for (const Json& bug : campaign["bugs"]) {
      const auto id = bug["id"].get<std::string>();
      auto detail = bug_json(*view, id, most_per_file);
      details[id] = detail ? std::move(*detail) : lost_bug_json(detail.error());
    }
    campaign["details"] = std::move(details);
    data["campaigns"].push_back(std::move(campaign));
  }
  const std::string once = nonce();
  const std::string policy = fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; "
      "base-uri 'none'; form-action 'none'",
      once);
  const std::string style = fmt::format("<style nonce=\"{}\">\n{}</style>", once, page_style());
  const std::string script = fmt::format("<script nonce=\"{}\">\n{}</script>", once, page_script());
  const std::string json = json_for_html(store::dump_json(data));
  return filled(asset("page.html"), {{"policy", policy},
                                     {"title", "Elenchus"},
                                     {"style", style},
                                     {"script", script},
                                     {"data", json}});
}

std::string live_page() {
  const std::string json = json_for_html(store::dump_json(vocabulary("live")));
  return filled(asset("page.html"),
                {{"policy",
                  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                  "img-src data:; base-uri 'none'; form-action 'none'"},
                 {"title", "Elenchus"},
                 {"style", "<link rel=\"stylesheet\" href=\"page.css\">"},
                 {"script", "<script src=\"page.js\"></script>"},
                 {"data", json}});
}

}  // namespace elenchus::web
