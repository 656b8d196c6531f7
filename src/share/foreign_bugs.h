#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/bug.h"
#include "share/connection.h"
#include "store/campaign_store.h"

namespace elenchus::share {

// What a bug of another node consists of. Without files: they could not be read.
struct ForeignBug {
  std::string signature;
  std::string node;
  int64_t changed = 0;  // grows with every change
  std::vector<store::RecordFile> files;
};

// Those with these numbers.
base::Result<std::vector<ForeignBug>> read_bugs(Connection& connection,
                                                const std::vector<int64_t>& ids);

// What somebody says of the bug, in place of what was said before.
base::Result<void> put_mark(Connection& connection, int64_t campaign, std::string_view signature,
                            const record::Mark& mark);

// The bugs of others in a campaign's folder, and as of which change each is there; the folder keeps
// that.
class ForeignBugs {
 public:
  static base::Result<ForeignBugs> of(store::CampaignStore& store);

  bool is_current(std::string_view signature, int64_t changed) const;
  // Takes the bug, or what has changed of it. A parse error: it cannot be read, and is not to be
  // asked for again.
  base::Result<void> take(const ForeignBug& bug);

 private:
  explicit ForeignBugs(store::CampaignStore& store) : store_(&store) {}

  store::CampaignStore* store_;
  std::map<std::string, int64_t, std::less<>> changes_;  // by signature
};

}  // namespace elenchus::share
