#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proc/fd.h"
#include "proc/keeper.h"
#include "proc/launch.h"

namespace elenchus::proc {

using Clock = std::chrono::steady_clock;

// When to stop waiting for a process.
struct Until {
  // Standard output holds a line that ends with this text, perhaps in double quotes. Empty: the
  // process has ended.
  std::string_view line;
  Clock::time_point deadline;
  uint64_t memory = UINT64_MAX;  // resident bytes, as in memory(); looked at every 50 ms
  uint64_t output = UINT64_MAX;  // bytes of either stream since clear_output()
};

enum class Stop : uint8_t {
  kFound,   // the line came
  kEnded,   // the process ended, or closed its output
  kTime,    // the deadline passed
  kMemory,  // it holds too much memory
  kOutput,  // it wrote too much
};

// A child process with pipes to its three streams, the leader of a session of its own. It dies with
// the thread that started it, and whatever it started dies with it: what left the session, too,
// when we end the process, unless it closed all that it inherited. Not thread-safe.
class Process {
 public:
  static base::Result<Process> start(const Launch& launch);

  // One that somebody else has started, with our ends of its streams; none of them blocks.
  Process(pid_t pid, std::unique_ptr<Keeper> keeper, Fd in, Fd out, Fd err);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();  // as kill()

  // Writes what was given to send() and reads what the process writes, until something stops it.
  Stop wait(const Until& until);

  // Adds to what the process is to read. wait() writes it.
  void send(std::string_view text) { input_ += text; }
  // No input after what was sent.
  void close_input();

  // What it wrote since the last clear_output().
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }
  void clear_output();

  // Ends the whole group and waits for the process, which may have ended by itself. Later calls
  // give the same.
  Exit kill();

  pid_t pid() const { return pid_; }
  // Whether it has not been waited for.
  bool is_open() const { return pid_ > 0; }
  // User and system time of the process so far.
  double cpu_seconds() const;
  // Resident bytes of the process and of what it started.
  uint64_t memory() const;

 private:
  void write_some();
  bool read_some(Fd& from, std::string& into, uint64_t limit);
  bool has_line(std::string_view line);
  void drain(uint64_t limit);

  pid_t pid_ = -1;
  std::unique_ptr<Keeper> keeper_;  // while it is open
  Fd in_;
  Fd out_fd_;
  Fd err_fd_;
  std::string input_;
  size_t written_ = 0;  // of input_
  bool close_input_ = false;
  std::string out_;
  std::string err_;
  size_t searched_ = 0;  // of out_, for Until::line
  Exit exit_;
};

// Runs a program to its end with nothing to read, for such things as `--version`.
struct Capture {
  std::string out;
  std::string err;
  Exit exit;
  bool timed_out = false;
};
base::Result<Capture> capture(const Launch& launch, double seconds, uint64_t output = 1 << 20);

// The absolute path of a program: of a name without '/' on PATH, else of the path. Empty when there
// is no such executable file.
std::string find_program(std::string_view name);

}  // namespace elenchus::proc
