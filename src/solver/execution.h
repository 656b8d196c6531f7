#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proc/process.h"
#include "solver/reading.h"
#include "solver/solver.h"

namespace elenchus::solver {

// The whole query, for a solver that reads it at once.
std::string recital(const Profile& profile, const Query& query);

// Waits until a process that takes long to start reads; the time of a check does not begin before.
void await_start(const Profile& profile, proc::Process& process);

// Runs one query on one process, which may be a session that has seen others.
class Execution {
 public:
  // `sentinels`: how many the process has seen; goes on counting.
  Execution(const Profile& profile, proc::Process& process, const RunLimits& limits,
            uint64_t& sentinels);

  // Part by part, with `prologue` before the first one.
  void converse(const Query& query, std::string_view prologue);

  // Everything at once, to the end of the process.
  void recite(const Query& query);

  // Waits for the end of a process that has answered: it may still crash.
  void part_with();

  Run finish();

 private:
  void append(std::string& part, std::string_view text) const;
  proc::Stop exchange(std::string_view text, std::string& said);
  bool check(std::string_view text);
  bool answered(Outcome outcome, std::string output, double seconds);
  void epilogue(std::string_view text);
  bool ask_more(const Query& query, std::string_view command);
  bool ask(std::string_view request, std::string& into);
  bool ask_all(const std::vector<std::string>& questions);
  bool settle(proc::Stop stop, const Reading& reading, bool has_answer);
  bool ended_early(const proc::Exit& exit, const Reading& reading, bool has_answer);
  std::string signal_message(int signal) const;
  void vote(std::string_view answer);
  bool over(Outcome outcome, std::string message);
  bool crash(std::string message) { return over(Outcome::kCrash, std::move(message)); }
  bool reject(std::string message);
  bool disown(std::string message);

  const Profile& profile_;
  proc::Process& process_;
  const RunLimits& limits_;
  uint64_t& sentinels_;
  proc::Clock::time_point start_ = proc::Clock::now();
  double cpu_start_ = 0;
  size_t err_read_ = 0;   // of the process's stderr, with nothing new to be said about it
  bool is_over_ = false;  // the process is of no use any more
  Run run_;
};

}  // namespace elenchus::solver
