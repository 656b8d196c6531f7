// A child is started with vfork: it borrows our memory until it runs the program, so that the cost
// does not grow with ours. posix_spawn would do the same, but cannot ask for a signal at the death
// of the parent (PR_SET_PDEATHSIG), and a solver that hangs must not survive us. The child may do
// nothing but system calls, and touches no memory but its own stack frame.

#include "proc/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system_error.h"
#include "proc/open_files.h"

namespace elenchus::proc {
namespace {

constexpr int kCannotRun = 127;

// Signals that the program or its libraries may have a handler for. Any other keeps what it has.
constexpr int kReset[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM,
                          SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGWINCH};

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

// In the child, like the next three. The limit on open files may be too low for the numbers.
void make_room_for_files() {
  struct rlimit open_files = {};
  getrlimit(RLIMIT_NOFILE, &open_files);
  if (open_files.rlim_cur > kLastServerFile) return;
  open_files.rlim_cur = std::min<rlim_t>(open_files.rlim_max, kLastServerFile + 1);
  setrlimit(RLIMIT_NOFILE, &open_files);
}

bool place_server_files(const ChildFiles& files) {
  make_room_for_files();
  return dup2(files.lifeline, kLifeline) >= 0 && dup2(files.commands, kServerCommands) >= 0 &&
         dup2(files.status, kServerStatus) >= 0;
}

// Ours are closed by exec anyway; this is for what our own parent left open.
void close_others(const ChildFiles& files) {
#ifdef SYS_close_range
  unsigned first = files.file >= 0 ? 4 : 3;
  if (files.is_server()) {
    syscall(SYS_close_range, first, static_cast<unsigned>(kFirstServerFile - 1), 0U);
    first = kLastServerFile + 1;
  } else if (files.lifeline >= 0) {
    syscall(SYS_close_range, first, static_cast<unsigned>(kLifeline - 1), 0U);
    first = kLifeline + 1;
  }
  syscall(SYS_close_range, first, ~0U, 0U);
#endif
}

// Gives the error, as there is none to return to after success.
int become(const char* path, char* const* arguments, char* const* environment,
           const ChildFiles& files, pid_t parent, const rlimit* open_files) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What outlives its parent stays below this process, where it can be seen.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != parent) _exit(kCannotRun);  // it died before it could be watched
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (const int signal : kReset) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // None of ours has such a number, so no dup2 takes away what a later one needs. Only 3 is often
  // ours; it comes last.
  if (files.is_server() && !place_server_files(files)) return errno;
  if (!files.is_server() && files.lifeline >= 0) {
    make_room_for_files();
    dup2(files.lifeline, kLifeline);  // where it cannot be had, most is well without
  }
  if (dup2(files.in, 0) < 0 || dup2(files.out, 1) < 0 || dup2(files.err, 2) < 0) return errno;
  if (files.file == 3) {
    if (fcntl(3, F_SETFD, 0) < 0) return errno;
  } else if (files.file >= 0 && dup2(files.file, 3) < 0) {
    return errno;
  }
  close_others(files);
  // What is open already may have a higher number.
  if (open_files != nullptr) setrlimit(RLIMIT_NOFILE, open_files);
  execve(path, arguments, environment);
  return errno;
}

}  // namespace

void tie(const Fd& read_end, pid_t group) {
  fcntl(read_end.get(), F_SETOWN, -group);
  fcntl(read_end.get(), F_SETSIG, SIGKILL);
  fcntl(read_end.get(), F_SETFL, O_ASYNC);
}

base::Result<pid_t> spawn(const Launch& launch, const ChildFiles& files) {
  ignore_sigpipe();
  const std::vector<char*> arguments = c_strings(launch.command);
  const std::vector<char*> environment = environment_with(launch.environment);
  const pid_t parent = getpid();
  const std::optional<rlimit> open_files = given_limit_on_open_files();
  volatile int failure = 0;
  // No handler of ours may run in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) {
    failure = become(arguments[0], arguments.data(), environment.data(), files, parent,
                     open_files ? &*open_files : nullptr);
    _exit(kCannotRun);
  }
  const int vfork_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return base::system_error("cannot start a process", vfork_error);
  if (failure != 0) {
    siginfo_t info = {};
    while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) < 0 && errno == EINTR) {
    }
    return base::system_error(std::string("cannot run ") + arguments[0], failure);
  }
  return pid;
}

}  // namespace elenchus::proc
