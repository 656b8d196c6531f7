#include "store/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "base/system_error.h"
#include "base/text.h"
#include "store/campaign_folder.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  // Closing may report what writing did not.
  int finish() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd);
  }

 private:
  int fd_;
};

base::Result<void> write_bytes(Descriptor& file, const fs::path& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = write(file.get(), content.data(), content.size());
    if (put < 0) {
      if (errno == EINTR) continue;
      return file_error("write", path, errno);
    }
    content.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

base::Result<void> put(const fs::path& path, std::string_view content, int flags, bool executable,
                       Durability durability) {
  const mode_t mode = executable ? 0777 : 0666;
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode));
  if (file.get() < 0) return file_error("write", path, errno);
  if (auto done = write_bytes(file, path, content); !done) return done;
  if (durability == Durability::kNow && fsync(file.get()) != 0) {
    return file_error("write", path, errno);
  }
  if (file.finish() != 0) return file_error("write", path, errno);
  return {};
}

}  // namespace

base::Error file_error(std::string_view act, const fs::path& path, int code) {
  base::Error error =
      base::system_error(fmt::format("cannot {} '{}'", act, base::shown(path.native(), 400)), code);
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) error.kind = base::ErrorKind::kLimit;
  return error;
}

base::Result<std::string> read_file(const fs::path& path, size_t most) {
  // A pipe that nobody writes to, or a device without end, in a folder that somebody sent.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return file_error("read", path, errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return file_error("read", path, errno);
  if (S_ISDIR(info.st_mode)) return file_error("read", path, EISDIR);
  if (!S_ISREG(info.st_mode)) return file_error("read", path, EINVAL);
  std::string content;
  constexpr size_t kStep = size_t{1} << 16;
  for (;;) {
    const size_t size = content.size();
    if (size > most) return file_error("read", path, EFBIG);
    content.resize(size + std::max<size_t>(kStep, size / 2));
    const ssize_t got = read(file.get(), content.data() + size, content.size() - size);
    content.resize(size + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0) return content;
    if (got < 0 && errno != EINTR) return file_error("read", path, errno);
  }
}

base::Result<void> write_durable(const fs::path& path, std::string_view content, bool executable) {
  return put(path, content, O_TRUNC, executable, Durability::kNow);
}

base::Result<void> replace_file(const fs::path& path, std::string_view content,
                                Durability durability, bool executable) {
  const fs::path aside =
      path.parent_path() / (std::string(kTemporaryPrefix) + path.filename().string());
  // A leftover would keep its mode.
  unlink(aside.c_str());
  auto written = put(aside, content, O_TRUNC, executable, durability);
  if (written && rename(aside.c_str(), path.c_str()) != 0) {
    written = file_error("write", path, errno);
  }
  if (!written) {
    unlink(aside.c_str());
    return written;
  }
  return durability == Durability::kNow ? sync_folder(path.parent_path()) : base::Result<void>();
}

base::Result<void> append_to_file(const fs::path& path, std::string_view content) {
  return put(path, content, O_APPEND, false, Durability::kLater);
}

base::Result<void> make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return file_error("make the folder", path, error.value());
  return {};
}

base::Result<void> sync_folder(const fs::path& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return file_error("open the folder", path, errno);
  // Some file systems have no fsync for folders; theirs are as durable as they get.
  if (fsync(folder.get()) != 0 && errno != EINVAL) {
    return file_error("write the folder", path, errno);
  }
  return {};
}

base::Result<void> remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return file_error("remove", path, error.value());
  return {};
}

uint64_t bytes_below(const fs::path& path) {
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path, kOptions, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    const auto size = at->is_regular_file(ignored) ? at->file_size(ignored) : 0;
    if (!ignored) sum += size;
  }
  return sum;
}

base::Result<std::vector<std::string>> list_folder(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error) return file_error("read the folder", path, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace elenchus::store
