#pragma once

#include <gmpxx.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash_index.h"
#include "eval/interned.h"
#include "ir/ids.h"
#include "num/algebraic.h"
#include "num/ball.h"
#include "num/float.h"
#include "num/regex.h"
#include "num/regex_query.h"

namespace elenchus::eval {

enum class ValueKind : uint8_t {
  kUnknown,  // word: why
  kBool,
  kInt,
  kReal,
  kBits,  // aux: width
  kFloat,
  kMode,
  kChar,
  kString,
  kRegex,
  kField,    // an element of a finite field; the sort names the field
  kElement,  // of an uninterpreted sort; aux: the sort, word: its number
  kData,     // aux: FunId of the constructor, 0 for tuples; word: the fields
  kSeq,
  kSet,       // aux: see ValueStore::set; also a table from one argument to Booleans
  kBag,       // elements and their counts, in turns
  kFunction,  // another function or array
  // A real number that an expression with transcendental functions gives: aux is a num::BallOp, the
  // items are its operands. The evaluator keeps it to itself: no compound value holds one.
  kExpression,
};

// A value of some sort. Small scalars lie in the value itself, everything else in a ValueStore,
// where equal things are stored once: two values of one store and one sort are equal if and only if
// they are the same bits, except where they contain functions that have no canonical form (see
// ValueStore::is_canonical).
struct Value {
  ValueKind kind = ValueKind::kUnknown;
  uint32_t aux = 0;
  uint64_t word = 0;

  bool known() const { return kind != ValueKind::kUnknown; }
  bool is_true() const { return kind == ValueKind::kBool && word == 1; }
  bool is_false() const { return kind == ValueKind::kBool && word == 0; }

  friend bool operator==(const Value&, const Value&) = default;
  // Any order that is the same in every run; it means nothing.
  friend auto operator<=>(const Value&, const Value&) = default;  // NOLINT(modernize-use-nullptr)
};

constexpr Value boolean(bool value) { return {ValueKind::kBool, 0, value ? 1U : 0U}; }

// A function or an array: a table, and what it is elsewhere. Without a lambda, what takes one
// argument and gives a Boolean is a set instead.
struct Function {
  uint32_t arity = 1;
  uint32_t entries = 0;  // a list: arguments and result of each entry, sorted by arguments
  Value otherwise;       // everywhere else, unless there is a lambda
  ir::TermId lambda;     // computes the rest
  uint32_t captured =
      0;  // a list: the values of the lambda's free variables, in order of their ids
  bool is_vague = false;  // whether arguments outside the table exist is not known
  bool is_total = false;  // the table lists every argument there is; `otherwise` is unused

  friend bool operator==(const Function&, const Function&) = default;
};

// Owns the parts of values that do not fit into a Value. Values stay good until a rollback. Not
// thread-safe.
class ValueStore {
 public:
  ValueStore() = default;
  ValueStore(const ValueStore&) = delete;
  ValueStore& operator=(const ValueStore&) = delete;

  // --- Numbers. ---

  static Value integer(int64_t value) {
    return {ValueKind::kInt, kInline, static_cast<uint64_t>(value)};
  }
  Value integer(const mpz_class& value);
  static bool is_small_integer(const Value& value) { return value.aux == kInline; }
  static int64_t small_integer(const Value& value) { return static_cast<int64_t>(value.word); }
  mpz_class big_integer(const Value& value) const;

  static Value small_real(int64_t value) {
    return {ValueKind::kReal, 1, static_cast<uint64_t>(value)};
  }
  Value real(const mpq_class& value);
  Value real(const num::Real& value);
  static bool is_small_integer_real(const Value& value) { return value.aux == 1; }
  bool is_rational(const Value& value) const { return value.aux != kAlgebraic; }
  // A fraction that lies in the value itself; the second is for reals that it fits.
  struct Fraction {
    int64_t numerator;
    uint32_t denominator;
  };
  static std::optional<Fraction> small_rational(const Value& value) {
    if (value.aux >= kMaxDenominator) return std::nullopt;
    return Fraction{static_cast<int64_t>(value.word), value.aux};
  }
  static std::optional<Value> small_real(__int128 numerator, int64_t denominator);
  mpq_class rational(const Value& value) const;
  num::Real exact_real(const Value& value) const;

  Value expression(num::BallOp op, std::span<const Value> operands) {
    return {ValueKind::kExpression, static_cast<uint32_t>(op), list(operands)};
  }
  static num::BallOp expression_op(const Value& value) {
    return static_cast<num::BallOp>(value.aux);
  }

  // `bits` is cut to the width. The second is for widths up to 64.
  Value bits(const mpz_class& bits, uint32_t width);
  static Value small_bits(uint64_t bits, uint32_t width);
  static uint32_t width(const Value& value) { return value.aux; }
  static bool is_small_bits(const Value& value) { return value.aux <= 64; }
  mpz_class big_bits(const Value& value) const;
  mpz_class signed_bits(const Value& value) const;

  Value floating(const num::Float& value);
  const num::Float& floating(const Value& value) const {
    return floats_[static_cast<uint32_t>(value.word)];
  }
  static Value mode(num::RoundingMode mode) {
    return {ValueKind::kMode, 0, static_cast<uint64_t>(mode)};
  }
  static num::RoundingMode mode(const Value& value) {
    return static_cast<num::RoundingMode>(value.word);
  }

  Value field(const mpz_class& residue);
  mpz_class field(const Value& value) const;

  // --- Texts. ---

  Value string(std::u32string text);
  const std::u32string& string(const Value& value) const {
    return strings_[static_cast<uint32_t>(value.word)];
  }
  static Value character(uint32_t code) { return {ValueKind::kChar, 0, code}; }
  num::RegexQuery& regex_query();
  num::RegexStore& regexes() { return regex_query().store(); }
  static Value regex(num::RegexId id) { return {ValueKind::kRegex, 0, id.value}; }
  static num::RegexId regex(const Value& value) {
    return num::RegexId{static_cast<uint32_t>(value.word)};
  }

  // --- Compounds. ---

  static Value element(ir::SortId sort, uint64_t number) {
    return {ValueKind::kElement, sort.value, number};
  }
  Value data(ir::FunId constructor, std::span<const Value> fields) {
    return {ValueKind::kData, constructor.value, list(fields)};
  }
  static ir::FunId constructor(const Value& value) { return ir::FunId{value.aux}; }
  Value sequence(std::span<const Value> items) { return {ValueKind::kSeq, 0, list(items)}; }
  // What a set lists: its elements, or those that it lacks. Of a vague complement it is not known
  // whether it has any elements, so that it may be the same as some list of elements. Only
  // Domains::set knows which of them a sort needs.
  enum class Lists : uint8_t { kElements = 0, kOthers = 1, kOthersVaguely = 3 };
  // The values in any order, maybe repeated.
  Value set(std::vector<Value> values, Lists what = Lists::kElements);
  static bool is_complement(const Value& value) { return (value.aux & 1) != 0; }
  static bool is_vague_complement(const Value& value) { return (value.aux & 2) != 0; }
  // Above that, a list of elements and one of others may be the same set of a finite sort whose
  // values are too many to be listed.
  static constexpr uint32_t kMaxDistinctive = 1U << 15;
  // Elements and counts in any order; a count that is not positive drops its element. The counts of
  // an element that is given twice are added.
  Value bag(std::vector<std::pair<Value, mpz_class>> items);
  // The fields, items or elements.
  std::span<const Value> items(const Value& value) const {
    return list(static_cast<uint32_t>(value.word));
  }

  Value function(const Function& function);
  const Function& function(const Value& value) const {
    return functions_[static_cast<uint32_t>(value.word)];
  }
  std::span<const Value> entries(const Function& function) const { return list(function.entries); }

  uint32_t list(std::span<const Value> values);
  std::span<const Value> list(uint32_t id) const {
    return items_.view(lists_[id].first, lists_[id].count);
  }

  // Whether different bits mean different values.
  bool is_canonical(const Value& value) const;
  // Whether they do for all items.
  bool has_canonical_items(const Value& value) const {
    return lists_[static_cast<uint32_t>(value.word)].canonical;
  }

  // --- Not known. ---

  Value unknown(std::string_view reason);
  // Where nothing was said, it is that no value of the sort can be made.
  const std::string& reason(const Value& value) const {
    static const std::string kNothingSaid = "no value of its sort is known";
    return value.word == 0 ? kNothingSaid : reasons_[static_cast<uint32_t>(value.word)];
  }

  // About how much memory the store takes.
  uint64_t bytes() const { return bytes_; }

  // --- Going back. ---

  struct Mark {
    uint32_t integers, rationals, algebraics, floats, strings, functions, reasons, lists, items;
    uint64_t bytes;
  };
  Mark mark() const;
  void rollback(const Mark& mark);

 private:
  // What `aux` says of numbers. For reals, 1 and above is a small denominator.
  static constexpr uint32_t kInline = 0;
  static constexpr uint32_t kBoxed = 0xFFFF'FFFFU;
  static constexpr uint32_t kAlgebraic = 0xFFFF'FFFEU;
  static constexpr uint32_t kMaxDenominator = 1U << 30;

  uint32_t box(const mpz_class& value);
  const mpz_class& boxed(const Value& value) const {
    return integers_[static_cast<uint32_t>(value.word)];
  }
  static uint64_t list_hash(std::span<const Value> values);

  struct List {
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t hash = 0;
    bool canonical = true;
  };

  Interned<mpz_class> integers_;
  Interned<mpq_class> rationals_;
  Interned<num::Algebraic> algebraics_;
  Interned<num::Float> floats_;
  Interned<std::u32string> strings_;
  Interned<Function> functions_;
  Interned<std::string> reasons_;
  // Made when they are needed first: most scripts have no regular expressions.
  struct Regexes {
    num::RegexStore store;
    num::RegexQuery query{store};
  };
  std::unique_ptr<Regexes> regexes_;
  std::vector<List> lists_ = {List{}};  // the first is empty
  base::ChunkedArray<Value, 8> items_;
  base::HashIndex list_index_;
  uint64_t bytes_ = 0;
};

}  // namespace elenchus::eval
