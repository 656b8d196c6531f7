#include "store/bug_folders.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/files.h"

namespace elenchus::store {

namespace {

constexpr size_t kMaxManifest = size_t{64} << 20;

}  // namespace

base::Result<void> BugFolders::add(const Manifest& manifest, std::vector<BugFile> files) const {
  const bool has_manifest = std::any_of(
      files.begin(), files.end(), [](const BugFile& file) { return file.name == kManifestName; });
  if (has_manifest) {
    return base::Error{base::ErrorKind::kInternal, "manifest.json is written by the store", {}};
  }
  files.push_back({std::string(kManifestName), print_manifest(manifest)});
  return folders_.add(manifest.id, files);
}

base::Result<Manifest> BugFolders::manifest(std::string_view id) const {
  if (!is_plain_name(id)) return folders_.read(id, kManifestName).error();
  const auto path = folders_.root() / id / kManifestName;
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, read_file(path, kMaxManifest));
  auto manifest = parse_manifest(text);
  if (!manifest) {
    return base::Error{manifest.error().kind,
                       fmt::format("cannot read '{}': {}", path.string(), manifest.error().message),
                       {}};
  }
  return manifest;
}

}  // namespace elenchus::store
