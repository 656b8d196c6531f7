#include "store/writer_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "store/files.h"

namespace elenchus::store {

base::Result<WriterLock> WriterLock::acquire(const std::filesystem::path& file) {
  // Solvers are started while we hold it: they must not inherit it.
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return file_error("write", file, errno);
  WriterLock lock(fd);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return file_error("lock", file, errno);
    char buffer[32] = {};
    const ssize_t got = pread(fd, buffer, sizeof(buffer) - 1, 0);
    std::string pid(buffer, got > 0 ? static_cast<size_t>(got) : 0);
    pid.erase(pid.find_last_not_of(" \n") + 1);
    return base::Error{
        base::ErrorKind::kIo,
        fmt::format("another campaign, process {}, is writing to '{}'; wait for its end, or give "
                    "another folder",
                    pid.empty() ? "unknown" : base::shown(pid), file.parent_path().string()),
        {}};
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  // The lock is ours whatever happens to the text, which only helps others.
  if (ftruncate(fd, 0) != 0 || pwrite(fd, pid.data(), pid.size(), 0) < 0) {
    return file_error("write", file, errno);
  }
  return lock;
}

WriterLock::WriterLock(WriterLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

WriterLock::~WriterLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace elenchus::store
