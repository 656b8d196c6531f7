#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace elenchus::base {

// Folds a word into a running hash (the multiply-and-fold step of wyhash). Equal on every machine.
inline uint64_t hash_mix(uint64_t hash, uint64_t word) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(hash ^ 0x9e3779b97f4a7c15ULL) * (word ^ 0xd6e8feb86659fd93ULL);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Up to eight bytes as a number, the missing ones zero. Overlapping loads of fixed width: a call of
// memcpy with a variable length would cost more than the rest of a hash.
inline uint64_t load_bytes(const char* at, size_t count) {
  if (count >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    return word;
  }
  if (count >= 4) {
    uint32_t low = 0;
    uint32_t high = 0;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + count - 4, 4);
    return low | (uint64_t{high} << (8 * (count - 4)));
  }
  if (count == 0) return 0;
  const auto byte = [at](size_t i) {
    return uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  };
  return byte(0) | byte(count / 2) | byte(count - 1);
}

// The same where `readable` bytes may be read: mostly without a branch, which lengths that vary
// would make costly.
inline uint64_t load_bytes(const char* at, size_t count, size_t readable) {
  if (readable < 8) return load_bytes(at, count);
  const uint64_t word = load_bytes(at, 8);
  return count < 8 ? word & ((uint64_t{1} << (8 * count)) - 1) : word;
}

inline uint64_t hash_bytes(std::string_view bytes) {
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t hash = left * 0xff51afd7ed558ccdULL;
  for (; left > 8; at += 8, left -= 8) hash = hash_mix(hash, load_bytes(at, 8));
  return hash_mix(hash, load_bytes(at, left));
}

}  // namespace elenchus::base
