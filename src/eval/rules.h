#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "eval/domain.h"
#include "eval/value.h"
#include "ir/op.h"
#include "ir/term_store.h"

namespace elenchus::eval {

class Evaluator;

// An application whose arguments are evaluated, and what a rule may need besides.
struct Call {
  Evaluator& evaluator;
  const ir::TermStore& terms;
  ValueStore& values;
  ir::TermId term;
  std::span<const Value> args;

  ir::SortId sort() const { return terms.sort(term); }
  ir::SortId arg_sort(size_t i) const { return terms.sort(terms.args(term)[i]); }
  uint32_t index(size_t i) const { return terms.indices(term)[i]; }
  Value unknown(std::string_view reason) const { return values.unknown(reason); }

  // Pays for work beyond the one step that every application costs. False when the budget is spent;
  // the result does not matter then.
  bool pay(uint64_t steps) const;
  // What the model says of an operator where its value is open, or else unknown for this reason.
  Value open(ir::Op op, std::string_view reason) const;
  Value apply(const Value& function, std::span<const Value> arguments) const;
};

// The value of an application all of whose arguments are known.
using Rule = Value (*)(const Call&);

// How an operator is evaluated.
struct OpRule {
  ir::Op op = ir::Op::kNone;
  Rule rule = nullptr;
  const char* reason = nullptr;  // without a rule: why its value is unknown
};

// One list for each theory.
std::span<const OpRule> core_rules();
std::span<const OpRule> arithmetic_rules();
std::span<const OpRule> transcendental_rules();
std::span<const OpRule> bits_rules();
std::span<const OpRule> float_rules();
std::span<const OpRule> string_rules();
std::span<const OpRule> regex_rules();
std::span<const OpRule> sequence_rules();
std::span<const OpRule> array_rules();
std::span<const OpRule> data_rules();
std::span<const OpRule> set_rules();
std::span<const OpRule> bag_rules();
std::span<const OpRule> field_rules();
std::span<const OpRule> other_rules();

// The rule of a row of the operator table. Empty for the structural kinds, which the evaluator
// knows itself, and for what a user added.
const OpRule& rule_of(ir::Op op);

// --- Real numbers that an expression gives (transcendental_rules.cpp). ---

// An application some of whose arguments are such numbers.
Value apply_to_expressions(const Call& call, ir::Op op);
// The sign of a - b, unless they are too close to be told apart.
std::optional<int> compare_reals(const Call& call, const Value& a, const Value& b);

// --- For operators of many arguments. ---

// (f a b c) as (f (f a b) c).
template <typename Fold>
Value fold_left(const Call& call, Fold fold) {
  Value result = call.args[0];
  for (size_t i = 1; i < call.args.size() && result.known(); ++i)
    result = fold(result, call.args[i]);
  return result;
}

// Whether `holds` is true of all neighbours.
template <typename Holds>
Value chain(const Call& call, Holds holds) {
  for (size_t i = 0; i + 1 < call.args.size(); ++i) {
    if (!holds(call.args[i], call.args[i + 1])) return boolean(false);
  }
  return boolean(true);
}

}  // namespace elenchus::eval
