#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/bug.h"

namespace elenchus::triage {

// The bugs in the order in which one should report them, as indices: those that are not known
// upstream and head their group; of each solver first one for each theory, the gravest, and the
// rest after that, when these are fixed. `bugs` is in the order of rank.
std::vector<size_t> reporting_order(std::span<const record::Bug> bugs);

// A bug as SARIF shows it.
struct SarifBug {
  record::Bug bug;
  std::string uri;     // of the script, below the campaign's folder
  std::string report;  // Markdown
};

// A SARIF 2.1.0 log, one run, one result for each bug.
std::string sarif(std::span<const SarifBug> bugs, std::string_view program_version);

}  // namespace elenchus::triage
