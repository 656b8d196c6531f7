#include "proc/fd.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "proc/spawn.h"

namespace elenchus::proc {
namespace {

// A descriptor with a number that a child is given would get in the way of dup2.
bool keep_clear(Fd& fd) {
  const bool is_standard = fd.get() <= 2;
  const bool is_server = fd.get() >= kFirstServerFile && fd.get() <= kLastServerFile;
  if (!is_standard && !is_server) return true;
  fd = Fd(fcntl(fd.get(), F_DUPFD_CLOEXEC, is_standard ? 3 : kLastServerFile + 1));
  return fd.valid();
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Fd::reset() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Fd Fd::copy() const { return Fd(fcntl(fd_, F_DUPFD_CLOEXEC, 0)); }

bool Pipe::open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  read = Fd(ends[0]);
  write = Fd(ends[1]);
  return keep_clear(read) && keep_clear(write);
}

Fd memory_file() {
  Fd file(memfd_create("input", MFD_CLOEXEC));
  if (file.valid()) keep_clear(file);
  return file;
}

bool set_content(const Fd& file, std::string_view content) {
  if (ftruncate(file.get(), 0) != 0) return false;
  off_t at = 0;
  while (!content.empty()) {
    const ssize_t count = pwrite(file.get(), content.data(), content.size(), at);
    if (count < 0) return false;
    content.remove_prefix(static_cast<size_t>(count));
    at += count;
  }
  return true;
}

void set_nonblocking(const Fd& fd) { fcntl(fd.get(), F_SETFL, O_NONBLOCK); }

void discard(const Fd& pipe) {
  std::array<char, 1 << 12> buffer;
  int held = 0;
  while (ioctl(pipe.get(), FIONREAD, &held) == 0 && held > 0) {
    const size_t wanted = std::min(buffer.size(), static_cast<size_t>(held));
    if (read(pipe.get(), buffer.data(), wanted) <= 0) return;
  }
}

}  // namespace elenchus::proc
