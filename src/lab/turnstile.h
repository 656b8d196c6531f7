#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace elenchus::lab {

// What a solver is run for.
enum class Purpose : uint8_t { kTesting, kProsecution };

// How much of the time prosecution may take. Time that it leaves unused is saved up for a moment
// only, so that it never takes over after a quiet hour. Knows no clock: seconds are given to it.
class TimeShare {
 public:
  // `share` of what `jobs` solvers that run side by side take.
  TimeShare(uint32_t jobs, double share, double now);

  bool is_due(double now);
  // How long until it is due, if nobody spends more.
  double seconds_until_due(double now);
  void spend(double seconds) { credit_ -= seconds; }

 private:
  void save_up(double now);

  double rate_;    // seconds per second
  double most_;    // that can be saved up
  double credit_;  // seconds of solvers
  double last_;
};

// Lets so many solvers run at the same time, and sees to it that testing and prosecution each get
// their share. Thread-safe.
class Turnstile {
 public:
  Turnstile(uint32_t jobs, double share);

  // Waits for a turn. Prosecution goes first where its share is due, and waits where it is not.
  void enter(Purpose purpose);
  void leave(Purpose purpose, double seconds);

  // Testing is over: prosecution has all the time.
  void end_testing();

 private:
  bool may_enter(Purpose purpose, double now);

  std::mutex mutex_;
  std::condition_variable changed_;
  uint32_t free_;
  uint32_t prosecutors_waiting_ = 0;
  bool is_testing_ = true;
  TimeShare share_;
};

// A turn from its start to the end of the scope. Without a turnstile there is nothing to wait for.
class Turn {
 public:
  Turn(Turnstile* turnstile, Purpose purpose);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Turnstile* turnstile_;
  Purpose purpose_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace elenchus::lab
