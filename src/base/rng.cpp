#include "base/rng.h"

namespace elenchus::base {
namespace {

uint64_t rotate_left(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t split_mix(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(uint64_t seed) {
  for (uint64_t& word : state_) word = split_mix(seed);
}

uint64_t Rng::next() {
  const uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

uint64_t Rng::below(uint64_t bound) {
  ELENCHUS_CHECK(bound > 0, "empty range");
  // Lemire's method: the high word of a product, redrawn only in the biased sliver.
  unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = -bound % bound;
    while (static_cast<uint64_t>(product) < threshold) {
      product = static_cast<unsigned __int128>(next()) * bound;
    }
  }
  return static_cast<uint64_t>(product >> 64);
}

int64_t Rng::between(int64_t low, int64_t high) {
  ELENCHUS_CHECK(low <= high, "empty range");
  const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  const uint64_t offset = width == 0 ? next() : below(width);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
}

double Rng::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

}  // namespace elenchus::base
