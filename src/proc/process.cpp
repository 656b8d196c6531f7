#include "proc/process.h"

#include <poll.h>
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
#include <ctime>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/system_error.h"
#include "proc/group.h"
#include "proc/spawn.h"

namespace elenchus::proc {
namespace {

using std::chrono::milliseconds;

// Between two looks at memory use; a shorter wait costs nothing.
constexpr milliseconds kLook{50};
// How long a process may live on after it has closed its output.
constexpr milliseconds kClosing{500};
// Between two questions whether it has ended, where the kernel cannot tell by itself.
constexpr milliseconds kAsk{10};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// A child of ours. The group cannot have become another's: its leader has not been waited for.
class OwnChild : public Keeper {
 public:
  OwnChild(pid_t pid, Fd lifeline) : pid_(pid), lifeline_(std::move(lifeline)) {
#ifdef SYS_pidfd_open
    pid_fd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#endif
  }

  int end_fd() const override { return pid_fd_.get(); }

  bool has_ended() const override {
    siginfo_t info = {};
    const int flags = WEXITED | WNOHANG | WNOWAIT;
    return waitid(P_PID, static_cast<id_t>(pid_), &info, flags) == 0 && info.si_pid == pid_;
  }

  Exit end() override {
    const bool by_itself = has_ended();
    ::kill(-pid_, SIGKILL);
    int status = 0;
    rusage usage = {};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    end_strays();
    Exit exit = exit_of(status, by_itself);
    exit.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    exit.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return exit;
  }

  uint64_t tree_bytes() const override { return tree_resident_bytes(pid_); }

 private:
  // Whether somebody still holds the other end of the lifeline.
  bool has_strays() const {
    pollfd pipe = {lifeline_.get(), 0, 0};
    return poll(&pipe, 1, 0) == 0;
  }

  // Processes that left the session and so the group. Those of the group take a moment to die.
  void end_strays() const {
    constexpr int kMoments = 5;
    constexpr int kMostTries = 100;
    struct stat info = {};
    if (!lifeline_.valid() || fstat(lifeline_.get(), &info) != 0) return;
    for (int i = 0; i < kMostTries && has_strays(); ++i) {
      if (i >= kMoments) kill_holders(info.st_ino, kLifeline);
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  pid_t pid_;
  Fd lifeline_;  // the write end
  Fd pid_fd_;    // none on old kernels
};

}  // namespace

Exit exit_of(int status, bool by_itself) {
  Exit exit;
  if (WIFEXITED(status)) exit.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) exit.signal = WTERMSIG(status);
  exit.killed = !by_itself && exit.signal == SIGKILL;
  if (exit.killed) exit.signal = 0;
  return exit;
}

base::Result<Process> Process::start(const Launch& launch) {
  Pipe in;
  Pipe out;
  Pipe err;
  Pipe lifeline;
  if (!in.open() || !out.open() || !err.open() || !lifeline.open()) {
    return base::system_error("cannot make a pipe", errno);
  }
  Fd file;
  if (!launch.file.empty()) {
    file = memory_file();
    if (!file.valid() || !set_content(file, launch.file)) {
      return base::system_error("cannot make a file in memory", errno);
    }
  }
  for (const Fd* fd : {&in.write, &out.read, &err.read}) set_nonblocking(*fd);
  ELENCHUS_ASSIGN_OR_RETURN(const pid_t pid, spawn(launch, {.in = in.read.get(),
                                                            .out = out.write.get(),
                                                            .err = err.write.get(),
                                                            .file = file.get(),
                                                            .lifeline = lifeline.read.get()}));
  tie(lifeline.read, pid);
  return Process(pid, std::make_unique<OwnChild>(pid, std::move(lifeline.write)),
                 std::move(in.write), std::move(out.read), std::move(err.read));
}

Process::Process(pid_t pid, std::unique_ptr<Keeper> keeper, Fd in, Fd out, Fd err)
    : pid_(pid),
      keeper_(std::move(keeper)),
      in_(std::move(in)),
      out_fd_(std::move(out)),
      err_fd_(std::move(err)) {}

Process::Process(Process&& other) noexcept { *this = std::move(other); }

Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  kill();
  pid_ = std::exchange(other.pid_, -1);
  keeper_ = std::move(other.keeper_);
  in_ = std::move(other.in_);
  out_fd_ = std::move(other.out_fd_);
  err_fd_ = std::move(other.err_fd_);
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
  if (keeper_ == nullptr) return Stop::kEnded;
  const int end_fd = keeper_->end_fd();
  Clock::time_point next_look = Clock::now() + kLook;
  Clock::time_point closing = Clock::time_point::max();
  for (;;) {
    write_some();
    std::array<pollfd, 4> fds;
    nfds_t count = 0;
    const auto add = [&](int fd, short events) {
      if (fd >= 0) fds[count++] = {fd, events, 0};
    };
    add(out_fd_.get(), POLLIN);
    add(err_fd_.get(), POLLIN);
    add(end_fd, POLLIN);
    if (!input_.empty()) add(in_.get(), POLLOUT);

    const Clock::time_point now = Clock::now();
    Clock::time_point wake = std::min({until.deadline, closing, next_look});
    if (end_fd < 0) wake = std::min(wake, now + kAsk);
    const auto pause = std::chrono::ceil<milliseconds>(std::max(wake - now, Clock::duration(0)));
    const int ready = poll(fds.data(), count, static_cast<int>(pause.count()));

    bool ended = false;
    if (ready > 0) {
      for (nfds_t i = 0; i < count; ++i) {
        ended |= fds[i].fd == end_fd && fds[i].revents != 0;
      }
    }
    if (end_fd < 0) ended = keeper_->has_ended();
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
      if (memory() > until.memory) return Stop::kMemory;
      next_look = Clock::now() + kLook;
    }
  }
}

Exit Process::kill() {
  if (pid_ <= 0) return exit_;
  exit_ = keeper_->end();
  pid_ = -1;
  keeper_.reset();
  drain(std::max(out_.size(), err_.size()) + (1 << 16));
  in_.reset();
  out_fd_.reset();
  err_fd_.reset();
  return exit_;
}

double Process::cpu_seconds() const {
  if (pid_ <= 0) return exit_.cpu_seconds;
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

uint64_t Process::memory() const { return pid_ <= 0 ? 0 : keeper_->tree_bytes(); }

base::Result<Capture> capture(const Launch& launch, double seconds, uint64_t output) {
  ELENCHUS_ASSIGN_OR_RETURN(Process process, Process::start(launch));
  process.close_input();
  const Stop stop = process.wait({.line = {},
                                  .deadline = base::steady_after(seconds),
                                  .memory = UINT64_MAX,
                                  .output = output});
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
