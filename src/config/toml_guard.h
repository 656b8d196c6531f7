#pragma once

#include <string_view>

#include "base/result.h"

namespace elenchus::config {

// Whether a text may be given to the reader of TOML. It goes down one call for each part of a
// dotted key, so that a.a.a... of some tens of thousands of parts would end the program.
base::Result<void> check_toml(std::string_view text);

}  // namespace elenchus::config
