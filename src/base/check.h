#pragma once

#include <string_view>

namespace elenchus::base {

// Reports a broken invariant of our own and aborts. No input may ever reach it.
[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view detail);

// A line that check_failed() prints last: how to replay what was going on. Empty by default.
void set_replay_hint(std::string_view hint);

}  // namespace elenchus::base

// Always on. `detail` is evaluated only on failure.
#define ELENCHUS_CHECK(condition, detail)                                       \
  do {                                                                          \
    if (!(condition)) [[unlikely]]                                              \
      ::elenchus::base::check_failed(__FILE__, __LINE__, #condition, (detail)); \
  } while (false)

// For checks too costly for a release build.
#ifdef ELENCHUS_DEBUG_CHECKS
#define ELENCHUS_DCHECK(condition, detail) ELENCHUS_CHECK(condition, detail)
#else
#define ELENCHUS_DCHECK(condition, detail) \
  do {                                     \
  } while (false)
#endif
