#include "proc/fork_servers.h"

#include <algorithm>
#include <utility>

namespace elenchus::proc {
namespace {

// What was random when a server started is the same for all of its children: addresses, hashes made
// from them. So it is replaced now and then; starting one costs about as much as a few children.
constexpr uint32_t kMostChildren = 256;
// A server that shakes hands, yet so often in a row gives no child, is none.
constexpr uint32_t kMostFailures = 3;

// What we ran out of says nothing of the program.
bool is_limit(const base::Error& error) { return error.kind == base::ErrorKind::kLimit; }

}  // namespace

ForkServers::Line& ForkServers::line_of(const Launch& launch) {
  const bool has_file = !launch.file.empty();
  const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) {
    return line.command == launch.command && line.environment == launch.environment &&
           line.has_file == has_file;
  });
  if (found != lines_.end()) return *found;
  return lines_.emplace_back(Line{launch.command, launch.environment, has_file, {}});
}

std::optional<Process> ForkServers::start(const Launch& launch) {
  if (!launch.is_instrumented) return {};
  Line& line = line_of(launch);
  while (line.failures < kMostFailures) {
    const bool is_usable = line.server.has_value() && line.server->is_alive() &&
                           line.server->children() < kMostChildren;
    if (!is_usable) {
      line.server.reset();
      auto server = ForkServer::start(launch);
      if (!server) {
        if (!is_limit(server.error())) line.failures = kMostFailures;
        break;
      }
      line.server.emplace(std::move(*server));
    }
    auto child = line.server->start_child(launch.file);
    if (child) {
      line.failures = 0;
      return std::move(*child);
    }
    if (is_limit(child.error())) break;
    ++line.failures;
    line.server.reset();
  }
  return {};
}

}  // namespace elenchus::proc
