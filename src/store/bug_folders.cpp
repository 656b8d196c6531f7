#include "store/bug_folders.h"

#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "store/files.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxManifest = size_t{64} << 20;

base::Error bad_name(std::string_view name) {
  return {base::ErrorKind::kInternal,
          fmt::format("'{}' cannot be the name of a bug's file", base::shown(name)),
          {}};
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

}  // namespace

bool BugFolders::exists(std::string_view id) const {
  return is_plain_name(id) && is_folder(folder_.bug(id));
}

base::Result<void> BugFolders::add(const Manifest& manifest,
                                   const std::vector<BugFile>& files) const {
  if (!is_plain_name(manifest.id)) return bad_name(manifest.id);
  for (const BugFile& file : files) {
    if (!is_bug_file_name(file.name) || file.name == kManifestName) return bad_name(file.name);
  }
  const fs::path aside = folder_.bugs() / (std::string(kTemporaryPrefix) + manifest.id);
  if (auto done = remove_tree(aside); !done) return done;
  auto done = write_all(aside, manifest, files);
  const fs::path place = folder_.bug(manifest.id);
  if (done && std::rename(aside.c_str(), place.c_str()) != 0) {
    done = file_error("write", place, errno);
  }
  if (!done) {
    // The first error is the one to tell.
    (void)remove_tree(aside);
    return done;
  }
  return sync_folder(folder_.bugs());
}

base::Result<void> BugFolders::write_all(const fs::path& aside, const Manifest& manifest,
                                         const std::vector<BugFile>& files) const {
  if (auto done = make_folder(aside); !done) return done;
  std::set<fs::path> folders = {aside};
  for (const BugFile& file : files) {
    const fs::path path = aside / file.name;
    if (folders.insert(path.parent_path()).second) {
      if (auto done = make_folder(path.parent_path()); !done) return done;
    }
    if (auto done = write_durable(path, file.content, file.executable); !done) return done;
  }
  if (auto done = write_durable(aside / kManifestName, print_manifest(manifest)); !done) {
    return done;
  }
  for (const fs::path& folder : folders) {
    if (auto done = sync_folder(folder); !done) return done;
  }
  return {};
}

base::Result<void> BugFolders::put(std::string_view id, const BugFile& file) const {
  if (!is_plain_name(id)) return bad_name(id);
  if (!is_bug_file_name(file.name)) return bad_name(file.name);
  const fs::path bug = folder_.bug(id);
  if (!is_folder(bug)) return file_error("write", bug / file.name, ENOENT);
  const fs::path path = bug / file.name;
  if (!is_folder(path.parent_path())) {
    if (auto done = make_folder(path.parent_path()); !done) return done;
    if (auto done = sync_folder(bug); !done) return done;
  }
  return replace_file(path, file.content, Durability::kNow, file.executable);
}

base::Result<Manifest> BugFolders::manifest(std::string_view id) const {
  if (!is_plain_name(id)) return bad_name(id);
  const fs::path path = folder_.bug(id) / kManifestName;
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, read_file(path, kMaxManifest));
  auto manifest = parse_manifest(text);
  if (!manifest) {
    return base::Error{manifest.error().kind,
                       fmt::format("cannot read '{}': {}", path.string(), manifest.error().message),
                       {}};
  }
  return manifest;
}

base::Result<std::vector<std::string>> BugFolders::files(std::string_view id) const {
  if (!is_plain_name(id)) return bad_name(id);
  const fs::path bug = folder_.bug(id);
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(bug));
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (!is_plain_name(name)) continue;
    if (!is_folder(bug / name)) {
      files.push_back(name);
      continue;
    }
    ELENCHUS_ASSIGN_OR_RETURN(const auto inner, list_folder(bug / name));
    for (const std::string& file : inner) {
      if (is_plain_name(file)) files.push_back(fmt::format("{}/{}", name, file));
    }
  }
  return files;
}

base::Result<std::string> BugFolders::read(std::string_view id, std::string_view name) const {
  if (!is_plain_name(id)) return bad_name(id);
  if (!is_bug_file_name(name)) return bad_name(name);
  return read_file(folder_.bug(id) / name);
}

base::Result<std::vector<std::string>> BugFolders::list() const {
  ELENCHUS_ASSIGN_OR_RETURN(auto names, list_folder(folder_.bugs()));
  std::erase_if(names, [this](const std::string& name) { return !exists(name); });
  return names;
}

base::Result<void> BugFolders::remove_temporaries() const {
  const auto clean = [](const fs::path& folder) -> base::Result<void> {
    ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(folder));
    for (const std::string& name : names) {
      if (!name.starts_with(kTemporaryPrefix)) continue;
      if (auto done = remove_tree(folder / name); !done) return done;
    }
    return {};
  };
  if (auto done = clean(folder_.bugs()); !done) return done;
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, list());
  for (const std::string& id : ids) {
    if (auto done = clean(folder_.bug(id)); !done) return done;
    ELENCHUS_ASSIGN_OR_RETURN(const auto names, list_folder(folder_.bug(id)));
    for (const std::string& name : names) {
      if (!is_folder(folder_.bug(id) / name)) continue;
      if (auto done = clean(folder_.bug(id) / name); !done) return done;
    }
  }
  return {};
}

}  // namespace elenchus::store
