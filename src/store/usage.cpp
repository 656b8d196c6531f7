#include "store/usage.h"

#include <sys/resource.h>

namespace elenchus::store {

Usage own_usage() {
  struct rusage usage {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return {};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<uint64_t>(usage.ru_maxrss) / 1024};
}

}  // namespace elenchus::store
