#pragma once

#include <string>

#include "base/result.h"
#include "campaign/campaign.h"

namespace elenchus::cli {

// Reads the files that settings name: operators, knowledge, correlations. Where that fails, `file`
// is the one that the error is about; otherwise it is empty.
base::Result<campaign::Launch> launch_for(const campaign::Settings& settings, std::string& file);

}  // namespace elenchus::cli
