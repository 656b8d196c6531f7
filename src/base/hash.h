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

// Short symbols dominate: eight bytes a step, the tail overlapping the last full word.
inline uint64_t hash_bytes(std::string_view bytes) {
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t hash = left * 0xff51afd7ed558ccdULL;
  uint64_t word = 0;
  while (left >= 8) {
    std::memcpy(&word, at, 8);
    hash = hash_mix(hash, word);
    at += 8;
    left -= 8;
  }
  if (left > 0) {
    word = 0;
    std::memcpy(&word, at, left);
    hash = hash_mix(hash, word);
  }
  return hash;
}

}  // namespace elenchus::base
