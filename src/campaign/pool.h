#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/record_folders.h"

namespace elenchus::campaign {

// A script that reached something new, and where it comes from.
struct Pooled {
  std::string id = {};
  std::string seed = {};            // the path of the seed that the family began with
  std::string engine = {};          // that made it
  uint32_t generation = 1;          // how many steps of the pool lie between it and the seed
  std::string because = {};         // what was new
  std::vector<uint64_t> keys = {};  // that no test had shown before
  std::string script = {};
  bool is_foreign = false;  // another node of a shared campaign made it
};

// What a script is known by on every node.
std::string digest_of(std::string_view script);

// The pool of a campaign: bounded, on the disk, and read again by the next session. Thread-safe.
class Pool {
 public:
  // Takes up what is there; what cannot be read is passed over.
  static base::Result<std::unique_ptr<Pool>> open(const std::filesystem::path& folder);

  // What it held when it was opened.
  const std::vector<Pooled>& kept() const { return kept_; }

  // Whether none of the family has had this outcome yet; from here on it has.
  bool is_new_outcome(std::string_view seed, std::string_view outcome);
  // Whether another of the family may join.
  bool has_room(std::string_view seed) const;
  // On the disk when this returns; gives it its id.
  base::Result<void> add(Pooled& entry);

  // For a campaign of several nodes: what this one has made and was not asked for yet, as files.
  std::vector<std::vector<store::RecordFile>> take_untold();
  // A script of another node; nothing where there is no room, or where it or what it shows is
  // known.
  base::Result<std::optional<Pooled>> adopt(const std::vector<store::RecordFile>& files);

  std::filesystem::path script_of(std::string_view id) const;
  uint64_t added() const;

 private:
  explicit Pool(std::filesystem::path folder) : folders_(std::move(folder)) {}
  base::Result<void> load();
  base::Result<void> write(Pooled& entry);

  store::RecordFolders folders_;
  std::vector<Pooled> kept_;
  mutable std::mutex mutex_;
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> outcomes_;  // by seed
  std::map<std::string, uint32_t, std::less<>> families_;                            // how many
  std::set<std::string> digests_;                                                    // of scripts
  uint64_t count_ = 0;
  uint64_t next_ = 1;
  std::vector<std::string> untold_;  // ids
};

// The pool of a campaign's folder, for viewers.
base::Result<std::vector<Pooled>> read_pool(const std::filesystem::path& folder);

// Places of a few entries that together have all keys that the entries have, and one for each
// combination of answers that some joined for. In ascending order.
std::vector<size_t> smallest_set(std::span<const Pooled> entries);

}  // namespace elenchus::campaign
