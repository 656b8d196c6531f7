#include "ir/sort.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"

namespace elenchus::ir {
namespace {

constexpr auto kLastPlain = SortKind::kUnknown;

uint32_t hash_sort(SortKind kind, uint32_t a, uint32_t b, std::span<const SortId> children) {
  uint64_t hash = base::hash_mix(static_cast<uint64_t>(kind), (uint64_t{a} << 32) | b);
  for (const SortId child : children) hash = base::hash_mix(hash, child.value);
  return static_cast<uint32_t>(hash);
}

const char* name_of(SortKind kind) {
  switch (kind) {
    case SortKind::kBool: return "Bool";
    case SortKind::kInt: return "Int";
    case SortKind::kReal: return "Real";
    case SortKind::kString: return "String";
    case SortKind::kRegLan: return "RegLan";
    case SortKind::kRoundingMode: return "RoundingMode";
    case SortKind::kChar: return "Char";
    case SortKind::kUnknown: return "?";
    case SortKind::kBitVec: return "BitVec";
    case SortKind::kFloatingPoint: return "FloatingPoint";
    case SortKind::kFiniteField: return "FiniteField";
    case SortKind::kArray: return "Array";
    case SortKind::kSeq: return "Seq";
    case SortKind::kSet: return "Set";
    case SortKind::kFiniteSet: return "FiniteSet";
    case SortKind::kBag: return "Bag";
    case SortKind::kTuple: return "Tuple";
    case SortKind::kNullable: return "Nullable";
    case SortKind::kRegEx: return "RegEx";
    case SortKind::kFunction: return "->";
    default: return "";
  }
}

// The head of a named sort; empty for those that name_of() covers.
SymbolId symbol_of(const SortNode& node) {
  switch (node.kind) {
    case SortKind::kUninterpreted:
    case SortKind::kParameter: return SymbolId{node.a};
    case SortKind::kDatatype: return SymbolId{node.b};
    default: return {};
  }
}

void append_indexed(std::string& out, const SymbolTable& symbols, const SortNode& node) {
  out += "(_ ";
  out += name_of(node.kind);
  out += ' ';
  if (node.kind == SortKind::kFiniteField) {
    out += symbols.text(SymbolId{node.a});
  } else {
    out += std::to_string(node.a);
  }
  if (node.kind == SortKind::kFloatingPoint) out += ' ' + std::to_string(node.b);
  out += ')';
}

}  // namespace

SortTable::SortTable() {
  for (uint32_t kind = 0; kind <= static_cast<uint32_t>(kLastPlain); ++kind) {
    SortNode node;
    node.kind = static_cast<SortKind>(kind);
    node.has_unknown = node.kind == SortKind::kUnknown;
    nodes_.push_back(node);
  }
}

SortId SortTable::make(SortKind kind, uint32_t a, uint32_t b, std::span<const SortId> children) {
  if (kind <= kLastPlain) return SortId{static_cast<uint32_t>(kind)};
  // (-> A (-> B C)) is (-> A B C), as cvc5 reads it.
  if (kind == SortKind::kFunction && this->kind(children.back()) == SortKind::kFunction) {
    std::vector<SortId> flat(children.begin(), children.end() - 1);
    const auto result = this->children(children.back());
    flat.insert(flat.end(), result.begin(), result.end());
    return make(kind, a, b, flat);
  }
  const uint32_t hash = hash_sort(kind, a, b, children);
  const auto same = [&](uint32_t id) {
    const SortNode& node = nodes_[id];
    const auto old = this->children(SortId{id});
    return node.kind == kind && node.a == a && node.b == b &&
           std::equal(old.begin(), old.end(), children.begin(), children.end());
  };
  if (const uint32_t found = index_.find(hash, same)) return SortId{found};

  SortNode node{.kind = kind, .a = a, .b = b, .hash = hash};
  node.has_parameters = kind == SortKind::kParameter;
  for (const SortId child : children) {
    const SortNode& below = nodes_[child.value];
    node.depth = std::max(node.depth, below.depth + 1);
    node.size += below.size;
    node.has_parameters |= below.has_parameters;
    node.has_unknown |= below.has_unknown;
    if (node.depth > kMaxSortDepth || node.size > kMaxSortSize) return {};
  }
  node.first_child = children_.append(children);
  node.child_count = static_cast<uint32_t>(children.size());
  const uint32_t id = nodes_.push_back(node);
  index_.insert(hash, id);
  return SortId{id};
}

void SortTable::truncate(uint32_t size) {
  while (nodes_.size() > size) {
    const uint32_t id = nodes_.size() - 1;
    const SortNode& node = nodes_[id];
    index_.erase(node.hash, id);
    if (node.child_count > 0) children_.truncate(node.first_child);
    nodes_.truncate(id);
  }
}

void append_sort(std::string& out, const SortTable& sorts, const SymbolTable& symbols,
                 SortId sort) {
  const SortNode& node = sorts[sort];
  if (node.kind == SortKind::kOpaque) {
    out += symbols.text(SymbolId{node.a});
    return;
  }
  if (node.kind == SortKind::kBitVec || node.kind == SortKind::kFloatingPoint ||
      node.kind == SortKind::kFiniteField) {
    append_indexed(out, symbols, node);
    return;
  }
  if (node.kind == SortKind::kTuple && node.child_count == 0) {
    out += "UnitTuple";
    return;
  }
  const SymbolId symbol = symbol_of(node);
  if (node.child_count > 0) out += '(';
  if (symbol.valid()) {
    append_symbol(out, symbols, symbol);
  } else {
    out += name_of(node.kind);
  }
  for (const SortId child : sorts.children(sort)) {
    out += ' ';
    append_sort(out, sorts, symbols, child);
  }
  if (node.child_count > 0) out += ')';
}

}  // namespace elenchus::ir
