#include "base/result.h"

#include <fmt/format.h>

namespace elenchus::base {

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kParse: return "parse";
    case ErrorKind::kType: return "type";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kLimit: return "limit";
    case ErrorKind::kInternal: return "internal";
  }
  return "unknown";
}

std::string describe(const Error& error, const std::string& file) {
  if (error.where.line == 0) return fmt::format("{}: error: {}", file, error.message);
  return fmt::format("{}:{}:{}: error: {}", file, error.where.line, error.where.column,
                     error.message);
}

}  // namespace elenchus::base
