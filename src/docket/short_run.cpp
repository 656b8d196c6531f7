#include "docket/short_run.h"

#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/clock.h"

namespace elenchus::docket {

ShortLivedFolder::ShortLivedFolder() {
  std::error_code error;
  const std::filesystem::path home = std::filesystem::temp_directory_path(error);
  std::string name = (home / "elenchus-XXXXXX").string();
  if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
}

ShortLivedFolder::~ShortLivedFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

bool ShortLivedFolder::put(const std::vector<store::RecordFile>& files) const {
  if (path_.empty()) return false;
  for (const store::RecordFile& file : files) {
    std::ofstream out(path_ / file.name, std::ios::binary);
    out << file.content;
    if (!out.flush().good()) return false;
  }
  return true;
}

std::optional<ShortRun> run_briefly(std::vector<std::string> command, double seconds,
                                    const solver::RunLimits& limits, lab::Expense& expense) {
  const auto start = proc::Clock::now();
  auto process =
      proc::Process::start({.command = std::move(command), .environment = {}, .file = {}});
  if (!process) return {};
  process->close_input();
  const proc::Stop stop = process->wait({.line = {},
                                         .deadline = base::steady_after(seconds, start),
                                         .memory = limits.memory,
                                         .output = limits.output});
  const proc::Exit exit = process->kill();
  expense.seconds += base::seconds_since(start);
  expense.cpu_seconds += exit.cpu_seconds;
  if (stop != proc::Stop::kEnded) return {};
  return ShortRun{process->out(), exit};
}

}  // namespace elenchus::docket
