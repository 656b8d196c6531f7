#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/campaign_view.h"

namespace elenchus::web {

// One HTML page with everything that it shows in it: it loads nothing, and works from a mail. Files
// of bugs are cut after so many bytes.
base::Result<std::string> report_page(const std::vector<const store::CampaignView*>& campaigns,
                                      size_t most_per_file = 24'000);

// The page of the dashboard, which asks the server that it came from.
std::string live_page();

// The script and the style sheet of live_page().
std::string_view page_script();
std::string_view page_style();

// JSON text such that it can stand in a script element: no input can end the element.
std::string json_for_html(std::string_view json);

}  // namespace elenchus::web
