#pragma once

#include <string>
#include <vector>

#include "docket/suspicion.h"

namespace elenchus::cli {

// What was found and is no bug, or none yet: a table with a line for each, and as JSON.
std::string docket_table(const std::vector<docket::Suspicion>& suspicions);
std::string docket_json(const std::string& folder,
                        const std::vector<docket::Suspicion>& suspicions);

}  // namespace elenchus::cli
