#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace elenchus::mutate {

// Which part of all tests is this program's, where several make tests of the same seeds: at first
// each makes those of its part only, so that no two make the same. What a part is, everybody works
// out alike. May be set while engines run.
class Slice {
 public:
  // Parts that there are at most: whoever wants a test of its own makes those of the others, too,
  // and throws them away.
  static constexpr uint32_t kMost = 16;

  void set(uint64_t own, uint64_t all) {
    const uint64_t parts = std::clamp<uint64_t>(all, 1, kMost);
    own_and_all_ = (own % parts) << 32 | parts;
  }
  bool has(uint64_t fingerprint) const {
    const uint64_t both = own_and_all_;
    return fingerprint % (both & UINT32_MAX) == both >> 32;
  }

 private:
  std::atomic<uint64_t> own_and_all_ = 1;
};

}  // namespace elenchus::mutate
