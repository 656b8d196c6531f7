#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "eval/evaluator.h"
#include "eval/value.h"
#include "ir/term_store.h"
#include "num/regex.h"

namespace elenchus::mutate::diver {

using eval::boolean;
using eval::Evaluator;
using eval::Value;
using eval::ValueKind;
using eval::ValueStore;

// --- The shapes that a range may have. ---

struct NoValue {};
struct AnyValue {};
// One of these values.
struct Listed {
  std::vector<Value> values;
};
// Any value but these.
struct Excluded {
  std::vector<Value> values;
};
// Numbers; an end that is missing is infinite.
struct Interval {
  struct End {
    mpq_class at;
    bool is_open = false;
  };
  std::optional<End> low;
  std::optional<End> high;
};
// Bit-vectors that lie between the ends, read as unsigned and as signed numbers, and agree with
// `bits` wherever `mask` has a one. All of it holds at once.
struct BitRange {
  uint32_t width = 1;
  mpz_class low, high;
  mpz_class signed_low, signed_high;
  mpz_class mask, bits;  // bits outside the mask are 0
};
// Floats between two places in the order -oo ... -0 +0 ... +oo, both included; see float_place().
struct FloatRange {
  mpz_class low, high;
  bool has_nan = false;
};
// Strings.
struct Language {
  num::RegexId regex;
  bool has_star = true;  // is infinite, for all we know
};
// Members of a datatype, by their constructor.
struct MadeBy {
  ir::FunId constructor;
  bool is_negated = false;
};

struct Range;
// Arrays and sequences that have an element of a range at the index; sets, of one that belongs to
// them or not.
struct ElementAt {
  std::vector<Value> index;
  std::shared_ptr<const Range> element;
};
// Sequences whose length is in a range.
struct Length {
  std::shared_ptr<const Range> count;
};
// Members of a datatype whose field, of the constructor that has it, is in a range.
struct FieldOf {
  ir::FunId constructor;
  ir::FunId selector;
  uint32_t field = 0;
  std::shared_ptr<const Range> content;
};

// Values that a term may have at its place without changing the truth of the formula around it
// (the SAT-preserving constraints of the DIVER paper, generalised to all sorts). Belongs to the
// evaluator whose values it mentions.
struct Range {
  std::variant<AnyValue, NoValue, Listed, Excluded, Interval, BitRange, FloatRange, Language,
               MadeBy, ElementAt, Length, FieldOf>
      shape;

  bool is_any() const { return std::holds_alternative<AnyValue>(shape); }
  template <typename Shape>
  const Shape* as() const {
    return std::get_if<Shape>(&shape);
  }
};

// Works ranges out under one model, from the root of a formula down to an occurrence.
class Ranges {
 public:
  explicit Ranges(Evaluator& evaluator) : evaluator_(evaluator) {}

  static Range any() { return {AnyValue{}}; }
  // Nothing at all, if the value is unknown.
  static Range only(const Value& value);

  // The range of the argument at `position`, if `range` is that of the term. Whatever value from it
  // the argument had, with the other arguments as they are under the model, the term would be
  // within its own range. Holds the argument's present value whenever that is known and `range`
  // holds the term's; where `range` does not, it holds nothing. Where nothing better is known, it
  // is the present value alone. Everything below binders is the caller's to avoid: the argument has
  // no free variables.
  Range of_argument(ir::TermId term, size_t position, const Range& range);

  // Never true of an unknown value.
  bool contains(const Range& range, const Value& value);

  // How easily a random term falls into the range, from 0.001 to 1: the paper's score.
  static double score(const Range& range);

  // A formula that holds of the term exactly if its value is in the range; `true` for any. None
  // where it cannot be written down. The store is that of the evaluator's terms.
  ir::TermId formula(ir::TermStore& store, const Range& range, ir::TermId term);

  // The values of both, where that is a range.
  std::optional<Range> intersection(const Range& a, const Range& b);

 private:
  bool is_one_of(const std::vector<Value>& values, const Value& value);
  bool is_none_of(const std::vector<Value>& values, const Value& value);
  bool is_within(const Interval& interval, const Value& value) const;
  bool is_within(const BitRange& range, const Value& value) const;
  bool is_within(const FloatRange& range, const Value& value) const;
  bool is_member(const Language& language, const Value& value);
  bool has_element(const ElementAt& range, const Value& value);
  bool has_length(const Length& range, const Value& value);
  bool has_field(const FieldOf& range, const Value& value);

  Evaluator& evaluator_;
};

}  // namespace elenchus::mutate::diver
