#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "record/bug.h"
#include "store/campaign_view.h"

namespace elenchus::triage {

// The bugs of a campaign, the gravest first, with what triage makes of them.
struct Listing {
  std::vector<record::Bug> bugs;
  std::vector<size_t> chief;  // of each bug's group
  size_t groups = 0;

  bool is_chief(size_t bug) const { return chief[bug] == bug; }
  bool is_known(size_t bug) const { return !bugs[bug].known.empty(); }
  // Somebody knows of it: upstream, or whoever has marked it.
  bool is_settled(size_t bug) const { return is_known(bug) || !bugs[bug].state.empty(); }
  bool is_outside_policy(size_t bug) const { return !bugs[bug].outside_policy.empty(); }
};

Listing listing_of(std::vector<record::Bug> bugs);
base::Result<Listing> listing_of(const store::CampaignView& view);

// The bugs of several campaigns as one list, the gravest first: what has the same signature counts
// as one, with the findings of all. A mark is that of the first campaign that has one.
struct Gathered {
  std::vector<record::Bug> bugs;
  std::vector<size_t> campaign;  // of each bug: the first that has it, or the one with the mark
};
Gathered gathered(std::vector<std::vector<record::Bug>> campaigns);

// Those to report first, then those like them, then what is known or marked, then what the policy
// does not report; indices.
std::vector<size_t> shown_order(const Listing& listing);

}  // namespace elenchus::triage
