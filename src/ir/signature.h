#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/ids.h"
#include "ir/sort.h"

namespace elenchus::ir {

// How many arguments an operator takes beyond those that its signature lists.
enum class Arity : uint8_t {
  kFixed,
  kLeftAssoc,  // two or more, in this and the next three
  kRightAssoc,
  kChainable,
  kPairwise,
  kVariadic,       // one or more of the last
  kVariadicFirst,  // one or more of the first
};

// Operators that a pattern cannot type have a rule of their own (type_rules.cpp); ops.def lists
// them.
enum class Rule : uint8_t {
  kNone,
#define ELENCHUS_RULE(enumerator, name) k##enumerator,
#include "ir/ops.def"
};

inline constexpr uint32_t kMaxSortVariables = 8;
inline constexpr uint32_t kMaxIndexVariables = 8;

// A number that a signature computes from its index variables.
struct IndexExpr {
  enum class Kind : uint8_t { kNumber, kVariable, kAdd, kSub, kMul };
  Kind kind = Kind::kNumber;
  uint32_t a = 0;  // the number, the variable, or the left operand's position
  uint32_t b = 0;
};

// A sort with holes. kind kNone is a sort variable.
struct SortPattern {
  SortKind kind = SortKind::kNone;
  uint32_t variable = 0;
  uint32_t index[2] = {0, 0};  // positions in Signature::index_exprs
  std::vector<uint32_t> children;
};

struct IndexCondition {
  enum class Relation : uint8_t { kLess, kLessEqual, kEqual };
  Relation relation = Relation::kLess;
  uint32_t left = 0;
  uint32_t right = 0;
};

// One way of typing an operator, read from the notation of ops.def.
struct Signature {
  std::string name;
  std::string text;  // for messages
  std::vector<std::string> index_names;
  uint32_t own_indices = 0;     // how many of index_names are the operator's own: (_ name i j)
  bool symbolic_index = false;  // the own indices may be symbols (datatype and map operators)
  uint32_t sort_variables = 0;

  std::vector<IndexExpr> index_exprs;
  std::vector<SortPattern> patterns;
  std::vector<uint32_t> params;  // positions in patterns
  uint32_t result = 0;
  std::vector<IndexCondition> conditions;

  Arity arity = Arity::kFixed;
  Rule rule = Rule::kNone;
  bool commutative = false;
  bool needs_as = false;  // no argument determines the result
  // When all sorts are plain, comparing ids decides: the parameters' sorts, and the result's.
  bool plain = false;
  std::vector<SortId> plain_params;
  SortId plain_result;
};

// Reads the signatures in a text: s-expressions, comments from `;` to the end of the line. Error
// places are relative to the text.
base::Result<std::vector<Signature>> parse_signatures(std::string_view text);

// What a signature's variables stand for in one application.
struct Bindings {
  SortId sorts[kMaxSortVariables];
  int64_t indices[kMaxIndexVariables] = {};
  bool index_bound[kMaxIndexVariables] = {};
  bool saw_unknown = false;
};

// Whether the sort fits the pattern, extending the bindings. An unknown sort fits everything.
bool match(const SortTable& sorts, const Signature& signature, uint32_t pattern, SortId sort,
           Bindings& bindings);

// The pattern's sort under the bindings; none when a variable is unbound or a width is impossible.
// Once an unknown sort was matched, an unbound variable makes the result unknown instead.
SortId instantiate(SortTable& sorts, const Signature& signature, uint32_t pattern,
                   const Bindings& bindings);

bool conditions_hold(const Signature& signature, const Bindings& bindings);

// Whether the signature takes this many arguments.
inline bool takes(const Signature& signature, size_t arguments) {
  if (signature.arity == Arity::kFixed) return arguments == signature.params.size();
  return arguments >= signature.params.size();
}

// The pattern of argument `i` of `count`.
uint32_t parameter_of(const Signature& signature, size_t i, size_t count);

// Whether a plain signature takes these sorts, of which there are as many as it takes.
inline bool matches_plain(const Signature& signature, std::span<const SortId> args) {
  const std::vector<SortId>& params = signature.plain_params;
  const size_t extra = args.size() - params.size();
  const bool first_repeats = signature.arity == Arity::kVariadicFirst;
  for (size_t i = 0; i < args.size(); ++i) {
    const size_t from_first = i <= extra ? 0 : i - extra;
    const size_t at = first_repeats ? from_first : (i < params.size() ? i : params.size() - 1);
    if (args[i] != params[at] && args[i] != kUnknownSort) return false;
  }
  return true;
}

}  // namespace elenchus::ir
