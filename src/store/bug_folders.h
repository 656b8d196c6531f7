#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/campaign_folder.h"
#include "store/manifest.h"

namespace elenchus::store {

// A file for a bug's folder, such as reduced.smt2 or outputs/z3.txt.
struct BugFile {
  std::string name;
  std::string content;
  bool executable = false;
};

// The folders bugs/<ID>. A folder of that name is always complete: it is written aside, flushed
// and renamed.
class BugFolders {
 public:
  explicit BugFolders(CampaignFolder folder) : folder_(std::move(folder)) {}

  bool exists(std::string_view id) const;

  // Writes all files and the manifest, whose id must be new.
  base::Result<void> add(const Manifest& manifest, const std::vector<BugFile>& files) const;

  // Adds a file to a complete folder, or replaces it.
  base::Result<void> put(std::string_view id, const BugFile& file) const;

  base::Result<Manifest> manifest(std::string_view id) const;

  // Names of the files, sorted, those of folders as "folder/name".
  base::Result<std::vector<std::string>> files(std::string_view id) const;
  base::Result<std::string> read(std::string_view id, std::string_view name) const;

  // Ids of all complete folders.
  base::Result<std::vector<std::string>> list() const;

  // Removes what a killed writer left behind.
  base::Result<void> remove_temporaries() const;

 private:
  base::Result<void> write_all(const std::filesystem::path& aside, const Manifest& manifest,
                               const std::vector<BugFile>& files) const;

  CampaignFolder folder_;
};

}  // namespace elenchus::store
