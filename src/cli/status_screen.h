#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.h"

namespace elenchus::cli {

// How many columns and rows a terminal has; 80 and 24 where it does not say.
struct WindowSize {
  size_t columns = 80;
  size_t rows = 24;
};
WindowSize window_size(int terminal);

// What the screen shows of a campaign.
struct StatusView {
  const campaign::Snapshot& snapshot;
  const campaign::Settings& settings;
  std::string folder;
  std::vector<store::BugRecord> bugs;  // the newest first
  double now = 0;                      // seconds since 1970
  bool colour = false;
};

// The lines of a screen that fits the window: in a small one the engines that get the least time
// are one line, and there are bugs where there is room for them.
std::string status_screen(const StatusView& view, const WindowSize& window);

// The lines of a screen, cut so that none is wrapped and the first does not scroll away. Colours
// take no room.
std::string fitted(std::string_view screen, const WindowSize& window);

// One line for logs.
std::string status_line(const campaign::Snapshot& snapshot);

// How long it is until the next line of a log, after so many seconds: lines thin out with time.
double line_interval(double seconds);

// When the campaign ends: "in 10 min", "after 400 tests", "with Ctrl-C".
std::string end_of(const campaign::Settings& settings);

// The closing table: what was found, and where it is.
std::string closing_table(const campaign::Snapshot& snapshot, const campaign::Campaign& campaign);

}  // namespace elenchus::cli
