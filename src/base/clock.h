#pragma once

#include <algorithm>
#include <chrono>

namespace elenchus::base {

using SteadyClock = std::chrono::steady_clock;

// Seconds on a clock that nobody sets. Only differences mean something.
inline double seconds_now() {
  return std::chrono::duration<double>(SteadyClock::now().time_since_epoch()).count();
}

// Seconds since 1970 on the clock of the machine, which somebody may set.
inline double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

inline double seconds_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

inline double seconds_since(SteadyClock::time_point start) {
  return seconds_between(start, SteadyClock::now());
}

// When so many seconds have passed. What somebody asked for may be more than the clock can count:
// longer than some thirty years is as long as that.
inline SteadyClock::time_point steady_after(double seconds,
                                            SteadyClock::time_point start = SteadyClock::now()) {
  constexpr double kMost = 1e9;
  return start + std::chrono::duration_cast<SteadyClock::duration>(
                     std::chrono::duration<double>(std::clamp(seconds, 0.0, kMost)));
}

}  // namespace elenchus::base
