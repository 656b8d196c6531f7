#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "store/campaign_view.h"

namespace elenchus::web {

using Json = nlohmann::ordered_json;

// What the page shows of a campaign, as data/web/page.js reads it: totals, series over running time
// with a few hundred points however long the campaign ran, yields, bugs without their files.
base::Result<Json> campaign_json(const store::CampaignView& view);

// The little that a page with several campaigns needs of each, from campaign_json().
Json overview_json(const Json& campaign);

// One bug with its files, of which at most so many bytes each. The id is a bug's in full, as the
// database has it.
base::Result<Json> bug_json(const store::CampaignView& view, const std::string& id, size_t most);

// The same for an id from outside, which is looked up in the database first.
base::Result<Json> find_bug_json(const store::CampaignView& view, std::string_view id, size_t most);

}  // namespace elenchus::web
