#pragma once

#include "cli/bugs_options.h"

namespace elenchus::cli {

// `elenchus bugs DIR export [ID...]`: the text of issues.
int run_bugs_export(const BugsOptions& options);

}  // namespace elenchus::cli
