#include "triage/listing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "triage/groups.h"

namespace elenchus::triage {

Listing listing_of(std::vector<record::Bug> bugs) {
  Listing listing;
  listing.bugs = std::move(bugs);
  listing.chief.resize(listing.bugs.size());
  for (const Group& group : group_bugs(listing.bugs)) {
    for (const size_t member : group.members) listing.chief[member] = group.chief;
    ++listing.groups;
  }
  return listing;
}

base::Result<Listing> listing_of(const store::CampaignView& view) {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<record::Bug> bugs, view.described_bugs());
  return listing_of(std::move(bugs));
}

Gathered gathered(std::vector<std::vector<record::Bug>> campaigns) {
  std::vector<std::pair<record::Bug, size_t>> all;
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < campaigns.size(); ++i) {
    for (record::Bug& bug : campaigns[i]) {
      const auto [place, is_new] = places.try_emplace(bug.signature, all.size());
      if (is_new) {
        all.emplace_back(std::move(bug), i);
        continue;
      }
      auto& [known, campaign] = all[place->second];
      bug.count += known.count;
      bug.first_seen = std::min(bug.first_seen, known.first_seen);
      bug.last_seen = std::max(bug.last_seen, known.last_seen);
      if (known.state.empty() && !bug.state.empty()) {
        known = std::move(bug);
        campaign = i;
        continue;
      }
      known.count = bug.count;
      known.first_seen = bug.first_seen;
      known.last_seen = bug.last_seen;
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first.rank < b.first.rank; });
  Gathered result;
  for (auto& [bug, campaign] : all) {
    result.bugs.push_back(std::move(bug));
    result.campaign.push_back(campaign);
  }
  return result;
}

std::vector<size_t> shown_order(const Listing& listing) {
  std::vector<size_t> order(listing.bugs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto part = [&](size_t bug) {
    if (listing.is_outside_policy(bug)) return 3;
    if (listing.is_settled(bug)) return 2;
    return listing.is_chief(bug) ? 0 : 1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return part(a) < part(b); });
  return order;
}

}  // namespace elenchus::triage
