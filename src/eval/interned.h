#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/hash_index.h"

namespace elenchus::eval {

// Objects stored once each and known by a number. Numbers start at 1; objects do not move.
template <typename T>
class Interned {
 public:
  const T& operator[](uint32_t id) const { return objects_[id - 1]; }
  // The largest number in use.
  uint32_t size() const { return static_cast<uint32_t>(objects_.size()); }

  // `is_new` tells whether the object was not there before.
  template <typename U>
  uint32_t intern(U&& object, uint64_t hash, bool& is_new) {
    const auto short_hash = static_cast<uint32_t>(hash ^ (hash >> 32));
    const uint32_t known =
        index_.find(short_hash, [&](uint32_t id) { return (*this)[id] == object; });
    is_new = known == 0;
    if (!is_new) return known;
    objects_.emplace_back(std::forward<U>(object));
    hashes_.push_back(short_hash);
    index_.insert(short_hash, size());
    return size();
  }

  // Forgets the objects with larger numbers.
  void truncate(uint32_t size) {
    while (objects_.size() > size) {
      index_.erase(hashes_.back(), static_cast<uint32_t>(objects_.size()));
      objects_.pop_back();
      hashes_.pop_back();
    }
  }

 private:
  std::deque<T> objects_;
  std::vector<uint32_t> hashes_;
  base::HashIndex index_;
};

}  // namespace elenchus::eval
