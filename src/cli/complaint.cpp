#include "cli/complaint.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "cli/say.h"

namespace elenchus::cli {

int fail(const base::Error& error, const std::string& file) {
  if (error.where.line != 0 || (error.kind == base::ErrorKind::kIo && !file.empty())) {
    tell("{}\n", base::describe(error, file));
  } else {
    tell("elenchus: error: {}\n", error.message);
  }
  return kBadInput;
}

}  // namespace elenchus::cli
