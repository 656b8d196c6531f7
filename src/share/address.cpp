#include "share/address.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"

namespace elenchus::share {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kCampaign = "campaign=";

base::Error refused(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

// Hides what stands between `://user:` and the last `@` of the word: who writes a password into a
// URL may have forgotten that some characters need an escape there.
void hide_user_part(std::string& text) {
  for (size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const size_t from = at + 3;
    const size_t end = std::min(text.find_first_of(" \t\n\"", from), text.size());
    const size_t sign = text.rfind('@', end == 0 ? 0 : end - 1);
    if (sign == std::string::npos || sign < from) continue;
    const size_t colon = text.find(':', from);
    if (colon < sign) text.replace(colon + 1, sign - colon - 1, kHidden);
  }
}

void hide_setting(std::string& text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    at += name.size();
    const size_t end = std::min(text.find_first_of("& \t\n\"'", at), text.size());
    text.replace(at, end - at, kHidden);
  }
}

// Takes our own setting out of the part behind '?'. Names of campaigns need no escapes.
std::optional<std::string> take_campaign(std::string& url) {
  size_t at = url.find('?');
  while (at != std::string::npos && url.compare(at + 1, kCampaign.size(), kCampaign) != 0) {
    at = url.find('&', at + 1);
  }
  if (at == std::string::npos) return {};
  const size_t from = at + 1 + kCampaign.size();
  const size_t end = std::min(url.find('&', from), url.size());
  std::string name = url.substr(from, end - from);
  const bool is_last = end == url.size();
  url.erase(is_last ? at : at + 1, is_last ? std::string::npos : end - at);
  return name;
}

bool is_campaign_name(std::string_view name) {
  constexpr size_t kLongest = 100;
  return name.size() <= kLongest && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

using Parts = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

base::Error password_in_url() {
  return refused(
      "the URL has a password in it, which others can read on a command line; leave it out, and "
      "put it into ~/.pgpass (or PGPASSWORD, or a service file)");
}

// Whether libpq would find a password in it does not matter: with a slash in one it reads the rest
// as a port and a database. The message of libpq may quote parts of the URL.
base::Result<Parts> parts_of(const std::string& url) {
  if (redacted(url) != url) return password_in_url();
  char* message = nullptr;
  Parts parts(PQconninfoParse(url.c_str(), &message), PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owner(message, PQfreemem);
  if (parts != nullptr) return parts;
  std::string why = redacted(message == nullptr ? "out of memory" : message);
  while (!why.empty() && why.back() == '\n') why.pop_back();
  return refused(fmt::format("this is not the URL of a database: {}", base::shown(why, 300)));
}

}  // namespace

bool is_address(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string redacted(std::string_view text) {
  std::string result(text);
  hide_user_part(result);
  hide_setting(result, "password=");
  return result;
}

std::string Address::shown() const {
  std::string host = "the local server";
  std::string port;
  std::string database;
  for (const auto& [name, value] : settings) {
    if (name == "host" || name == "hostaddr") host = value;
    if (name == "port") port = ':' + value;
    if (name == "dbname") database = value;
  }
  return base::shown(fmt::format("{}{}{}{}", host, port, database.empty() ? "" : "/", database),
                     200);
}

std::string with_campaign(std::string_view url, std::string_view campaign) {
  const char sign = url.find('?') == std::string_view::npos ? '?' : '&';
  return fmt::format("{}{}{}{}", url, sign, kCampaign, campaign);
}

base::Result<Address> parse_address(std::string_view text) {
  if (!is_address(text)) {
    return refused("a shared campaign is named by a URL like postgresql://HOST/DATABASE");
  }
  Address address;
  address.url = text;
  if (auto campaign = take_campaign(address.url)) address.campaign = std::move(*campaign);
  if (!is_campaign_name(address.campaign)) {
    return refused("the name of a campaign has letters, digits and ._- only");
  }
  ELENCHUS_ASSIGN_OR_RETURN(const Parts parts, parts_of(address.url));
  for (const PQconninfoOption* part = parts.get(); part->keyword != nullptr; ++part) {
    if (part->val == nullptr || *part->val == '\0') continue;
    const std::string_view name = part->keyword;
    if (name.ends_with("password")) return password_in_url();
    address.settings.emplace_back(name, part->val);
  }
  return address;
}

}  // namespace elenchus::share
