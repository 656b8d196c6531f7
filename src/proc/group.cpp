#include "proc/group.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace elenchus::proc {
namespace {

// The start of a small file; empty when it cannot be read.
class SmallFile {
 public:
  explicit SmallFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    is_readable_ = true;
    const ssize_t count = read(fd, buffer_.data(), buffer_.size());
    close(fd);
    if (count > 0) size_ = static_cast<size_t>(count);
  }
  std::string_view text() const { return {buffer_.data(), size_}; }
  bool is_readable() const { return is_readable_; }

 private:
  std::array<char, 1024> buffer_;
  bool is_readable_ = false;
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

// What follows the name in /proc/PID/stat, which may hold anything: " state parent group ...".
std::string_view after_name(std::string_view stat) {
  const size_t end = stat.rfind(')');
  return end == std::string_view::npos ? std::string_view() : stat.substr(end + 1);
}

// Calls visit(number) for every entry that is one: processes of /proc, threads of /proc/PID/task.
template <typename Visit>
void for_numbers(const std::string& folder, Visit visit) {
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* const entry = readdir(entries)) {
    std::string_view name = entry->d_name;
    if (name.front() >= '1' && name.front() <= '9') visit(next_number<pid_t>(name));
  }
  closedir(entries);
}

// Adds the children of one thread; false where the kernel does not tell.
bool add_children(const std::string& file, std::vector<pid_t>& to) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  std::string text;
  std::array<char, 1024> buffer;
  for (ssize_t count = 0; (count = read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<size_t>(count));
  }
  close(fd);
  std::string_view left = text;
  while (const auto child = next_number<pid_t>(left)) to.push_back(child);
  return true;
}

// Calls visit(pid) for every living process of the group.
template <typename Visit>
void for_group(pid_t group, Visit visit) {
  for_numbers("/proc", [&](pid_t pid) {
    const SmallFile file("/proc/" + std::to_string(pid) + "/stat");
    std::string_view stat = after_name(file.text());
    if (stat.size() < 3) return;
    const char state = stat[1];
    stat.remove_prefix(2);
    next_number<pid_t>(stat);
    if (next_number<pid_t>(stat) == group && state != 'Z' && state != 'X') visit(pid);
  });
}

}  // namespace

uint64_t resident_bytes(pid_t pid) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const SmallFile file("/proc/" + std::to_string(pid) + "/statm");
  std::string_view text = file.text();
  next_number<uint64_t>(text);
  return next_number<uint64_t>(text) * page;
}

uint64_t tree_resident_bytes(pid_t root) {
  uint64_t sum = 0;
  bool is_told = true;
  std::vector<pid_t> left = {root};
  while (!left.empty()) {
    const pid_t pid = left.back();
    left.pop_back();
    sum += resident_bytes(pid);
    const std::string threads = "/proc/" + std::to_string(pid) + "/task";
    for_numbers(threads, [&](pid_t thread) {
      const std::string file = threads + '/' + std::to_string(thread) + "/children";
      if (!add_children(file, left) && pid == root && thread == root) is_told = false;
    });
  }
  if (is_told) return sum;
  // Not every kernel has these files. Most of what a process starts stays in its group.
  sum = 0;
  for_group(root, [&](pid_t pid) { sum += resident_bytes(pid); });
  return sum;
}

uint32_t group_size(pid_t group) {
  uint32_t count = 0;
  for_group(group, [&](pid_t) { ++count; });
  return count;
}

void kill_holders(ino_t pipe, int number) {
  const std::string wanted = "pipe:[" + std::to_string(pipe) + "]";
  const std::string file = "/fd/" + std::to_string(number);
  for_numbers("/proc", [&](pid_t pid) {
    std::array<char, 64> target;
    const std::string path = "/proc/" + std::to_string(pid) + file;
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    const bool is_holder =
        size > 0 && std::string_view(target.data(), static_cast<size_t>(size)) == wanted;
    if (is_holder && pid != getpid()) kill(pid, SIGKILL);
  });
}

bool has_children(pid_t pid) {
  const std::string number = std::to_string(pid);
  const SmallFile file("/proc/" + number + "/task/" + number + "/children");
  // Not every kernel has that file. For the leader of a group there is another way.
  return file.is_readable() ? !file.text().empty() : group_size(pid) > 1;
}

double children_cpu_seconds(pid_t pid) {
  static const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  constexpr int kBefore = 12;  // fields between the state and the times: proc(5)
  const SmallFile file("/proc/" + std::to_string(pid) + "/stat");
  std::string_view stat = after_name(file.text());
  if (stat.size() < 3) return 0;
  stat.remove_prefix(2);
  for (int i = 0; i < kBefore; ++i) next_number<int64_t>(stat);
  const auto user = next_number<uint64_t>(stat);
  const auto system = next_number<uint64_t>(stat);
  return static_cast<double>(user + system) / ticks;
}

}  // namespace elenchus::proc
