#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/rng.h"
#include "ir/term_store.h"

namespace elenchus::history {

// What can be told of a literal without saying which one it is.
enum class ConstantClass : uint8_t {
  kZero,
  kOne,
  kSmall,     // from 2 to 16
  kBound,     // a larger power of two, or a neighbour of one
  kLarge,     // beyond 32 bits
  kPlain,     // another number
  kFraction,  // not a whole number
  kOnes,      // bits: all of them
  kLeast,     // bits: only the sign
  kMost,      // bits: all but the sign
  kEmpty,     // strings, in this and the next three
  kLetter,    // one character
  kNumeral,   // digits
  kText,
};

// "zero".
std::string_view word_of(ConstantClass constant);
std::optional<ConstantClass> class_named(std::string_view word);

// None when the term is no literal, or of a kind that has no classes.
std::optional<ConstantClass> class_of(const ir::TermStore& store, ir::TermId literal);

// Some literal of the class. None when the sort has none.
ir::TermId constant_of(ir::TermStore& store, base::Rng& rng, ir::SortId sort,
                       ConstantClass constant);

}  // namespace elenchus::history
