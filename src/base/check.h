#pragma once

#include <stdexcept>
#include <string_view>

namespace elenchus::base {

// A broken invariant of our own. No input may ever lead to it; where one does, a campaign loses a
// test and not the night.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws a CheckFailure.
[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view detail);

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
