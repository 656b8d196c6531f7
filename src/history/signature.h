#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/term_cache.h"
#include "ir/term_store.h"

namespace elenchus::history {

// One operand of an atom: what kind of sort it has, and whether it has no variables in it.
struct Operand {
  ir::SortKind kind = ir::SortKind::kNone;
  bool is_constant = false;

  bool operator==(const Operand&) const = default;
};

// An atom without its names, numbers and widths: (= IntConst IntVar).
struct AtomSignature {
  // An operator's name; or kPredicate, kBoolean, kField, for a declared predicate, a Boolean
  // constant that was declared or bound, and a selector.
  std::string op;
  std::vector<Operand> operands;

  bool operator==(const AtomSignature&) const = default;
};

inline constexpr std::string_view kPredicate = "@predicate";
inline constexpr std::string_view kBoolean = "@boolean";
inline constexpr std::string_view kField = "@selector";

// Operands beyond this many are not part of a signature.
inline constexpr size_t kMaxOperands = 6;

// Tells signatures of the terms of a store.
class Signatures {
 public:
  explicit Signatures(const ir::TermStore& store) : store_(store), has_variables_(store) {}

  // Empty `op` for an atom whose operator has no name, such as a match.
  AtomSignature of(ir::TermId atom);

 private:
  bool is_constant(ir::TermId term);

  const ir::TermStore& store_;
  ir::TermCache<char> has_variables_;
};

std::string to_text(const AtomSignature& signature);
base::Result<AtomSignature> parse_signature(std::string_view text);

// "Int", "BitVec"...
std::string_view kind_name(ir::SortKind kind);

}  // namespace elenchus::history
