// What a child leaves behind must not reach the next one, as both have the same three pipes:
//
// - The write end of its input is opened anew for each child, from the read end that we keep. So a
//   child can be shown the end of its input, and the next one still has an open pipe: on Linux a
//   pipe whose writers have gone is good again when another one comes.
// - What is unread of its input and output is thrown away before the next child.
// - Processes that it started and that still live are inherited by the server. Then all are
//   killed, with the server: it is the leader of their group, and another one is soon started.
//
// A new process gets SIGKILL when we die (see spawn.cpp), but fork() takes that from the server's
// children: they are tied to us by the lifeline.

#include "proc/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

#include "base/system_error.h"
#include "proc/group.h"
#include "proc/spawn.h"

namespace elenchus::proc {
namespace {

// For a fork or an end on a busy machine.
constexpr std::chrono::seconds kAnswerTime{10};

Clock::time_point answer_deadline() { return Clock::now() + kAnswerTime; }

base::Error failure(const std::string& what) { return {base::ErrorKind::kIo, what, {}}; }

bool is_readable(const Fd& fd) {
  pollfd ready = {fd.get(), POLLIN, 0};
  return poll(&ready, 1, 0) > 0;
}

// A new write end of the pipe.
Fd open_write_end(const Fd& read_end) {
  const std::string path = "/proc/self/fd/" + std::to_string(read_end.get());
  return Fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
}

// All that a server and we talk through, our ends and its ends.
struct Pipes {
  Pipe in;
  Pipe out;
  Pipe err;
  Pipe lifeline;
  Pipe commands;
  Pipe status;

  bool open() {
    return in.open() && out.open() && err.open() && lifeline.open() && commands.open() &&
           status.open();
  }

  ChildFiles for_server(const Fd& file) const {
    return {.in = in.read.get(),
            .out = out.write.get(),
            .err = err.write.get(),
            .file = file.get(),
            .lifeline = lifeline.read.get(),
            .commands = commands.read.get(),
            .status = status.write.get()};
  }
};

}  // namespace

struct ForkServer::State {
  State(pid_t server, Pipes& pipes, Fd input_file)
      : pid(server),
        in(std::move(pipes.in.read)),
        out(std::move(pipes.out.read)),
        err(std::move(pipes.err.read)),
        lifeline(std::move(pipes.lifeline.write)),
        commands(std::move(pipes.commands.write)),
        status(std::move(pipes.status.read)),
        file(std::move(input_file)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { end(); }

  bool is_alive() const { return pid > 0; }

  // Ends the server with its group.
  void end() {
    if (pid <= 0) return;
    ::kill(-pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid = -1;
  }

  // What its children have used since the last call.
  double take_cpu_seconds() {
    const double all = std::max(children_cpu_seconds(pid), cpu_seconds);
    return all - std::exchange(cpu_seconds, all);
  }

  pid_t pid;
  Fd in;  // the read end
  Fd out;
  Fd err;
  Fd lifeline;
  Fd commands;
  Fd status;
  Fd file;
  Greeting greeting;
  uint32_t children = 0;
  bool is_busy = false;     // a child has not been waited for
  bool was_killed = false;  // the last child, by us
  double cpu_seconds = 0;   // of all children that have ended
};

// A child of the server: its end comes as a word from the server.
class ForkServer::Child : public Keeper {
 public:
  Child(std::shared_ptr<State> server, pid_t pid) : server_(std::move(server)), pid_(pid) {
#ifdef SYS_pidfd_open
    pid_fd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#endif
  }

  int end_fd() const override { return server_->status.get(); }
  bool has_ended() const override { return is_readable(server_->status); }

  Exit end() override {
    const bool by_itself = has_ended();
    if (!by_itself) send_kill();
    const auto status = receive_word(server_->status, answer_deadline());
    // It has not ended where it has only been stopped.
    const bool is_told = status && !WIFSTOPPED(static_cast<int>(*status));
    // Where the server has died, somebody has killed it, and so the child.
    Exit exit = exit_of(is_told ? static_cast<int>(*status) : SIGKILL, by_itself);
    if (is_told) exit.cpu_seconds = server_->take_cpu_seconds();
    server_->is_busy = false;
    server_->was_killed = exit.killed;
    if (!is_told || has_children(server_->pid)) server_->end();
    return exit;
  }

  uint64_t tree_bytes() const override {
    const uint64_t all = tree_resident_bytes(server_->pid);
    return all - std::min(all, resident_bytes(server_->pid));
  }

 private:
  // The server may wait for the child at any time, after which its number is anybody's.
  void send_kill() const {
#ifdef SYS_pidfd_send_signal
    if (pid_fd_.valid()) {
      syscall(SYS_pidfd_send_signal, pid_fd_.get(), SIGKILL, nullptr, 0);
      return;
    }
#endif
    ::kill(pid_, SIGKILL);
  }

  std::shared_ptr<State> server_;
  pid_t pid_;
  Fd pid_fd_;  // none on old kernels, or where it has ended
};

base::Result<ForkServer> ForkServer::start(const Launch& launch, Clock::duration patience) {
  Pipes pipes;
  if (!pipes.open()) return base::system_error("cannot make a pipe", errno);
  Fd file;
  if (!launch.file.empty()) {
    file = memory_file();
    if (!file.valid()) return base::system_error("cannot make a file in memory", errno);
  }
  for (const Fd* fd : {&pipes.out.read, &pipes.err.read}) set_nonblocking(*fd);
  Launch bound = launch;
  // Or every child would look up the same functions again.
  bound.environment.emplace_back("LD_BIND_NOW=1");
  ELENCHUS_ASSIGN_OR_RETURN(const pid_t pid, spawn(bound, pipes.for_server(file)));
  tie(pipes.lifeline.read, pid);
  auto state = std::make_shared<State>(pid, pipes, std::move(file));
  // The ends of the server are closed here, and the write end of its input: a program that is no
  // server does not wait for us but finds its input at the end, and ends.
  pipes = {};
  ELENCHUS_ASSIGN_OR_RETURN(state->greeting,
                            shake_hands(state->commands, state->status, Clock::now() + patience));
  return ForkServer(std::move(state));
}

base::Result<Process> ForkServer::start_child(std::string_view file) {
  State& server = *state_;
  if (server.is_busy) return failure("the fork server has a child already");
  if (!server.is_alive()) return failure("the fork server has ended");
  for (const Fd* fd : {&server.in, &server.out, &server.err}) discard(*fd);
  if (server.file.valid() && !set_content(server.file, file)) {
    return base::system_error("cannot write to a file in memory", errno);
  }
  Fd in = open_write_end(server.in);
  Fd out = server.out.copy();
  Fd err = server.err.copy();
  if (!in.valid() || !out.valid() || !err.valid()) {
    return base::system_error("cannot talk to a child of the fork server", errno);
  }
  std::optional<uint32_t> pid;
  if (send_word(server.commands, server.was_killed ? 1 : 0)) {
    pid = receive_word(server.status, answer_deadline());
  }
  if (!pid || static_cast<pid_t>(*pid) <= 0) {
    server.end();
    return failure("the fork server gives no child");
  }
  server.is_busy = true;
  ++server.children;
  const auto number = static_cast<pid_t>(*pid);
  return Process(number, std::make_unique<Child>(state_, number), std::move(in), std::move(out),
                 std::move(err));
}

bool ForkServer::is_alive() const { return state_->is_alive(); }
uint32_t ForkServer::children() const { return state_->children; }
const Greeting& ForkServer::greeting() const { return state_->greeting; }
pid_t ForkServer::pid() const { return state_->pid; }

}  // namespace elenchus::proc
