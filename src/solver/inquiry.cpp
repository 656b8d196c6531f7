#include "solver/inquiry.h"

#include <chrono>

#include "base/clock.h"

namespace elenchus::solver {
namespace {

constexpr double kPatience = 10;

}  // namespace

Printed output_of(const Solver& solver, std::span<const std::string> arguments,
                  std::string_view input) {
  return output_of(solver, arguments, input, {.seconds = kPatience, .memory = UINT64_MAX});
}

Printed output_of(const Solver& solver, std::span<const std::string> arguments,
                  std::string_view input, const RunLimits& limits) {
  proc::Launch launch;
  launch.command = {solver.program};
  launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
  const auto start = proc::Clock::now();
  auto process = proc::Process::start(launch);
  if (!process) return {};
  process->send(input);
  process->close_input();
  const proc::Stop stop = process->wait({.line = {},
                                         .deadline = base::steady_after(limits.seconds, start),
                                         .memory = limits.memory,
                                         .output = limits.output});
  const proc::Exit exit = process->kill();
  Printed printed;
  printed.seconds = base::seconds_since(start);
  printed.cpu_seconds = exit.cpu_seconds;
  if (stop != proc::Stop::kEnded) return printed;
  printed.out = process->out();
  printed.err = process->err();
  printed.signal = exit.signal;
  return printed;
}

}  // namespace elenchus::solver
