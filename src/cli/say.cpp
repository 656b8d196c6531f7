#include "cli/say.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace elenchus::cli {
namespace {

std::atomic<bool> is_output_lost = false;

// 0, or what went wrong.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

}  // namespace

void tell_text(std::string_view text) { write_all(STDERR_FILENO, text); }

void put_text(std::string_view text) {
  if (is_output_lost) return;
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0) return;
  if (error == EPIPE) end_by_broken_pipe();
  is_output_lost = true;
  tell("elenchus: error: standard output: {}\n", std::strerror(error));
}

bool output_failed() { return is_output_lost; }

void end_by_broken_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  std::_Exit(128 + SIGPIPE);  // where the signal is blocked
}

}  // namespace elenchus::cli
