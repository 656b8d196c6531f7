#pragma once

namespace elenchus::base {

// Starts loading the memory. The empty statement keeps the callers' calls: gcc drops those of a
// function that does nothing but prefetch, as if it had no effect.
inline void prefetch(const void* memory) {
  __builtin_prefetch(memory);
  asm volatile("");
}

}  // namespace elenchus::base
