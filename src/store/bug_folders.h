#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/campaign_folder.h"
#include "store/manifest.h"
#include "store/record_folders.h"

namespace elenchus::store {

using BugFile = RecordFile;

// The folders bugs/<ID>: records with a manifest.
class BugFolders {
 public:
  explicit BugFolders(const CampaignFolder& folder) : folders_(folder.bugs()) {}

  bool exists(std::string_view id) const { return folders_.exists(id); }

  // Writes all files and the manifest, whose id must be new.
  base::Result<void> add(const Manifest& manifest, std::vector<BugFile> files) const;

  // Adds a file to a complete folder, or replaces it.
  base::Result<void> put(std::string_view id, const BugFile& file) const {
    return folders_.put(id, file);
  }

  base::Result<void> remove(std::string_view id) const { return folders_.remove(id); }

  base::Result<Manifest> manifest(std::string_view id) const;

  // Names of the files, sorted, those of folders as "folder/name".
  base::Result<std::vector<std::string>> files(std::string_view id) const {
    return folders_.files(id);
  }
  base::Result<std::string> read(std::string_view id, std::string_view name) const {
    return folders_.read(id, name);
  }

  // Ids of all complete folders.
  base::Result<std::vector<std::string>> list() const { return folders_.list(); }

  // Removes what a killed writer left behind.
  base::Result<void> remove_temporaries() const { return folders_.remove_temporaries(); }

 private:
  RecordFolders folders_;
};

}  // namespace elenchus::store
