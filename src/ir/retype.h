#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// A datatype and another one in its place that lacks a constructor, a field or its parameters.
struct DatatypeCut {
  DatatypeId from;
  DatatypeId to;
  SortId instance;  // the only one in use, where `to` has lost its parameters
  std::unordered_map<uint32_t, FunId> functions;  // constructors and selectors that are left
  std::optional<std::pair<FunId, size_t>> field;  // of which constructor an argument goes
};

// What becomes of the sorts of a whole script. One of these at a time.
struct Retyping {
  using Format = std::pair<uint32_t, uint32_t>;

  uint32_t divisor = 1;                                // of all widths and indices
  std::optional<std::pair<uint32_t, uint32_t>> width;  // one width, and what it becomes
  std::optional<std::pair<Format, Format>> format;     // one float format, likewise
  std::optional<std::pair<SortId, SortId>> sort;       // one sort; an enumeration becomes Bool
  // One constant, and the sort that it gets. What it is used for may be of another sort then.
  std::optional<std::pair<FunId, SortId>> constant;
  const DatatypeCut* cut = nullptr;
};

// The script with other sorts: every term is typed again. None where some operator does not take
// what its arguments have become, or where anything is not as simple as hoped for. The logic stays
// as it is, whether or not it has the sorts.
std::optional<Script> retyped(TermStore& store, const Script& script, const Retyping& retyping);

}  // namespace elenchus::ir
