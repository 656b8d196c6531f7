#pragma once

#include <string>

#include "campaign/campaign.h"

namespace elenchus::cli {

// A campaign's state in a form to look at: the lines of a screen, and one line for logs.
std::string status_screen(const campaign::Snapshot& snapshot, const campaign::Shared& shared,
                          const std::string& folder, bool colour);
std::string status_line(const campaign::Snapshot& snapshot);

// The closing table: what was found, and where it lies.
std::string closing_table(const campaign::Snapshot& snapshot, const campaign::Campaign& campaign);

}  // namespace elenchus::cli
