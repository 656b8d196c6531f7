#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proc/process.h"
#include "solver/solver.h"

namespace elenchus::lane {

// What became of one question.
enum class Fate : uint8_t {
  kAnswered,
  kRefused,   // the solver says that it does not like it
  kFatal,     // the solver died of it
  kTooLong,   // no reply in time, or one that is too long
  kConfused,  // the reply is not where it should be
  kLost,      // it was never asked, or too many others failed
};
inline constexpr size_t kFates = 6;

// A reply is a part of TermSession::text().
struct Reply {
  Fate fate = Fate::kLost;
  size_t from = 0;
  size_t to = 0;
};

// One process of a solver that is asked hundreds of questions in one go, each with an echo behind
// it. Where it stops in the middle, the question at which it did is asked alone, and then the rest
// goes to a new process: no question costs the others their replies. Not thread-safe.
class TermSession {
 public:
  TermSession(solver::Solver solver, const solver::RunLimits& limits);

  // Makes these commands, all declarations, hold for the questions that follow; nothing else does.
  // False where the solver does not take them.
  bool declare(std::string_view declarations);

  // Each question is a command in one line. The replies are good until the next call. It takes some
  // seconds at most.
  std::vector<Reply> ask(std::span<const std::string_view> questions);
  std::string_view text() const { return text_; }
  std::string_view text_of(const Reply& reply) const {
    return text().substr(reply.from, reply.to - reply.from);
  }

  // Says whether what is under way should end with what it has.
  void set_stop(std::function<bool()> is_stopped) { is_stopped_ = std::move(is_stopped); }

  // CPU seconds of the solver since the last call.
  double take_cpu_seconds();

 private:
  bool start();
  void stop();
  bool has_room() const;
  bool take_declarations(proc::Clock::time_point end);
  // The first of the questions that has no reply; `fate` is what became of it.
  size_t exchange(std::span<const std::string_view> questions, std::span<Reply> replies,
                  proc::Clock::time_point deadline, Fate& fate);
  size_t read_replies(size_t base, uint64_t first, std::span<Reply> replies);
  Fate fate_of(proc::Stop stop, std::string_view rest);

  solver::Solver solver_;
  solver::RunLimits limits_;
  std::optional<proc::Process> process_;
  std::function<bool()> is_stopped_;
  std::string declarations_;
  bool is_declared_ = false;
  uint64_t sentinels_ = 0;
  uint64_t asked_ = 0;     // of this process
  uint32_t silences_ = 0;  // in a row: it did not even take declarations
  uint32_t calls_ = 0;
  double cpu_before_ = 0;
  double cpu_ = 0;
  std::string text_;
};

}  // namespace elenchus::lane
