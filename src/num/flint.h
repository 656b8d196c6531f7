#pragma once

// FLINT, Arb and Calcium for C++. Slow to read and full of macros: only for the .cpp files that
// work with them, never for a header that others include.

// GMP's C++ header comes first, since FLINT includes GMP inside extern "C".
#include <gmpxx.h>

#include <acb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

namespace elenchus::num {

// Calcium's headers have inline functions that only C accepts: they give the void* of an allocation
// to any pointer. While they are read, allocations give something that C++ converts as well.
struct FlintAllocation {
  void* memory;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(memory);
  }
};

}  // namespace elenchus::num

#define flint_malloc(size) (::elenchus::num::FlintAllocation{(flint_malloc)(size)})
#define flint_realloc(memory, size) \
  (::elenchus::num::FlintAllocation{(flint_realloc)(memory, size)})
#include <calcium/qqbar.h>
#undef flint_malloc
#undef flint_realloc

namespace elenchus::num {

// FLINT keeps freed numbers for reuse, per thread; they are given back when the thread ends.
struct FlintThread {
  FlintThread() = default;
  FlintThread(const FlintThread&) = delete;
  FlintThread& operator=(const FlintThread&) = delete;
  ~FlintThread() { flint_cleanup(); }
  void enter() const {}
};

inline void enter_flint() {
  thread_local const FlintThread thread;
  thread.enter();
}

// Owns one of FLINT's values. T is an array of one struct, as their C API has it.
template <typename T, auto init, auto clear>
class FlintValue {
 public:
  FlintValue() {
    enter_flint();
    init(value_);
  }
  FlintValue(const FlintValue&) = delete;
  FlintValue& operator=(const FlintValue&) = delete;
  ~FlintValue() { clear(value_); }

  auto* get() { return &value_[0]; }
  const auto* get() const { return &value_[0]; }

 private:
  T value_;
};

using Fmpz = FlintValue<fmpz_t, fmpz_init, fmpz_clear>;
using Fmpq = FlintValue<fmpq_t, fmpq_init, fmpq_clear>;
using FmpzPoly = FlintValue<fmpz_poly_t, fmpz_poly_init, fmpz_poly_clear>;
using FmpzPolyFactors =
    FlintValue<fmpz_poly_factor_t, fmpz_poly_factor_init, fmpz_poly_factor_clear>;
using Arf = FlintValue<arf_t, arf_init, arf_clear>;
using Arb = FlintValue<arb_t, arb_init, arb_clear>;
using Acb = FlintValue<acb_t, acb_init, acb_clear>;
using Qqbar = FlintValue<qqbar_t, qqbar_init, qqbar_clear>;

}  // namespace elenchus::num
