#include "base/system_error.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace elenchus::base {
namespace {

std::string_view advice_on(int number) {
  switch (number) {
    case EMFILE: return "; raise the limit on open files (ulimit -n)";
    case ENFILE: return "; the whole machine has too many files open";
    case EAGAIN: return "; raise the limit on processes (ulimit -u)";
    case ENOMEM: return "; the machine is short of memory";
    default: return "";
  }
}

}  // namespace

bool is_exhaustion(int number) { return !advice_on(number).empty(); }

Error system_error(std::string_view what, int number) {
  return {is_exhaustion(number) ? ErrorKind::kLimit : ErrorKind::kIo,
          fmt::format("{}: {}{}", what, std::strerror(number), advice_on(number)),
          {}};
}

}  // namespace elenchus::base
