#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash_index.h"

namespace elenchus::eval {

// Objects stored once each and known by a number. Numbers start at 1; objects do not move. Costs no
// memory before the first object.
template <typename T>
class Interned {
 public:
  const T& operator[](uint32_t id) const { return chunks_[(id - 1) / kChunk][(id - 1) % kChunk]; }
  // The largest number in use.
  uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }

  // `is_new` tells whether the object was not there before.
  template <typename U>
  uint32_t intern(U&& object, uint64_t hash, bool& is_new) {
    const auto short_hash = static_cast<uint32_t>(hash ^ (hash >> 32));
    const uint32_t known =
        index_.find(short_hash, [&](uint32_t id) { return (*this)[id] == object; });
    is_new = known == 0;
    if (!is_new) return known;
    if (chunks_.empty() || chunks_.back().size() == kChunk) chunks_.emplace_back().reserve(kChunk);
    chunks_.back().emplace_back(std::forward<U>(object));
    hashes_.push_back(short_hash);
    index_.insert(short_hash, size());
    return size();
  }

  // Forgets the objects with larger numbers.
  void truncate(uint32_t size) {
    while (hashes_.size() > size) {
      index_.erase(hashes_.back(), this->size());
      hashes_.pop_back();
      chunks_.back().pop_back();
      if (chunks_.back().empty()) chunks_.pop_back();
    }
  }

 private:
  static constexpr uint32_t kChunk = 64;

  std::vector<std::vector<T>> chunks_;  // none of them ever grows beyond what it reserved
  std::vector<uint32_t> hashes_;
  base::HashIndex index_;
};

}  // namespace elenchus::eval
