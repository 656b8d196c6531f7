#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace elenchus::store {

// A file for a record's folder, such as reduced.smt2 or outputs/z3.txt.
struct RecordFile {
  std::string name;
  std::string content;
  bool executable = false;
};

// A folder with a folder for each record: bugs, suspicions. One that has its final name is always
// complete: it is written aside, flushed and renamed. Ids and names of files are checked, so that
// what came from outside never leads out of the folder.
class RecordFolders {
 public:
  explicit RecordFolders(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  bool exists(std::string_view id) const;

  // Writes a record whose id is new.
  base::Result<void> add(std::string_view id, const std::vector<RecordFile>& files) const;

  // Adds a file to a complete folder, or replaces it.
  base::Result<void> put(std::string_view id, const RecordFile& file) const;

  // Takes a record away as a whole: a reader sees all of it or nothing.
  base::Result<void> remove(std::string_view id) const;

  // Names of the files, sorted, those of folders as "folder/name".
  base::Result<std::vector<std::string>> files(std::string_view id) const;
  base::Result<std::string> read(std::string_view id, std::string_view name) const;

  // Ids of all complete folders.
  base::Result<std::vector<std::string>> list() const;

  // Removes what a killed writer left behind.
  base::Result<void> remove_temporaries() const;

 private:
  std::filesystem::path aside(std::string_view id) const;

  std::filesystem::path root_;
};

}  // namespace elenchus::store
