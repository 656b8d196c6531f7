#pragma once

#include <set>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "store/campaign_view.h"

namespace elenchus::cli {

// Shows a campaign while it runs: a screen on a terminal, a line every few seconds elsewhere.
class CampaignDisplay {
 public:
  // Without a screen, there are lines all the same; a quiet one shows nothing.
  struct Style {
    bool may_redraw = true;
    bool is_quiet = false;
  };
  CampaignDisplay(const campaign::Campaign& campaign, std::string folder, const Style& style);

  void show(const campaign::Snapshot& snapshot);
  const campaign::Snapshot& latest() const { return latest_; }

 private:
  void tell_warnings(const campaign::Snapshot& snapshot);
  void look_for_bugs(uint64_t count);
  void redraw(const campaign::Snapshot& snapshot);

  const campaign::Campaign& campaign_;
  std::string folder_;
  bool is_terminal_;
  bool is_quiet_;
  int lines_ = 0;
  double next_line_ = 0;
  std::set<std::string> warned_;  // without their figures
  std::vector<store::BugRecord> bugs_;
  campaign::Snapshot latest_;
};

}  // namespace elenchus::cli
