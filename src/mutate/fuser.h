#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "base/rng.h"
#include "ir/logic.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Two constants, a third one that is a function of both, and how to have each of the
// two back from the other and the third. An inverse may be wrong for some values, such as a
// division by zero.
struct Fusion {
  ir::TermId x;
  ir::TermId y;
  ir::TermId z;
  ir::TermId fused;      // f(x, y): what z is
  ir::TermId x_inverse;  // g(y, z) or g(x, y, z)
  ir::TermId y_inverse;
  bool is_linear = true;
};

// Makes fusions, with coefficients drawn at random.
class Fuser {
 public:
  explicit Fuser(ir::TermStore& store) : store_(store) {}

  // Whether there are fusion functions for the two: numbers of both kinds, bit-vectors of any two
  // widths, two strings, two Booleans.
  static bool takes(const ir::TermStore& store, ir::SortId a, ir::SortId b);
  static bool takes(const ir::TermStore& store, ir::SortId sort) {
    return takes(store, sort, sort);
  }

  // Whether the logic has the operators of the sort's fusion functions.
  static bool is_at_home(const ir::TermStore& store, ir::SortId sort, const ir::Logic& logic);

  // Of two constants of sorts that are taken. z is declared, with a name of its own.
  std::optional<Fusion> fuse(base::Rng& rng, ir::TermId x, ir::TermId y, bool may_multiply);

 private:
  std::optional<Fusion> fuse_alike(base::Rng& rng, ir::TermId x, ir::TermId y, bool may_multiply);
  ir::TermId apply(ir::Op op, std::initializer_list<ir::TermId> args,
                   std::initializer_list<uint32_t> indices = {});
  // Declares z as the value of the term.
  ir::TermId name(Fusion& fusion, ir::TermId fused);

  ir::TermId number(uint64_t magnitude, bool is_negative, ir::SortId sort);
  ir::TermId coefficient(base::Rng& rng, ir::SortId sort);
  ir::TermId bits(base::Rng& rng, uint32_t width, bool is_odd, ir::TermId* inverse);

  void fuse_numbers(base::Rng& rng, Fusion& fusion, bool may_multiply);
  void add_numbers(base::Rng& rng, Fusion& fusion);
  void subtract_numbers(Fusion& fusion);
  void combine_numbers(base::Rng& rng, Fusion& fusion);
  void multiply_numbers(base::Rng& rng, Fusion& fusion);
  void divide_reals(Fusion& fusion);

  void fuse_bits(base::Rng& rng, Fusion& fusion);
  void combine_bits(base::Rng& rng, Fusion& fusion, uint32_t width);
  void rotate_bits(base::Rng& rng, Fusion& fusion, uint32_t width);
  void join_bits(Fusion& fusion, uint32_t width);

  void fuse_strings(base::Rng& rng, Fusion& fusion);
  void fuse_booleans(base::Rng& rng, Fusion& fusion);
  void fuse_twice(Fusion& fusion, ir::Op op);

  ir::TermStore& store_;
  uint32_t next_ = 0;
};

}  // namespace elenchus::mutate
