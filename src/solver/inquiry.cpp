#include "solver/inquiry.h"

#include <chrono>

namespace elenchus::solver {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);
constexpr uint64_t kMostOutput = 16ULL << 20;

}  // namespace

std::string output_of(const Solver& solver, std::span<const std::string> arguments,
                      std::string_view input) {
  proc::Launch launch;
  launch.command = {solver.program};
  launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
  auto process = proc::Process::start(launch);
  if (!process) return {};
  process->send(input);
  process->close_input();
  const proc::Stop stop = process->wait({.line = {},
                                         .deadline = proc::Clock::now() + kPatience,
                                         .memory = UINT64_MAX,
                                         .output = kMostOutput});
  process->kill();
  return stop == proc::Stop::kEnded ? process->out() : std::string();
}

}  // namespace elenchus::solver
