#include "store/record_folders.h"

#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "store/campaign_folder.h"
#include "store/files.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;

base::Error bad_name(std::string_view name) {
  return {base::ErrorKind::kInternal,
          fmt::format("'{}' cannot be the name of a record or its file", base::shown(name)),
          {}};
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

base::Result<void> write_all(const fs::path& folder, const std::vector<RecordFile>& files) {
  if (auto done = make_folder(folder); !done) return done;
  std::set<fs::path> folders = {folder};
  for (const RecordFile& file : files) {
    const fs::path path = folder / file.name;
    if (folders.insert(path.parent_path()).second) {
      if (auto done = make_folder(path.parent_path()); !done) return done;
    }
    if (auto done = write_durable(path, file.content, file.executable); !done) return done;
  }
  for (const fs::path& one : folders) {
    if (auto done = sync_folder(one); !done) return done;
  }
  return {};
}

base::Result<void> rename_folder(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return file_error("write", to, errno);
  return {};
}

base::Result<void> remove_temporaries_in(const fs::path& folder) {
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    if (!name.starts_with(kTemporaryPrefix)) continue;
    if (auto done = remove_tree(folder / name); !done) return done;
  }
  return {};
}

}  // namespace

fs::path RecordFolders::aside(std::string_view id) const {
  return root_ / (std::string(kTemporaryPrefix) + std::string(id));
}

bool RecordFolders::exists(std::string_view id) const {
  return is_plain_name(id) && is_folder(root_ / id);
}

base::Result<void> RecordFolders::add(std::string_view id,
                                      const std::vector<RecordFile>& files) const {
  if (!is_plain_name(id)) return bad_name(id);
  for (const RecordFile& file : files) {
    if (!is_bug_file_name(file.name)) return bad_name(file.name);
  }
  if (auto done = remove_tree(aside(id)); !done) return done;
  auto done = write_all(aside(id), files);
  if (done) done = rename_folder(aside(id), root_ / id);
  if (!done) {
    // The first error is the one to tell.
    (void)remove_tree(aside(id));
    return done;
  }
  return sync_folder(root_);
}

base::Result<void> RecordFolders::put(std::string_view id, const RecordFile& file) const {
  if (!is_plain_name(id)) return bad_name(id);
  if (!is_bug_file_name(file.name)) return bad_name(file.name);
  const fs::path folder = root_ / id;
  const fs::path path = folder / file.name;
  if (!is_folder(folder)) return file_error("write", path, ENOENT);
  if (!is_folder(path.parent_path())) {
    if (auto done = make_folder(path.parent_path()); !done) return done;
    if (auto done = sync_folder(folder); !done) return done;
  }
  return replace_file(path, file.content, Durability::kNow, file.executable);
}

base::Result<void> RecordFolders::remove(std::string_view id) const {
  if (!is_plain_name(id)) return bad_name(id);
  if (!exists(id)) return {};
  if (auto done = remove_tree(aside(id)); !done) return done;
  if (auto done = rename_folder(root_ / id, aside(id)); !done) return done;
  return remove_tree(aside(id));
}

base::Result<std::vector<std::string>> RecordFolders::files(std::string_view id) const {
  if (!is_plain_name(id)) return bad_name(id);
  const fs::path folder = root_ / id;
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(folder));
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (!is_plain_name(name)) continue;
    if (!is_folder(folder / name)) {
      files.push_back(name);
      continue;
    }
    ELENCHUS_ASSIGN_OR_RETURN(const auto inner, list_folder(folder / name));
    for (const std::string& file : inner) {
      if (is_plain_name(file)) files.push_back(fmt::format("{}/{}", name, file));
    }
  }
  return files;
}

base::Result<std::string> RecordFolders::read(std::string_view id, std::string_view name) const {
  if (!is_plain_name(id)) return bad_name(id);
  if (!is_bug_file_name(name)) return bad_name(name);
  return read_file(root_ / id / name);
}

base::Result<std::vector<std::string>> RecordFolders::list() const {
  ELENCHUS_ASSIGN_OR_RETURN(auto names, list_folder(root_));
  std::erase_if(names, [this](const std::string& name) { return !exists(name); });
  return names;
}

base::Result<void> RecordFolders::remove_temporaries() const {
  if (auto done = remove_temporaries_in(root_); !done) return done;
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, list());
  for (const std::string& id : ids) {
    if (auto done = remove_temporaries_in(root_ / id); !done) return done;
    ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(root_ / id));
    for (const std::string& name : names) {
      if (!is_folder(root_ / id / name)) continue;
      if (auto done = remove_temporaries_in(root_ / id / name); !done) return done;
    }
  }
  return {};
}

}  // namespace elenchus::store
