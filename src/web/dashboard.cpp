#include "web/dashboard.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "store/json.h"
#include "web/metrics.h"
#include "web/page.h"

namespace elenchus::web {
namespace {

constexpr size_t kMostPerFile = 200'000;

Response json_response(const Json& json) {
  return {200, "application/json; charset=utf-8", store::dump_json(json)};
}

Response not_found() { return {404, "text/plain; charset=utf-8", "there is nothing here\n"}; }

bool is_local_host(std::string_view host) {
  const size_t bracket = host.rfind(']');
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    host = host.substr(0, colon);
  }
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host.empty();
}

const std::string kTokenCookie = "elenchus_token=";

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// In a time that does not tell how much of it is right.
bool is_same_secret(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(one[i]) ^
                                        static_cast<unsigned char>(other[i]));
  }
  return difference == 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                           hex_digit(text[i + 2]) >= 0;
    if (!is_escape) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return decoded;
}

// When the newest session last wrote; cheap to ask.
double last_written(const store::CampaignView& view) {
  const auto sessions = view.sessions();
  return sessions && !sessions->empty() ? sessions->back().last : 0;
}

// Takes a number off the front.
std::optional<size_t> take_number(std::string_view& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

base::Result<Dashboard> Dashboard::open(const std::vector<std::filesystem::path>& folders,
                                        bool is_local, std::string token) {
  Dashboard dashboard;
  dashboard.is_local_ = is_local;
  dashboard.token_ = std::move(token);
  for (const std::filesystem::path& folder : folders) {
    Campaign campaign;
    campaign.folder = folder;
    ELENCHUS_ASSIGN_OR_RETURN(campaign.view, store::CampaignView::open(folder));
    dashboard.campaigns_.push_back(std::move(campaign));
  }
  return dashboard;
}

Response Dashboard::answer(const Request& request) {
  if (is_local_ && token_.empty() && !is_local_host(request.host)) {
    return {403, "text/plain; charset=utf-8", "this dashboard is for this machine only\n"};
  }
  if (!has_token(request)) {
    return {401, "text/plain; charset=utf-8", "this dashboard needs its token: add ?token=...\n"};
  }
  Response response = answer_path(request.path);
  if (!token_.empty() && request.path == "/") response.cookie = kTokenCookie + token_;
  return response;
}

bool Dashboard::has_token(const Request& request) const {
  if (token_.empty()) return true;
  bool has = is_same_secret(request.authorization, "Bearer " + token_);
  for (const std::string_view part : parts_of(request.query, '&')) {
    has = has || is_same_secret(part, "token=" + token_);
  }
  for (std::string_view part : parts_of(request.cookie, ';')) {
    while (part.starts_with(' ')) part.remove_prefix(1);
    has = has || is_same_secret(part, kTokenCookie + token_);
  }
  return has;
}

Response Dashboard::answer_path(std::string_view path) {
  if (path == "/") return {200, "text/html; charset=utf-8", live_page()};
  if (path == "/page.js")
    return {200, "text/javascript; charset=utf-8", std::string(page_script())};
  if (path == "/page.css") return {200, "text/css; charset=utf-8", std::string(page_style())};
  if (path == "/metrics") return answer_metrics();
  constexpr std::string_view kApi = "/api/";
  return path.starts_with(kApi) ? answer_api(path.substr(kApi.size())) : not_found();
}

Response Dashboard::answer_api(std::string_view path) {
  if (path == "campaigns") {
    Json list = Json::array();
    for (size_t i = 0; i < campaigns_.size(); ++i) list.push_back(overview(i));
    return json_response(list);
  }
  constexpr std::string_view kCampaign = "campaign/";
  if (!path.starts_with(kCampaign)) return not_found();
  path.remove_prefix(kCampaign.size());
  const auto index = take_number(path);
  if (!index || *index >= campaigns_.size()) return not_found();
  Campaign& campaign = campaigns_[*index];
  constexpr std::string_view kBug = "/bug/";
  if (path.starts_with(kBug)) return answer_bug(campaign, path.substr(kBug.size()));
  if (!path.empty()) return not_found();
  refresh(campaign);
  if (campaign.summary.is_null()) {
    return {503, "text/plain; charset=utf-8", campaign.error + '\n'};
  }
  Json summary = campaign.summary;
  summary["index"] = *index;
  summary["trouble"] = trouble_ ? trouble_(campaign.folder) : std::string();
  return json_response(summary);
}

Response Dashboard::answer_metrics() {
  std::vector<Json> summaries;
  for (Campaign& campaign : campaigns_) {
    refresh(campaign);
    if (!campaign.summary.is_null()) summaries.push_back(campaign.summary);
  }
  return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(summaries)};
}

Response Dashboard::answer_bug(Campaign& campaign, std::string_view id) {
  if (campaign.view == nullptr) refresh(campaign);
  if (campaign.view == nullptr) return not_found();
  const auto bug = find_bug_json(*campaign.view, percent_decoded(id), kMostPerFile);
  return bug ? json_response(*bug) : not_found();
}

// However many browsers ask, a campaign is read again only when its writer has written since, and
// at most once a second; now and then all the same, to see that the writer is gone.
void Dashboard::refresh(Campaign& campaign) {
  constexpr double kFresh = 1;
  constexpr double kStale = 15;
  const double age = base::seconds_now() - campaign.read_at;
  if (campaign.read_at != 0 && age < kFresh) return;
  if (campaign.view == nullptr) {
    auto view = store::CampaignView::open(campaign.folder);
    if (view) campaign.view = std::move(*view);
    if (!view) campaign.error = view.error().message;
  }
  if (campaign.view != nullptr) {
    const double written = last_written(*campaign.view);
    if (!campaign.summary.is_null() && age < kStale && written == campaign.written) return;
    campaign.written = written;
    auto summary = campaign_json(*campaign.view);
    campaign.summary = summary ? std::move(*summary) : Json();
    if (!summary) {
      campaign.error = summary.error().message;
      campaign.view = nullptr;
    }
  }
  campaign.read_at = base::seconds_now();
}

Json Dashboard::overview(size_t index) {
  Campaign& campaign = campaigns_[index];
  refresh(campaign);
  if (!campaign.summary.is_null()) {
    Json overview = overview_json(campaign.summary);
    overview["index"] = index;
    return overview;
  }
  return {{"index", index},
          {"name", campaign.folder.filename().string()},
          {"running", false},
          {"bugs", 0},
          {"tests", 0},
          {"seconds", 0},
          {"found", Json::array()},
          {"tests_by", Json::array()},
          {"error", campaign.error}};
}

}  // namespace elenchus::web
