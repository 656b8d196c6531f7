#include "cli/campaign_display.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/say.h"
#include "cli/status_screen.h"

namespace elenchus::cli {
namespace {

bool can_redraw() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

CampaignDisplay::CampaignDisplay(const campaign::Campaign& campaign, std::string folder,
                                 const Style& style)
    : campaign_(campaign),
      folder_(std::move(folder)),
      is_terminal_(style.may_redraw && !style.is_quiet && can_redraw()),
      is_quiet_(style.is_quiet) {}

void CampaignDisplay::show(const campaign::Snapshot& snapshot) {
  latest_ = snapshot;
  if (is_quiet_) return;
  if (is_terminal_) return redraw(snapshot);
  if (snapshot.session_seconds < next_line_) return;
  next_line_ = snapshot.session_seconds + line_interval(snapshot.session_seconds);
  tell("{}\n", status_line(snapshot));
  tell_warnings(snapshot);
}

// Each once: its figures go on changing.
void CampaignDisplay::tell_warnings(const campaign::Snapshot& snapshot) {
  for (const std::string& warning : snapshot.warnings) {
    std::string words = warning;
    std::erase_if(words, [](char c) { return c >= '0' && c <= '9'; });
    if (warned_.insert(std::move(words)).second) tell("elenchus fuzz: warning: {}\n", warning);
  }
}

// The newest first; read from the disk when there is another one.
void CampaignDisplay::look_for_bugs(uint64_t count) {
  if (count == bugs_.size()) return;
  auto bugs = campaign_.store().view().bugs();
  if (!bugs) return;
  bugs_ = std::move(*bugs);
  std::stable_sort(bugs_.begin(), bugs_.end(),
                   [](const auto& a, const auto& b) { return a.first_seen > b.first_seen; });
}

// Goes back to the first line of what was drawn before, and clears each line as it is rewritten.
// Ctrl-C has left ^C where the cursor stood.
void CampaignDisplay::redraw(const campaign::Snapshot& snapshot) {
  look_for_bugs(snapshot.stats.total.bugs);
  const StatusView view = {snapshot,
                           campaign_.shared().settings,
                           folder_,
                           bugs_,
                           static_cast<double>(std::time(nullptr)),
                           std::getenv("NO_COLOR") == nullptr};
  const std::string screen = status_screen(view, window_size(STDOUT_FILENO));
  std::string text = lines_ > 0 ? fmt::format("\r\033[{}A", lines_) : std::string();
  lines_ = 0;
  for (const char c : screen) {
    if (c == '\n') {
      text += "\033[K";
      ++lines_;
    }
    text += c;
  }
  put("{}\033[J", text);
}

}  // namespace elenchus::cli
