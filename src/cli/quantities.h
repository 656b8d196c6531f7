#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace elenchus::cli {

// "90", "90s", "10m", "1.5h", "2d": seconds.
base::Result<double> parse_duration(std::string_view text);

// "512M", "2G", "1048576": bytes.
base::Result<uint64_t> parse_size(std::string_view text);

// "42 s", "3 min 20 s", "1 d 2 h".
std::string show_duration(double seconds);

}  // namespace elenchus::cli
