#pragma once

#include "cli/bugs_options.h"

namespace elenchus::cli {

// `elenchus bugs DIR list`: a table, the gravest first, or what waits in the docket.
int run_bugs_list(const BugsOptions& options);
// `elenchus bugs DIR show ID`.
int run_bugs_show(const BugsOptions& options);

}  // namespace elenchus::cli
