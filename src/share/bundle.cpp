#include "share/bundle.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "store/campaign_folder.h"

namespace elenchus::share {
namespace {

// Takes one file off the front.
std::optional<store::RecordFile> take_file(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return {};
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(end + 1);
  size_t size = 0;
  const auto [at, error] = std::from_chars(head.data(), head.data() + head.size(), size);
  const std::string_view rest = head.substr(static_cast<size_t>(at - head.data()));
  if (error != std::errc() || rest.size() < 4 || rest[0] != ' ' || rest[2] != ' ') return {};
  if (size >= text.size() || text[size] != '\n') return {};
  store::RecordFile file{std::string(rest.substr(3)), std::string(text.substr(0, size)),
                         rest[1] == 'x'};
  text.remove_prefix(size + 1);
  if (!store::is_bug_file_name(file.name)) return {};
  return file;
}

}  // namespace

std::string bundle(const std::vector<store::RecordFile>& files) {
  std::string text;
  for (const store::RecordFile& file : files) {
    text += fmt::format("{} {} {}\n", file.content.size(), file.executable ? 'x' : '-', file.name);
    text += file.content;
    text += '\n';
  }
  return text;
}

base::Result<std::vector<store::RecordFile>> unbundle(std::string_view text) {
  std::vector<store::RecordFile> files;
  while (!text.empty()) {
    auto file = take_file(text);
    if (!file) {
      return base::Error{
          base::ErrorKind::kParse, "the shared campaign holds files that cannot be read", {}};
    }
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace elenchus::share
