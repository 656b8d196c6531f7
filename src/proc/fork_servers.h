#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proc/fork_server.h"

namespace elenchus::proc {

// The fork servers of a few command lines, started when they are first wanted. Not thread-safe.
class ForkServers {
 public:
  // A child of the program's fork server. Nothing where the program is not instrumented or is no
  // fork server after all: then a process of its own will do. Nothing, too, where we ran out of
  // files or processes: whoever starts a process instead learns so, and the next call tries again.
  std::optional<Process> start(const Launch& launch);

  // Ends all servers.
  void close() { lines_.clear(); }

 private:
  struct Line {
    std::vector<std::string> command;
    std::vector<std::string> environment;
    bool has_file;
    std::optional<ForkServer> server;
    uint32_t failures = 0;  // in a row
  };

  Line& line_of(const Launch& launch);

  std::vector<Line> lines_;
};

}  // namespace elenchus::proc
