#pragma once

#include <string_view>
#include <utility>

namespace elenchus::proc {

// A file descriptor that is closed with its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset();

  // Another one for the same open file; invalid where there is no room.
  Fd copy() const;

 private:
  int fd_ = -1;
};

// Both ends are closed on exec, and none has a number that a child is given (see ChildFiles).
struct Pipe {
  Fd read;
  Fd write;

  bool open();
};

// A file that is nowhere on disk, numbered like the ends of a pipe; invalid on failure.
Fd memory_file();

// Makes this the whole content of a file in memory.
bool set_content(const Fd& file, std::string_view content);

void set_nonblocking(const Fd& fd);

// Reads and forgets what a pipe holds, whether it blocks or not.
void discard(const Fd& pipe);

}  // namespace elenchus::proc
