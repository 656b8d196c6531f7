#include "proc/group.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace elenchus::proc {
namespace {

// The start of a small file; empty when it cannot be read.
class SmallFile {
 public:
  explicit SmallFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const ssize_t count = read(fd, buffer_.data(), buffer_.size());
    close(fd);
    if (count > 0) size_ = static_cast<size_t>(count);
  }
  std::string_view text() const { return {buffer_.data(), size_}; }

 private:
  std::array<char, 1024> buffer_;
  size_t size_ = 0;
};

template <typename Number>
Number next_number(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  Number number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// Calls visit(pid) for every living process of the group.
template <typename Visit>
void for_group(pid_t group, Visit visit) {
  DIR* const proc = opendir("/proc");
  if (proc == nullptr) return;
  while (const dirent* const entry = readdir(proc)) {
    std::string_view name = entry->d_name;
    if (name.front() < '1' || name.front() > '9') continue;
    const auto pid = next_number<pid_t>(name);
    const SmallFile file("/proc/" + std::to_string(pid) + "/stat");
    // pid (name) state parent group ...; the name may hold anything.
    std::string_view stat = file.text();
    const size_t end = stat.rfind(')');
    if (end == std::string_view::npos || end + 3 >= stat.size()) continue;
    const char state = stat[end + 2];
    stat.remove_prefix(end + 3);
    next_number<pid_t>(stat);
    if (next_number<pid_t>(stat) == group && state != 'Z' && state != 'X') visit(pid);
  }
  closedir(proc);
}

}  // namespace

uint64_t resident_bytes(pid_t pid) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const SmallFile file("/proc/" + std::to_string(pid) + "/statm");
  std::string_view text = file.text();
  next_number<uint64_t>(text);
  return next_number<uint64_t>(text) * page;
}

uint64_t group_resident_bytes(pid_t group) {
  uint64_t sum = 0;
  for_group(group, [&](pid_t pid) { sum += resident_bytes(pid); });
  return sum;
}

uint32_t group_size(pid_t group) {
  uint32_t count = 0;
  for_group(group, [&](pid_t) { ++count; });
  return count;
}

}  // namespace elenchus::proc
