#include "proc/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

#include "proc/group.h"
#include "proc/spawn.h"

namespace elenchus::proc {
namespace {

using std::chrono::milliseconds;

// Between two looks at memory use; a shorter wait costs nothing.
constexpr milliseconds kLook{50};
// Only every so many looks the whole group is counted, which reads all of /proc.
constexpr uint32_t kGroupLooks = 4;
// How long a process may live on after it has closed its output.
constexpr milliseconds kClosing{500};
// Between two questions whether it has ended, where the kernel cannot tell by itself.
constexpr milliseconds kAsk{10};

base::Error io_error(const char* what) {
  return {base::ErrorKind::kIo, std::string(what) + ": " + std::strerror(errno), {}};
}

void ignore_sigpipe() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
      action.sa_handler = SIG_IGN;
      sigaction(SIGPIPE, &action, nullptr);
    }
  });
}

// Descriptors 0 to 2 would get in the way of the child's own.
bool move_up(Fd& fd) {
  if (fd.get() > 2) return true;
  fd = Fd(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  return fd.valid();
}

struct Pipe {
  Fd read;
  Fd write;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = Fd(ends[0]);
    write = Fd(ends[1]);
    return move_up(read) && move_up(write);
  }
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::vector<char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Our environment with the additions.
std::vector<char*> environment_with(const std::vector<std::string>& additions) {
  std::vector<char*> all = c_strings(additions);
  all.pop_back();
  const auto is_added = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('=') + 1);
    return std::any_of(additions.begin(), additions.end(),
                       [&](const std::string& text) { return text.starts_with(name); });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (additions.empty() || !is_added(*entry)) all.push_back(*entry);
  }
  all.push_back(nullptr);
  return all;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
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

base::Result<Process> Process::start(const Launch& launch) {
  ignore_sigpipe();
  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.open() || !out.open() || !err.open()) return io_error("cannot make a pipe");
  Fd file;
  if (!launch.file.empty()) {
    file = Fd(memfd_create("input", MFD_CLOEXEC));
    if (!file.valid() || !move_up(file) || !write_all(file.get(), launch.file)) {
      return io_error("cannot make a file in memory");
    }
  }
  for (const Fd* fd : {&in.write, &out.read, &err.read}) fcntl(fd->get(), F_SETFL, O_NONBLOCK);

  const std::vector<char*> arguments = c_strings(launch.command);
  const std::vector<char*> environment = environment_with(launch.environment);
  ELENCHUS_ASSIGN_OR_RETURN(const pid_t pid,
                            spawn(arguments[0], arguments.data(), environment.data(),
                                  {in.read.get(), out.write.get(), err.write.get(), file.get()}));
  Process process;
  process.pid_ = pid;
  process.in_ = std::move(in.write);
  process.out_fd_ = std::move(out.read);
  process.err_fd_ = std::move(err.read);
#ifdef SYS_pidfd_open
  process.pid_fd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#endif
  return process;
}

Process::Process(Process&& other) noexcept { *this = std::move(other); }

Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  kill();
  pid_ = std::exchange(other.pid_, -1);
  in_ = std::move(other.in_);
  out_fd_ = std::move(other.out_fd_);
  err_fd_ = std::move(other.err_fd_);
  pid_fd_ = std::move(other.pid_fd_);
  input_ = std::move(other.input_);
  written_ = std::exchange(other.written_, 0);
  close_input_ = other.close_input_;
  out_ = std::move(other.out_);
  err_ = std::move(other.err_);
  searched_ = std::exchange(other.searched_, 0);
  exit_ = other.exit_;
  return *this;
}

Process::~Process() { kill(); }

void Process::close_input() {
  close_input_ = true;
  if (input_.empty()) in_.reset();
}

void Process::clear_output() {
  out_.clear();
  err_.clear();
  searched_ = 0;
}

// As much as the pipe takes. What nobody will read any more is forgotten.
void Process::write_some() {
  while (in_.valid() && written_ < input_.size()) {
    const ssize_t count = write(in_.get(), input_.data() + written_, input_.size() - written_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {
      in_.reset();
      break;
    }
    written_ += static_cast<size_t>(count);
  }
  input_.clear();
  written_ = 0;
  if (close_input_) in_.reset();
}

// Reads what is there; closes `from` at its end. False when there is more than the limit.
bool Process::read_some(Fd& from, std::string& into, uint64_t limit) {
  std::array<char, 1 << 16> buffer;
  while (from.valid()) {
    if (into.size() >= limit) return false;
    const size_t wanted = std::min<uint64_t>(buffer.size(), limit - into.size());
    const ssize_t count = read(from.get(), buffer.data(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) {
      from.reset();
      return true;
    }
    into.append(buffer.data(), static_cast<size_t>(count));
    // A pipe that gave less than asked for is empty.
    if (static_cast<size_t>(count) < wanted) return true;
  }
  return true;
}

bool Process::has_ended() const {
  siginfo_t info = {};
  const int flags = WEXITED | WNOHANG | WNOWAIT;
  return waitid(P_PID, static_cast<id_t>(pid_), &info, flags) == 0 && info.si_pid == pid_;
}

bool Process::has_line(std::string_view line) {
  for (;;) {
    const size_t at = out_.find(line, searched_);
    if (at == std::string::npos) {
      // Its first part may be there.
      const size_t tail = out_.size() - std::min(out_.size(), line.size());
      searched_ = std::max(searched_, tail);
      return false;
    }
    size_t end = at + line.size();
    if (end < out_.size() && out_[end] == '"') ++end;
    if (end < out_.size() && out_[end] == '\r') ++end;
    if (end >= out_.size()) {
      searched_ = at;
      return false;
    }
    if (out_[end] == '\n') {
      searched_ = end + 1;
      return true;
    }
    searched_ = at + 1;
  }
}

void Process::drain(uint64_t limit) {
  read_some(out_fd_, out_, limit);
  read_some(err_fd_, err_, limit);
}

Stop Process::wait(const Until& until) {
  Clock::time_point next_look = Clock::now() + kLook;
  Clock::time_point closing = Clock::time_point::max();
  uint32_t looks = 0;
  for (;;) {
    write_some();
    std::array<pollfd, 4> fds;
    nfds_t count = 0;
    const auto add = [&](const Fd& fd, short events) {
      if (fd.valid()) fds[count++] = {fd.get(), events, 0};
    };
    add(out_fd_, POLLIN);
    add(err_fd_, POLLIN);
    add(pid_fd_, POLLIN);
    if (!input_.empty()) add(in_, POLLOUT);

    const Clock::time_point now = Clock::now();
    Clock::time_point wake = std::min({until.deadline, closing, next_look});
    if (!pid_fd_.valid()) wake = std::min(wake, now + kAsk);
    const auto pause = std::chrono::ceil<milliseconds>(std::max(wake - now, Clock::duration(0)));
    const int ready = poll(fds.data(), count, static_cast<int>(pause.count()));

    bool ended = false;
    if (ready > 0) {
      for (nfds_t i = 0; i < count; ++i) {
        ended |= fds[i].fd == pid_fd_.get() && fds[i].revents != 0;
      }
    }
    if (!pid_fd_.valid()) ended = has_ended();
    const bool room = read_some(out_fd_, out_, until.output);
    const bool error_room = read_some(err_fd_, err_, until.output);
    if (!until.line.empty() && has_line(until.line)) return Stop::kFound;
    if (!room || !error_room) return Stop::kOutput;
    if (ended) return Stop::kEnded;

    const Clock::time_point after = Clock::now();
    if (!out_fd_.valid() && closing == Clock::time_point::max()) {
      // Its own end is near, or it only closed the pipe.
      if (!until.line.empty()) closing = after + kClosing;
    }
    if (after >= closing) return Stop::kEnded;
    if (after >= until.deadline) return Stop::kTime;
    if (after >= next_look) {
      if (memory(looks++ % kGroupLooks == 0) > until.memory) return Stop::kMemory;
      next_look = Clock::now() + kLook;
    }
  }
}

Exit Process::kill() {
  if (pid_ <= 0) return exit_;
  const bool by_itself = has_ended();
  // The group cannot have become another's: its leader has not been waited for.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  rusage usage = {};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFEXITED(status)) exit_.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) exit_.signal = WTERMSIG(status);
  exit_.killed = !by_itself && exit_.signal == SIGKILL;
  if (exit_.killed) exit_.signal = 0;
  exit_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  exit_.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  drain(std::max(out_.size(), err_.size()) + (1 << 16));
  in_.reset();
  out_fd_.reset();
  err_fd_.reset();
  pid_fd_.reset();
  return exit_;
}

double Process::cpu_seconds() const {
  if (pid_ <= 0) return exit_.cpu_seconds;
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

uint64_t Process::memory(bool group) const {
  if (pid_ <= 0) return 0;
  return group ? group_resident_bytes(pid_) : resident_bytes(pid_);
}

base::Result<Capture> capture(const Launch& launch, double seconds, uint64_t output) {
  ELENCHUS_ASSIGN_OR_RETURN(Process process, Process::start(launch));
  process.close_input();
  const auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 1e6)));
  const Stop stop = process.wait(
      {.line = {}, .deadline = Clock::now() + limit, .memory = UINT64_MAX, .output = output});
  const Exit exit = process.kill();
  return Capture{process.out(), process.err(), exit, stop == Stop::kTime};
}

std::string find_program(std::string_view name) {
  const auto is_program = [](const std::string& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           access(path.c_str(), X_OK) == 0;
  };
  const auto absolute = [](const std::string& path) {
    if (path.starts_with('/')) return path;
    char* const folder = get_current_dir_name();
    std::string result = std::string(folder == nullptr ? "." : folder) + '/' + path;
    std::free(folder);
    return result;
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) {
    const std::string path(name);
    return is_program(path) ? absolute(path) : std::string();
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  while (!folders.empty()) {
    const size_t end = std::min(folders.find(':'), folders.size());
    const std::string_view folder = folders.substr(0, end);
    folders.remove_prefix(std::min(end + 1, folders.size()));
    const std::string path = std::string(folder.empty() ? "." : folder) + '/' + std::string(name);
    if (is_program(path)) return absolute(path);
  }
  return {};
}

}  // namespace elenchus::proc
