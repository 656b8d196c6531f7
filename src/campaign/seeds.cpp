#include "campaign/seeds.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "base/system_error.h"

namespace elenchus::campaign {

namespace fs = std::filesystem;

namespace {

base::Error io_error(const std::string& path, const std::string& what) {
  return {base::ErrorKind::kIo, fmt::format("{}: {}", path, what), {}};
}

void add_file(const fs::path& path, SeedList& list) {
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (!error && size > kLargestSeed) {
    ++list.too_large;
    return;
  }
  const fs::path whole = fs::absolute(path, error);
  list.files.push_back({path.string(),
                        path.parent_path().string(),
                        {},
                        error ? path.string() : whole.lexically_normal().string()});
}

base::Result<void> add_folder(const fs::path& root, SeedList& list) {
  std::error_code error;
  auto entries =
      fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::end(entries); entries.increment(error)) {
    std::error_code ignored;
    if (entries->path().extension() == ".smt2" && entries->is_regular_file(ignored)) {
      add_file(entries->path(), list);
    }
  }
  if (error) return io_error(root.string(), error.message());
  return {};
}

std::shared_ptr<const std::string> standard_input() {
  return std::make_shared<const std::string>(std::istreambuf_iterator<char>(std::cin),
                                             std::istreambuf_iterator<char>());
}

void add_embedded(SeedList& list) {
  for (const base::EmbeddedFile& file : embedded_seeds()) {
    const size_t slash = file.path.find_last_of('/');
    const std::string_view folder =
        slash == std::string_view::npos ? "" : file.path.substr(0, slash);
    const std::string path = fmt::format("embedded:{}", file.path);
    list.files.push_back({path, fmt::format("embedded:{}", folder),
                          std::make_shared<const std::string>(file.content), path});
  }
}

}  // namespace

std::optional<size_t> SeedList::place_of(std::string_view path) const {
  const auto found =
      std::lower_bound(files.begin(), files.end(), path,
                       [](const SeedFile& file, std::string_view it) { return file.path < it; });
  if (found == files.end() || found->path != path) return {};
  return found - files.begin();
}

base::Result<SeedList> find_seeds(std::span<const std::string> paths) {
  SeedList list;
  if (paths.empty()) add_embedded(list);
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (path == "-") {
      list.files.push_back({"-", "-", standard_input(), "-"});
    } else if (fs::is_directory(status)) {
      if (const auto added = add_folder(path, list); !added) return added.error();
    } else if (fs::exists(status)) {
      add_file(path, list);
    } else {
      return io_error(path, "no such file or folder");
    }
  }
  const auto by_path = [](const SeedFile& a, const SeedFile& b) { return a.path < b.path; };
  std::sort(list.files.begin(), list.files.end(), by_path);
  const auto same = [](const SeedFile& a, const SeedFile& b) { return a.path == b.path; };
  list.files.erase(std::unique(list.files.begin(), list.files.end(), same), list.files.end());
  if (list.files.empty()) {
    return base::Error{base::ErrorKind::kIo,
                       list.too_large == 0 ? std::string("there are no .smt2 files among the seeds")
                                           : fmt::format("all {} seeds are larger than {} KB",
                                                         list.too_large, kLargestSeed >> 10),
                       {}};
  }
  return list;
}

base::Result<std::string> read_seed(const SeedFile& seed) {
  if (seed.text != nullptr) return *seed.text;
  std::ifstream file(seed.path, std::ios::binary);
  if (!file) return base::system_error(seed.path, errno);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (file.bad()) return io_error(seed.path, "cannot be read");
  return text;
}

}  // namespace elenchus::campaign
