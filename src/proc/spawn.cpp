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

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace elenchus::proc {
namespace {

constexpr int kCannotRun = 127;

// Signals that the program or its libraries may have a handler for. Any other keeps what it has.
constexpr int kReset[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM,
                          SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGWINCH};

// In the child. Gives the error, as there is none to return to after success.
int become(const char* path, char* const* arguments, char* const* environment,
           const ChildFiles& files, pid_t parent) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotRun);  // it died before it could be watched
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (const int signal : kReset) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // None of these is 0, 1 or 2, so no dup2 takes away what a later one needs.
  if (dup2(files.in, 0) < 0 || dup2(files.out, 1) < 0 || dup2(files.err, 2) < 0) return errno;
  if (files.file == 3) {
    if (fcntl(3, F_SETFD, 0) < 0) return errno;
  } else if (files.file >= 0 && dup2(files.file, 3) < 0) {
    return errno;
  }
  // Ours are closed by exec anyway; this is for what our own parent left open.
#ifdef SYS_close_range
  syscall(SYS_close_range, files.file >= 0 ? 4U : 3U, ~0U, 0U);
#endif
  execve(path, arguments, environment);
  return errno;
}

}  // namespace

base::Result<pid_t> spawn(const char* path, char* const* arguments, char* const* environment,
                          const ChildFiles& files) {
  const pid_t parent = getpid();
  volatile int failure = 0;
  // No handler of ours may run in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) {
    failure = become(path, arguments, environment, files, parent);
    _exit(kCannotRun);
  }
  const int vfork_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    return base::Error{base::ErrorKind::kIo,
                       std::string("cannot start a process: ") + std::strerror(vfork_error),
                       {}};
  }
  if (failure != 0) {
    siginfo_t info = {};
    while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) < 0 && errno == EINTR) {
    }
    return base::Error{base::ErrorKind::kIo,
                       std::string("cannot run ") + path + ": " + std::strerror(failure),
                       {}};
  }
  return pid;
}

}  // namespace elenchus::proc
