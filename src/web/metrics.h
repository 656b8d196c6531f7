#pragma once

#include <string>
#include <vector>

#include "web/campaign_json.h"

namespace elenchus::web {

// The figures of campaigns, from campaign_json(), as Prometheus reads them.
std::string metrics_text(const std::vector<Json>& campaigns);

}  // namespace elenchus::web
