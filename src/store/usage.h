#pragma once

#include <cstdint>

namespace elenchus::store {

// What this process has used so far, its children not included.
struct Usage {
  double cpu_seconds = 0;
  uint64_t peak_rss_mb = 0;
};

Usage own_usage();

}  // namespace elenchus::store
