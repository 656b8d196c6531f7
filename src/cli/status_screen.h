#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "campaign/campaign.h"

namespace elenchus::cli {

// A campaign's state in a form to look at: the lines of a screen, and one line for logs.
std::string status_screen(const campaign::Snapshot& snapshot, const campaign::Shared& shared,
                          const std::string& folder, bool colour);

// How many columns and rows a terminal has; 80 and 24 where it does not say.
struct WindowSize {
  size_t columns = 80;
  size_t rows = 24;
};
WindowSize window_size(int terminal);

// The lines of a screen, cut so that none is wrapped and the first does not scroll away. Colours
// take no room.
std::string fitted(std::string_view screen, const WindowSize& window);

std::string status_line(const campaign::Snapshot& snapshot);

// The closing table: what was found, and where it lies.
std::string closing_table(const campaign::Snapshot& snapshot, const campaign::Campaign& campaign);

}  // namespace elenchus::cli
