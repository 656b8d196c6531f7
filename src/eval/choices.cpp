// Which values of a quantified variable must be tried.
//
// A quantifier is decided by an instance: one where the body of `forall` is false, that of `exists`
// true. Values for which that cannot be need not be tried, and of values that the body cannot tell
// apart one is enough.
#include <algorithm>
#include <optional>

#include "eval/evaluator.h"
#include "ir/walk.h"
#include "num/arith.h"

namespace elenchus::eval {

using ir::Op;
using ir::TermId;

Evaluator::Choices Evaluator::choices_for(TermId quantifier, TermId variable) {
  const ir::SortId sort = terms_.sort(variable);
  Choices choices;
  choices.is_exhaustive = true;
  if (pinned_values(quantifier, variable, choices.values)) return choices;
  const auto size = domains_.cardinality(sort);
  const bool is_listed = size && *size <= Domains::kMaxListed;
  choices.is_cut = is_listed && *size >= steps_left_;
  if (is_listed && !choices.is_cut) {
    pay(*size);
    const auto all = domains_.all(sort);
    choices.values.assign(all.begin(), all.end());
    return choices;
  }
  if (bounded_values(quantifier, variable, choices.values)) return choices;
  if (distinguished_values(terms_.bound_variables(quantifier), terms_.args(quantifier).back(),
                           variable, choices.values)) {
    return choices;
  }
  choices.values.clear();
  const auto some = domains_.samples(sort);
  choices.values.assign(some.begin(), some.end());
  choices.is_exhaustive = false;
  return choices;
}

// What must hold for an instance to decide.
std::vector<Evaluator::Condition> Evaluator::conditions_of(TermId quantifier) {
  std::vector<Condition> todo = {
      {terms_.args(quantifier).back(), terms_.op(quantifier) == Op::kExists}};
  std::vector<Condition> conditions;
  while (!todo.empty()) {
    const auto [term, truth] = todo.back();
    todo.pop_back();
    const auto args = terms_.args(term);
    const Op op = terms_.meaning(term);
    if (op == Op::kNot) {
      todo.push_back({args[0], !truth});
    } else if (op == Op::kAnnotated) {
      todo.push_back({args[0], truth});
    } else if (op == (truth ? Op::kAnd : Op::kOr)) {
      for (const TermId arg : args) todo.push_back({arg, truth});
    } else if (op == Op::kImplies && !truth) {
      for (const TermId premise : args.first(args.size() - 1)) todo.push_back({premise, true});
      todo.push_back({args.back(), false});
    } else {
      conditions.push_back({term, truth});
    }
  }
  return conditions;
}

// --- Equations. ---

// (= x t) allows one value only, and so does a linear equation in x.
bool Evaluator::pinned_values(TermId quantifier, TermId variable, std::vector<Value>& values) {
  const auto variables = terms_.bound_variables(quantifier);
  const ir::SortId sort = terms_.sort(variable);
  for (const auto& [atom, truth] : conditions_of(quantifier)) {
    const auto sides = terms_.args(atom);
    if (!truth || terms_.op(atom) != Op::kEq || sides.size() != 2) continue;
    for (const size_t i : {0, 1}) {
      if (sides[i] != variable || !is_closed_for(variables, sides[1 - i])) continue;
      const Value value = run(sides[1 - i]);
      if (!value.known()) continue;
      values = {value};
      return true;
    }
    if (sort != ir::kIntSort && sort != ir::kRealSort) continue;
    const auto line = line_of(variables, variable, {sides[0], sides[1]});
    if (!line || line->second == 0) continue;
    const mpq_class root = -line->first / line->second;
    if (sort == ir::kRealSort) values = {values_.real(root)};
    if (sort == ir::kIntSort && num::is_integer(root)) values = {values_.integer(root.get_num())};
    return true;
  }
  return false;
}

// --- Bounds. ---

// Whether the term is a sum of multiples of the variable and of terms without any of the variables.
bool Evaluator::is_linear(std::span<const TermId> variables, TermId variable, TermId term) {
  std::vector<TermId> todo = {term};
  while (!todo.empty()) {
    const TermId part = todo.back();
    todo.pop_back();
    if (part == variable || is_closed_for(variables, part)) continue;
    const auto args = terms_.args(part);
    switch (terms_.meaning(part)) {
      case Op::kAdd:
      case Op::kSub:
      case Op::kNeg:
      case Op::kToReal: todo.insert(todo.end(), args.begin(), args.end()); break;
      case Op::kMul: {
        const auto is_open = [&](TermId arg) { return !is_closed_for(variables, arg); };
        if (std::count_if(args.begin(), args.end(), is_open) > 1) return false;
        todo.insert(todo.end(), args.begin(), args.end());
        break;
      }
      default: return false;
    }
  }
  return true;
}

// The difference of the two sides when the variable has this value.
std::optional<mpq_class> Evaluator::difference_at(const Sides& sides, TermId variable, int64_t at) {
  const size_t bound = bindings_.size();
  bind(variable, terms_.sort(variable) == ir::kIntSort ? ValueStore::integer(at)
                                                       : ValueStore::small_real(at));
  mpq_class numbers[2];
  bool good = true;
  for (const size_t i : {0, 1}) {
    const Value value = run(i == 0 ? sides.first : sides.second);
    const bool is_int = value.kind == ValueKind::kInt;
    good &= is_int || (value.kind == ValueKind::kReal && values_.is_rational(value));
    if (good) numbers[i] = is_int ? mpq_class(values_.big_integer(value)) : values_.rational(value);
  }
  unbind(bound);
  if (!good) return std::nullopt;
  return mpq_class(numbers[0] - numbers[1]);
}

// The difference of two linear sides as constant and factor of the variable; nothing if they are
// not linear.
std::optional<std::pair<mpq_class, mpq_class>> Evaluator::line_of(std::span<const TermId> variables,
                                                                  TermId variable,
                                                                  const Sides& sides) {
  if (!is_linear(variables, variable, sides.first)) return std::nullopt;
  if (!is_linear(variables, variable, sides.second)) return std::nullopt;
  const auto at_zero = difference_at(sides, variable, 0);
  const auto at_one = difference_at(sides, variable, 1);
  if (!at_zero || !at_one) return std::nullopt;
  return std::pair(*at_zero, mpq_class(*at_one - *at_zero));
}

namespace {

bool is_order(Op op) { return op == Op::kLe || op == Op::kLt || op == Op::kGe || op == Op::kGt; }

mpz_class ceiling(const mpq_class& value) { return -num::floor(mpq_class(-value)); }

// The integers between two bounds, as far as they are known.
struct Range {
  std::optional<mpz_class> low;
  std::optional<mpz_class> high;

  // constant + factor * x is below zero (or zero, unless strict); above zero when not `less`.
  void restrict(const std::pair<mpq_class, mpq_class>& line, bool less, bool strict) {
    const mpq_class root = -line.first / line.second;
    if ((line.second > 0) == less) {
      const mpz_class most = strict ? mpz_class(ceiling(root) - 1) : num::floor(root);
      if (!high || most < *high) high = most;
    } else {
      const mpz_class least = strict ? mpz_class(num::floor(root) + 1) : ceiling(root);
      if (!low || least > *low) low = least;
    }
  }
};

}  // namespace

// The integers that linear conditions on the variable leave, if they are few: for (forall ((x Int))
// (=> (and (<= 0 x) (< x 9)) p)) those from 0 to 8.
bool Evaluator::bounded_values(TermId quantifier, TermId variable, std::vector<Value>& values) {
  if (terms_.sort(variable) != ir::kIntSort) return false;
  const auto variables = terms_.bound_variables(quantifier);
  Range range;
  for (const auto& [atom, truth] : conditions_of(quantifier)) {
    const auto sides = terms_.args(atom);
    const Op op = terms_.op(atom);
    // A chain that must be false says less than its parts.
    if (!is_order(op) || (sides.size() != 2 && !truth)) continue;
    // A condition that must be false is its opposite.
    const bool less = (op == Op::kLe || op == Op::kLt) == truth;
    const bool strict = (op == Op::kLt || op == Op::kGt) == truth;
    for (size_t i = 0; i + 1 < sides.size(); ++i) {
      const auto line = line_of(variables, variable, {sides[i], sides[i + 1]});
      if (line && line->second != 0) range.restrict(*line, less, strict);
    }
  }
  if (!range.low || !range.high || *range.high - *range.low >= Domains::kMaxListed) return false;
  for (mpz_class at = *range.low; at <= *range.high; ++at) values.push_back(values_.integer(at));
  return true;
}

// --- Values that the body can tell apart. ---

// Where the variable is only compared for equality with given values, and an argument of tables,
// all values that neither those nor the tables mention are alike. One of these comes last.
bool Evaluator::distinguished_values(std::span<const TermId> variables, TermId body,
                                     TermId variable, std::vector<Value>& values) {
  if (terms_.has(body, ir::kHasBinders) || body == variable) return false;
  ir::Walker seen(terms_);
  std::vector<TermId> terms;
  seen.walk(body, [&](TermId term) { terms.push_back(term); });
  for (const TermId term : terms) {
    const auto [first, last] = ir::proper_args(terms_, term);
    for (uint32_t i = first; i < last; ++i) {
      if (terms_.args(term)[i] != variable) continue;
      if (!add_distinguished(term, i, variables, values)) return false;
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const Value other = domains_.other_than(terms_.sort(variable), values);
  if (!other.known()) return false;
  values.push_back(other);
  return true;
}

// The values of the argument at this position that the term treats in their own way.
bool Evaluator::add_distinguished(TermId term, size_t position, std::span<const TermId> variables,
                                  std::vector<Value>& values) {
  const auto args = terms_.args(term);
  Value table;
  size_t column = position;
  switch (terms_.meaning(term)) {
    case Op::kEq:
    case Op::kDistinct:
      for (size_t i = 0; i < args.size(); ++i) {
        if (i == position) continue;
        if (!is_closed_for(variables, args[i])) return false;
        values.push_back(run(args[i]));
        if (!values.back().known() || !values_.is_canonical(values.back())) return false;
      }
      return true;
    case Op::kCall: {
      const ir::FunId fun = terms_.callee(term);
      if (terms_.fun(fun).kind != ir::FunKind::kDeclared) return false;
      if (entry(fun).definition == nullptr) return true;  // completed: the same for all arguments
      table = table_of(fun);
      break;
    }
    case Op::kSelect:
      if (position == 0 || !is_closed_for(variables, args[0])) return false;
      table = run(args[0]);
      column = position - 1;
      break;
    default: return false;
  }
  if (table.kind == ValueKind::kSet) {
    const auto listed = values_.items(table);
    values.insert(values.end(), listed.begin(), listed.end());
    return true;
  }
  if (table.kind != ValueKind::kFunction) return false;
  const Function& function = values_.function(table);
  if (function.lambda.valid() || function.is_total) return false;
  const auto entries = values_.entries(function);
  for (size_t i = column; i < entries.size(); i += function.arity + 1) values.push_back(entries[i]);
  return true;
}

}  // namespace elenchus::eval
