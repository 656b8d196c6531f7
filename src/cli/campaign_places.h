#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/bug.h"
#include "share/mirror.h"

namespace elenchus::cli {

// Campaigns as readers name them: folders, and URLs of shared campaigns. Of the latter there is a
// folder on this machine, which shows the campaign as it was at the last refresh().
class CampaignPlaces {
 public:
  static base::Result<CampaignPlaces> find(const std::vector<std::string>& named);

  // In the order in which they were named.
  const std::vector<std::string>& folders() const { return folders_; }
  bool has_shared() const { return !mirrors_.empty(); }
  // What went wrong, by folder.
  std::map<std::string, std::string> refresh();

  // Tells the others what somebody says of a bug; nothing where the folder is no shared campaign's.
  base::Result<void> mark(const std::filesystem::path& folder, const std::string& signature,
                          const record::Mark& mark);

 private:
  std::vector<std::string> folders_;
  std::vector<std::unique_ptr<share::Mirror>> mirrors_;
};

}  // namespace elenchus::cli
