#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash_index.h"
#include "ir/ids.h"
#include "ir/symbol.h"

namespace elenchus::ir {

enum class SortKind : uint8_t {
  kNone,
  // Plain sorts. Their SortId is the number of their kind, in every table.
  kBool,
  kInt,
  kReal,
  kString,
  kRegLan,
  kRoundingMode,
  kChar,
  kUnknown,  // the sort of a term whose operator we do not know
  // Indexed sorts.
  kBitVec,         // a: width
  kFloatingPoint,  // a: exponent bits, b: significand bits
  kFiniteField,    // a: SymbolId of the order's digits
  // Sorts over sorts.
  kArray,  // one or more index sorts, then the element sort
  kSeq,
  kSet,
  kFiniteSet,  // of z3, beside its sets that are arrays
  kBag,
  kTuple,
  kNullable,
  kRegEx,     // z3's regular expressions over any sequence
  kFunction,  // argument sorts, then the result
  // Named sorts.
  kUninterpreted,  // a: SymbolId
  kDatatype,       // a: DatatypeId, b: SymbolId
  kParameter,      // a: SymbolId; a sort variable of `par` or declare-sort-parameter
  kOpaque,         // a: SymbolId of its text; a sort of a solver that we do not know
};
inline constexpr size_t kSortKindCount = static_cast<size_t>(SortKind::kOpaque) + 1;

inline constexpr SortId kBoolSort{static_cast<uint32_t>(SortKind::kBool)};
inline constexpr SortId kIntSort{static_cast<uint32_t>(SortKind::kInt)};
inline constexpr SortId kRealSort{static_cast<uint32_t>(SortKind::kReal)};
inline constexpr SortId kStringSort{static_cast<uint32_t>(SortKind::kString)};
inline constexpr SortId kRegLanSort{static_cast<uint32_t>(SortKind::kRegLan)};
inline constexpr SortId kRoundingModeSort{static_cast<uint32_t>(SortKind::kRoundingMode)};
inline constexpr SortId kCharSort{static_cast<uint32_t>(SortKind::kChar)};
inline constexpr SortId kUnknownSort{static_cast<uint32_t>(SortKind::kUnknown)};

// Sorts nested deeper, or of a larger tree, are refused: abbreviations can make exponentially large
// ones out of a short text.
inline constexpr uint32_t kMaxSortDepth = 256;
inline constexpr uint32_t kMaxSortSize = 10'000;

// The floating-point formats that the standard gives a name.
struct NamedFormat {
  std::string_view name;
  uint32_t exponent;
  uint32_t significand;
};
inline constexpr NamedFormat kNamedFormats[] = {
    {"Float16", 5, 11}, {"Float32", 8, 24}, {"Float64", 11, 53}, {"Float128", 15, 113}};

// A sort without its children.
struct SortNode {
  SortKind kind = SortKind::kNone;
  bool has_parameters = false;
  bool has_unknown = false;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t first_child = 0;
  uint32_t child_count = 0;
  uint32_t depth = 1;
  uint32_t size = 1;
  uint32_t hash = 0;
};

// Of floating-point sorts.
constexpr bool has_named_format(const SortNode& sort) {
  return std::any_of(std::begin(kNamedFormats), std::end(kNamedFormats), [&](const auto& format) {
    return sort.a == format.exponent && sort.b == format.significand;
  });
}
constexpr bool is_single_or_double(const SortNode& sort) {
  return (sort.a == 8 && sort.b == 24) || (sort.a == 11 && sort.b == 53);
}

// Hash-consed sorts: equal sorts have equal ids.
class SortTable {
 public:
  SortTable();

  // None when the sort would exceed kMaxSortDepth or kMaxSortSize.
  SortId make(SortKind kind, uint32_t a, uint32_t b, std::span<const SortId> children);
  SortId make(SortKind kind, std::span<const SortId> children) {
    return make(kind, 0, 0, children);
  }

  SortId bit_vec(uint32_t width) { return make(SortKind::kBitVec, width, 0, {}); }
  SortId floating_point(uint32_t exponent, uint32_t significand) {
    return make(SortKind::kFloatingPoint, exponent, significand, {});
  }

  const SortNode& operator[](SortId sort) const { return nodes_[sort.value]; }
  SortKind kind(SortId sort) const { return nodes_[sort.value].kind; }
  std::span<const SortId> children(SortId sort) const {
    return children_.view(nodes_[sort.value].first_child, nodes_[sort.value].child_count);
  }

  uint32_t size() const { return nodes_.size(); }
  void truncate(uint32_t size);

 private:
  base::ChunkedArray<SortNode> nodes_;
  base::ChunkedArray<SortId> children_;
  base::HashIndex index_;
};

// The sort as SMT-LIB writes it.
void append_sort(std::string& out, const SortTable& sorts, const SymbolTable& symbols, SortId sort);

}  // namespace elenchus::ir
