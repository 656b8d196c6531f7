// The functions of the paper for integers, reals and strings, with more coefficients, and others
// for bit-vectors and Booleans. For bit-vectors, odd coefficients have inverses modulo 2^width, so
// that sums of multiples can be taken apart without a division.
#include "mutate/fuser.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gen/constants.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "num/literal.h"

namespace elenchus::mutate {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// Wider ones make literals and products that nobody solves.
constexpr uint32_t kWidestBits = 512;
constexpr uint64_t kLargestSmallCoefficient = 9;
constexpr uint64_t kLargeCoefficients[] = {10,         64,          255,         1000,       65'536,
                                           2147483647, 2147483648U, 4294967295U, 4294967296U};

}  // namespace

bool Fuser::takes(const ir::TermStore& store, SortId a, SortId b) {
  const ir::SortNode& first = store.sorts()[a];
  const ir::SortNode& second = store.sorts()[b];
  const auto is_number = [](const ir::SortNode& node) {
    return node.kind == SortKind::kInt || node.kind == SortKind::kReal;
  };
  if (is_number(first)) return is_number(second);
  if (first.kind != second.kind) return false;
  switch (first.kind) {
    case SortKind::kBool:
    case SortKind::kString: return true;
    case SortKind::kBitVec: return std::max(first.a, second.a) <= kWidestBits;
    default: return false;
  }
}

bool Fuser::is_at_home(const ir::TermStore& store, SortId sort, const ir::Logic& logic) {
  using ir::Theory;
  switch (store.sorts().kind(sort)) {
    case SortKind::kInt: return logic.admits(Theory::kInts) && logic.admits(Theory::kRealsInts);
    case SortKind::kReal: return logic.admits(Theory::kReals) && logic.admits(Theory::kRealsInts);
    // Positions are added and subtracted.
    case SortKind::kString:
      return logic.admits(Theory::kStrings) && logic.admits(Theory::kRealsInts);
    case SortKind::kBitVec: return logic.admits(Theory::kBitVectors);
    default: return true;
  }
}

// Integers become reals, and narrow bit-vectors wide ones, before they are fused; and what they
// are computed from is converted back.
std::optional<Fusion> Fuser::fuse(base::Rng& rng, TermId x, TermId y, bool may_multiply) {
  if (store_.sort(x) == store_.sort(y)) return fuse_alike(rng, x, y, may_multiply);
  const ir::SortNode first = store_.sorts()[store_.sort(x)];
  const ir::SortNode second = store_.sorts()[store_.sort(y)];
  const bool is_bits = first.kind == SortKind::kBitVec;
  if (is_bits ? first.a < second.a : first.kind == SortKind::kInt) {
    auto fusion = fuse(rng, y, x, may_multiply);
    if (!fusion) return {};
    std::swap(fusion->x, fusion->y);
    std::swap(fusion->x_inverse, fusion->y_inverse);
    return fusion;
  }
  const TermId wide =
      is_bits ? apply(Op::kBvZeroExtend, {y}, {first.a - second.a}) : apply(Op::kToReal, {y});
  auto fusion = fuse_alike(rng, x, wide, may_multiply);
  if (!fusion) return {};
  fusion->y = y;
  fusion->y_inverse = is_bits ? apply(Op::kBvExtract, {fusion->y_inverse}, {second.a - 1, 0})
                              : apply(Op::kToInt, {fusion->y_inverse});
  if (!fusion->y_inverse.valid()) return {};
  return fusion;
}

std::optional<Fusion> Fuser::fuse_alike(base::Rng& rng, TermId x, TermId y, bool may_multiply) {
  Fusion fusion;
  fusion.x = x;
  fusion.y = y;
  // Most functions are not symmetrical.
  const bool is_swapped = rng.coin();
  if (is_swapped) std::swap(fusion.x, fusion.y);
  switch (store_.sorts().kind(store_.sort(x))) {
    case SortKind::kBool: fuse_booleans(rng, fusion); break;
    case SortKind::kInt:
    case SortKind::kReal: fuse_numbers(rng, fusion, may_multiply); break;
    case SortKind::kBitVec: fuse_bits(rng, fusion); break;
    case SortKind::kString: fuse_strings(rng, fusion); break;
    default: return {};
  }
  if (!fusion.z.valid() || !fusion.x_inverse.valid() || !fusion.y_inverse.valid()) return {};
  if (is_swapped) {
    std::swap(fusion.x, fusion.y);
    std::swap(fusion.x_inverse, fusion.y_inverse);
  }
  return fusion;
}

TermId Fuser::apply(Op op, std::initializer_list<TermId> args,
                    std::initializer_list<uint32_t> indices) {
  return ir::apply_if_all(store_, op, args, {indices.begin(), indices.size()});
}

TermId Fuser::name(Fusion& fusion, TermId fused) {
  if (!fused.valid()) return {};
  const ir::FunId fun = ir::fresh_constant(store_, "fused!", next_, store_.sort(fused));
  fusion.fused = fused;
  fusion.z = store_.fun(fun).constant;
  return fusion.z;
}

// --- Numbers. ---

TermId Fuser::number(uint64_t magnitude, bool is_negative, SortId sort) {
  const std::string digits = std::to_string(magnitude);
  const TermId literal =
      sort == ir::kIntSort ? store_.int_literal(digits) : store_.real_literal(digits + ".0");
  return is_negative && magnitude != 0 ? apply(Op::kNeg, {literal}) : literal;
}

// Not zero.
TermId Fuser::coefficient(base::Rng& rng, SortId sort) {
  constexpr uint64_t kLargeOneIn = 8;
  constexpr uint64_t kNegativeOneIn = 3;
  const bool is_negative = rng.one_in(kNegativeOneIn);
  if (rng.one_in(kLargeOneIn)) {
    return number(kLargeCoefficients[rng.below(std::size(kLargeCoefficients))], is_negative, sort);
  }
  return number(1 + rng.below(kLargestSmallCoefficient), is_negative, sort);
}

void Fuser::fuse_numbers(base::Rng& rng, Fusion& fusion, bool may_multiply) {
  const bool is_real = store_.sort(fusion.x) == ir::kRealSort;
  switch (rng.below(may_multiply ? 6 : 4)) {
    case 0: return add_numbers(rng, fusion);
    case 1: return subtract_numbers(fusion);
    case 2:
    case 3: return combine_numbers(rng, fusion);
    case 4:
      if (is_real) return divide_reals(fusion);
      [[fallthrough]];
    default: return multiply_numbers(rng, fusion);
  }
}

// z = x + c + y.
void Fuser::add_numbers(base::Rng& rng, Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  if (rng.coin()) {
    const TermId z = name(fusion, apply(Op::kAdd, {x, y}));
    fusion.x_inverse = apply(Op::kSub, {z, y});
    fusion.y_inverse = apply(Op::kSub, {z, x});
    return;
  }
  const TermId c = coefficient(rng, store_.sort(x));
  const TermId z = name(fusion, apply(Op::kAdd, {x, c, y}));
  fusion.x_inverse = apply(Op::kSub, {z, c, y});
  fusion.y_inverse = apply(Op::kSub, {z, x, c});
}

// z = x - y.
void Fuser::subtract_numbers(Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const TermId z = name(fusion, apply(Op::kSub, {x, y}));
  fusion.x_inverse = apply(Op::kAdd, {z, y});
  fusion.y_inverse = apply(Op::kSub, {x, z});
}

// z = a * x + b * y + c; the divisions by a and b leave no remainder.
void Fuser::combine_numbers(base::Rng& rng, Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const SortId sort = store_.sort(x);
  const TermId a = coefficient(rng, sort);
  const TermId b = coefficient(rng, sort);
  const TermId c = coefficient(rng, sort);
  const TermId ax = apply(Op::kMul, {a, x});
  const TermId by = apply(Op::kMul, {b, y});
  const TermId z = name(fusion, apply(Op::kAdd, {ax, by, c}));
  const Op divide = sort == ir::kIntSort ? Op::kIntDiv : Op::kRealDiv;
  const TermId x_part = apply(Op::kSub, {z, by, c});
  const TermId y_part = apply(Op::kSub, {z, ax, c});
  fusion.x_inverse = apply(divide, {x_part, a});
  fusion.y_inverse = apply(divide, {y_part, b});
}

// z = x * y + c; right where the other factor is not zero.
void Fuser::multiply_numbers(base::Rng& rng, Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const SortId sort = store_.sort(x);
  const Op divide = sort == ir::kIntSort ? Op::kIntDiv : Op::kRealDiv;
  fusion.is_linear = false;
  const TermId product = apply(Op::kMul, {x, y});
  if (rng.coin()) {
    const TermId z = name(fusion, product);
    fusion.x_inverse = apply(divide, {z, y});
    fusion.y_inverse = apply(divide, {z, x});
    return;
  }
  const TermId c = coefficient(rng, sort);
  const TermId z = name(fusion, apply(Op::kAdd, {product, c}));
  const TermId rest = apply(Op::kSub, {z, c});
  fusion.x_inverse = apply(divide, {rest, y});
  fusion.y_inverse = apply(divide, {rest, x});
}

// z = x / y; right where neither is zero.
void Fuser::divide_reals(Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  fusion.is_linear = false;
  const TermId z = name(fusion, apply(Op::kRealDiv, {x, y}));
  fusion.x_inverse = apply(Op::kMul, {z, y});
  fusion.y_inverse = apply(Op::kRealDiv, {x, z});
}

// --- Bit-vectors. ---

// A literal; where it is odd, also its inverse modulo 2^width.
TermId Fuser::bits(base::Rng& rng, uint32_t width, bool is_odd, TermId* inverse) {
  mpz_class value = 0;
  const bool is_small = rng.coin();
  for (uint32_t i = 0; i < (is_small ? 1 : width); i += 32) {
    value =
        (value << 32) + static_cast<unsigned long>(rng.below(is_small ? 16 : uint64_t{1} << 32));
  }
  mpz_class modulus = 1;
  modulus <<= width;
  if (is_small && rng.coin()) value = modulus - value;
  if (is_odd) value |= 1;
  value %= modulus;
  const auto literal = [&](const mpz_class& number) {
    const auto text = num::bits_literal_of_number(number.get_str(), width);
    return text ? store_.bits_literal(*text) : TermId{};
  };
  if (inverse != nullptr) {
    mpz_class other;
    mpz_invert(other.get_mpz_t(), value.get_mpz_t(), modulus.get_mpz_t());
    *inverse = literal(other);
  }
  return literal(value);
}

void Fuser::fuse_bits(base::Rng& rng, Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const uint32_t width = store_.sorts()[store_.sort(x)].a;
  switch (rng.below(8)) {
    case 0: {
      const TermId z = name(fusion, apply(Op::kBvAdd, {x, y}));
      fusion.x_inverse = apply(Op::kBvSub, {z, y});
      fusion.y_inverse = apply(Op::kBvSub, {z, x});
      return;
    }
    case 1: {
      const TermId z = name(fusion, apply(Op::kBvSub, {x, y}));
      fusion.x_inverse = apply(Op::kBvAdd, {z, y});
      fusion.y_inverse = apply(Op::kBvSub, {x, z});
      return;
    }
    case 2: return fuse_twice(fusion, rng.coin() ? Op::kBvXor : Op::kBvXnor);
    // Right where nothing overflows and the other factor is not zero.
    case 3: {
      const TermId z = name(fusion, apply(Op::kBvMul, {x, y}));
      fusion.x_inverse = apply(Op::kBvUdiv, {z, y});
      fusion.y_inverse = apply(Op::kBvUdiv, {z, x});
      return;
    }
    case 4: return join_bits(fusion, width);
    case 5: return rotate_bits(rng, fusion, width);
    default: return combine_bits(rng, fusion, width);
  }
}

// z = a * x + b * y + c with odd a and b.
void Fuser::combine_bits(base::Rng& rng, Fusion& fusion, uint32_t width) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  TermId a_inverse;
  TermId b_inverse;
  const TermId a = bits(rng, width, true, &a_inverse);
  const TermId b = bits(rng, width, true, &b_inverse);
  const TermId c = bits(rng, width, false, nullptr);
  const TermId ax = apply(Op::kBvMul, {a, x});
  const TermId by = apply(Op::kBvMul, {b, y});
  const TermId sum = apply(Op::kBvAdd, {ax, by});
  const TermId z = name(fusion, apply(Op::kBvAdd, {sum, c}));
  const TermId rest = apply(Op::kBvSub, {z, c});
  const TermId x_part = apply(Op::kBvSub, {rest, by});
  const TermId y_part = apply(Op::kBvSub, {rest, ax});
  fusion.x_inverse = apply(Op::kBvMul, {a_inverse, x_part});
  fusion.y_inverse = apply(Op::kBvMul, {b_inverse, y_part});
}

// z = rotated x + y.
void Fuser::rotate_bits(base::Rng& rng, Fusion& fusion, uint32_t width) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const auto by = static_cast<uint32_t>(rng.below(width));
  const TermId rotated = apply(Op::kBvRotateLeft, {x}, {by});
  const TermId z = name(fusion, apply(Op::kBvAdd, {rotated, y}));
  const TermId rest = apply(Op::kBvSub, {z, y});
  fusion.x_inverse = apply(Op::kBvRotateRight, {rest}, {by});
  fusion.y_inverse = apply(Op::kBvSub, {z, rotated});
}

// z = x, then y.
void Fuser::join_bits(Fusion& fusion, uint32_t width) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const TermId z = name(fusion, apply(Op::kBvConcat, {x, y}));
  fusion.x_inverse = apply(Op::kBvExtract, {z}, {2 * width - 1, width});
  fusion.y_inverse = apply(Op::kBvExtract, {z}, {width - 1, 0});
}

// --- Strings. ---

// z = x c y, where c may be empty. str.replace finds the first x c, which is at the beginning.
void Fuser::fuse_strings(base::Rng& rng, Fusion& fusion) {
  const auto [x, y] = std::pair(fusion.x, fusion.y);
  const TermId empty = store_.string_literal("");
  TermId c = rng.coin() ? empty : gen::interesting_constant(store_, rng, ir::kStringSort);
  if (!c.valid() || store_.op(c) != Op::kStringLiteral) c = empty;
  const uint64_t between = num::decode_string(store_.literal_text(c)).size();
  const TermId head = between == 0 ? x : apply(Op::kStrConcat, {x, c});
  const auto plus_between = [&](TermId length) {
    return between == 0 ? length : apply(Op::kAdd, {length, number(between, false, ir::kIntSort)});
  };
  const TermId z = name(fusion, apply(Op::kStrConcat, {head, y}));
  const TermId x_length = apply(Op::kStrLen, {x});
  const TermId y_length = apply(Op::kStrLen, {y});
  const TermId z_length = apply(Op::kStrLen, {z});
  const TermId zero = number(0, false, ir::kIntSort);
  const TermId rest = apply(Op::kSub, {z_length, plus_between(y_length)});
  fusion.x_inverse = apply(Op::kStrSubstr, {z, zero, rng.coin() ? x_length : rest});
  const TermId start = plus_between(x_length);
  switch (rng.below(3)) {
    case 0: fusion.y_inverse = apply(Op::kStrSubstr, {z, start, y_length}); break;
    case 1: fusion.y_inverse = apply(Op::kStrSubstr, {z, start, z_length}); break;
    default: fusion.y_inverse = apply(Op::kStrReplace, {z, head, empty}); break;
  }
}

// --- Booleans. ---

void Fuser::fuse_booleans(base::Rng& rng, Fusion& fusion) {
  constexpr Op kOps[] = {Op::kXor, Op::kEq, Op::kDistinct};
  fuse_twice(fusion, kOps[rng.below(std::size(kOps))]);
}

// z = x op y, for operators that undo themselves.
void Fuser::fuse_twice(Fusion& fusion, Op op) {
  const TermId z = name(fusion, apply(op, {fusion.x, fusion.y}));
  fusion.x_inverse = apply(op, {z, fusion.y});
  fusion.y_inverse = apply(op, {z, fusion.x});
}

}  // namespace elenchus::mutate
