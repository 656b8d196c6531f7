#include "cli/docket_list.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace elenchus::cli {

std::string docket_table(const std::vector<docket::Suspicion>& suspicions) {
  size_t width = 2;
  for (const docket::Suspicion& one : suspicions) width = std::max(width, one.id.size());
  std::string text = fmt::format("{:<{}}  {:<11}  what\n", "id", width, "stage");
  for (const docket::Suspicion& one : suspicions) {
    constexpr size_t kMost = 100;
    const std::string claim = one.claim.substr(0, one.claim.find('\n'));
    text += fmt::format("{:<{}}  {:<11}  {}{}{}\n", one.id, width, to_string(one.stage),
                        base::shown(claim, kMost), one.reason.empty() ? "" : "; ",
                        base::shown(one.reason, kMost));
  }
  return text;
}

std::string docket_json(const std::string& folder,
                        const std::vector<docket::Suspicion>& suspicions) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const docket::Suspicion& one : suspicions) list.push_back(Json::parse(json_text(one)));
  const Json all = {{"campaign", folder}, {"suspicions", list}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace elenchus::cli
