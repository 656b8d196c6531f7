#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace elenchus::coverage {

// The memory that a program built with afl-clang-fast counts its edges in, shared with it. The
// program needs no other change: it finds the memory by the environment that it is started with.
// The memory goes when nobody holds it any longer, also after a kill -9.
class AflMap {
 public:
  // `size`: bytes, as afl_map_size() says.
  static base::Result<AflMap> make(size_t size);

  AflMap(AflMap&& other) noexcept
      : id_(other.id_),
        size_(other.size_),
        bytes_(std::exchange(other.bytes_, nullptr)),
        given_(std::move(other.given_)) {}
  AflMap& operator=(AflMap&& other) noexcept;
  ~AflMap();

  // What the program must be started with.
  std::vector<std::string> environment() const;

  // Forgets what was counted; between runs.
  void clear();

  // One number for each edge that was taken together with how often, in AFL's eight classes (1, 2,
  // 3, 4-7, 8-15, 16-31, 32-127, more). Sorted; only those that were not given before.
  std::vector<uint64_t> new_keys();
  // The same, given before or not.
  std::vector<uint64_t> keys() const;

  // The edges that were taken since the last clear(), sorted.
  std::vector<uint32_t> edges() const;

  size_t size() const { return size_; }

 private:
  template <typename Take>
  void for_each_key(Take take) const;

  AflMap(int id, size_t size, uint8_t* bytes) : id_(id), size_(size), bytes_(bytes), given_(size) {}

  int id_;
  size_t size_;
  uint8_t* bytes_;
  std::vector<uint8_t> given_;  // classes of each edge, as bits
};

// The edge of a key.
constexpr uint64_t edge_of(uint64_t key) { return key >> 3; }

// How large a map the program wants; nothing where it is not instrumented. Starts it once.
std::optional<size_t> afl_map_size(const std::string& program);

}  // namespace elenchus::coverage
