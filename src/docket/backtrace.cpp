#include "docket/backtrace.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "docket/repro.h"
#include "docket/short_run.h"

namespace elenchus::docket {
namespace {

constexpr size_t kMostFrames = 8;
constexpr double kSeconds = 20;  // gdb reads symbols first

// How a process dies, not where.
bool is_of_a_library(std::string_view function) {
  static constexpr auto kStarts = std::to_array<std::string_view>(
      {"__", "raise", "abort", "gsignal", "std::terminate", "std::abort", "_Unwind", "pthread_kill",
       "kill", "operator new", "operator delete", "malloc", "free", "memcpy", "memmove", "memset",
       "<signal handler"});
  // What a solver calls to say that it dies.
  static constexpr auto kParts = std::to_array<std::string_view>(
      {"FatalStream::", "notify_assertion_violation", "invoke_exit_action"});
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return function.starts_with(start); }) ||
         std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) {
           return function.find(part) != std::string_view::npos;
         });
}

// What leads to the solver's own code and is the same for every crash.
bool is_start_of_program(std::string_view function) {
  return function == "main" || function == "_start" || function.starts_with("__libc_start");
}

struct Frame {
  std::string_view function;  // empty where the program does not name it
  std::string_view address;   // "0x00007f"; empty where gdb leaves it out
  bool is_of_system = false;  // in a library that every program has
};

// Of "#3  0x00007f in a::f (this=0x55, x=1) at a.cpp:3".
Frame frame_in(std::string_view line) {
  static constexpr auto kSystem = std::to_array<std::string_view>(
      {"/libc.so", "/libc-", "/libm.so", "/libstdc++", "/libgcc_s", "/libpthread", "/ld-linux"});
  Frame frame;
  size_t at = 1;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  line.remove_prefix(std::min(line.find_first_not_of(' ', at), line.size()));
  constexpr std::string_view kIn = " in ";
  if (line.starts_with("0x")) {
    const size_t in = line.find(kIn);
    if (in == std::string_view::npos) return frame;
    frame.address = line.substr(0, in);
    line.remove_prefix(in + kIn.size());
  }
  const std::string_view name = line.substr(0, line.find(" ("));
  if (!name.starts_with("??")) frame.function = name;
  const std::string_view from = line.substr(std::min(line.rfind(" from "), line.size()));
  frame.is_of_system = std::any_of(kSystem.begin(), kSystem.end(), [&](std::string_view library) {
    return from.find(library) != std::string_view::npos;
  });
  return frame;
}

std::optional<uint64_t> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return {};
  uint64_t value = 0;
  return base::read_number(text.substr(2), value, 16) ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// "libcvc5.so.1+0x87b6f8", the same in every process: where an address lies in its file, by lines
// of `info proc mappings`: start, end, size, offset, permissions, file. Empty where none has it.
std::string place_in_file(std::string_view address, const std::vector<std::string_view>& lines) {
  const auto wanted = hexadecimal(address);
  if (!wanted) return {};
  for (const std::string_view line : lines) {
    const std::vector<std::string_view> words = words_in(line);
    if (words.size() < 5 || !words.back().starts_with('/')) continue;
    const auto start = hexadecimal(words[0]);
    const auto end = hexadecimal(words[1]);
    const auto offset = hexadecimal(words[3]);
    if (!start || !end || !offset || *wanted < *start || *wanted >= *end) continue;
    const std::string_view file = words.back().substr(words.back().rfind('/') + 1);
    return fmt::format("{}+{:#x}", file, *wanted - *start + *offset);
  }
  return {};
}

// Of frames without a name, up to the first that has one.
std::vector<std::string> places_of(const std::vector<Frame>& frames,
                                   const std::vector<std::string_view>& lines) {
  constexpr size_t kMostPlaces = 2;
  std::vector<std::string> places;
  for (const Frame& frame : frames) {
    if (places.size() == kMostPlaces || !frame.function.empty()) break;
    std::string place = place_in_file(frame.address, lines);
    if (place.empty()) break;
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace

std::vector<std::string> frames_in(std::string_view text) {
  const std::vector<std::string_view> lines = base::lines_of(text);
  std::vector<Frame> frames;
  for (const std::string_view line : lines) {
    if (!line.starts_with('#')) continue;
    const Frame frame = frame_in(line);
    if (frame.function.empty() && frame.address.empty()) continue;
    const bool is_death = frame.is_of_system || is_of_a_library(frame.function);
    if (frames.empty() && is_death) continue;
    frames.push_back(frame);
  }
  if (frames.empty()) return {};
  // The first that has a name may be far from where it happens: the same for every crash.
  if (frames.front().function.empty()) return places_of(frames, lines);
  std::vector<std::string> names;
  for (const Frame& frame : frames) {
    if (names.size() == kMostFrames || is_start_of_program(frame.function)) break;
    if (!frame.function.empty()) names.emplace_back(frame.function);
  }
  return names;
}

std::vector<std::string> backtrace_of(const Indictment& indictment, const solver::RunLimits& limits,
                                      lab::Expense& expense) {
  const std::string gdb = proc::find_program("gdb");
  const Call& call = indictment.call;
  if (gdb.empty() || proc::find_program(call.program).empty()) return {};
  const ShortLivedFolder folder;
  const std::string file = (folder.path() / "reduced.smt2").string();
  if (!folder.put({{"reduced.smt2", with_requests(indictment)}})) {
    return {};
  }
  std::vector<std::string> command = {gdb, "-nx", "-batch", "-iex", "set debuginfod enabled off"};
  for (const char* setting : {"set pagination off", "set print frame-arguments none"}) {
    command.insert(command.end(), {"-ex", setting});
  }
  command.insert(command.end(), {"-ex", call.by_file ? "run" : fmt::format("run < {}", file)});
  command.insert(command.end(), {"-ex", "bt 40", "-ex", "info proc mappings"});
  command.insert(command.end(), {"--args", call.program});
  command.insert(command.end(), call.options.begin(), call.options.end());
  if (call.by_file) command.push_back(file);
  solver::RunLimits more = limits;
  more.memory += uint64_t{1} << 30;  // the debugger's own
  const auto run = run_briefly(std::move(command), kSeconds + limits.seconds, more, expense);
  return run ? frames_in(run->out) : std::vector<std::string>();
}

}  // namespace elenchus::docket
