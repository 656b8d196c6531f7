#include "base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace elenchus::base {
namespace {

std::string& replay_hint() {
  static std::string hint;
  return hint;
}

}  // namespace

void set_replay_hint(std::string_view hint) { replay_hint() = hint; }

void check_failed(const char* file, int line, const char* condition, std::string_view detail) {
  std::string text = "elenchus: internal error: ";
  text += file;
  text += ':';
  text += std::to_string(line);
  text += ": ";
  text += condition;
  if (!detail.empty()) {
    text += ": ";
    text += detail;
  }
  text += '\n';
  if (!replay_hint().empty()) text += replay_hint() + '\n';
  // A raw write: the process is about to abort, and streams may be in any state.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace elenchus::base
