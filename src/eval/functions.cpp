// Functions and arrays as values: tables where possible, since tables can be compared, else
// closures.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "ir/walk.h"

namespace elenchus::eval {

using ir::Op;
using ir::TermId;

namespace {

// Combinations of arguments that are tried to make a table of a function.
constexpr uint64_t kMaxEntries = 4096;

}  // namespace

// (select a i ...) and (@ f x ...): the function, then its arguments.
void Evaluator::step_application(Frame& frame) {
  if (frame.stage == Stage::kBody) return finish_body(frame);
  if (!evaluate_arguments(frame)) return;
  const auto operands = std::span<const Value>(operands_).subspan(frame.operands);
  apply_in(frame, operands[0], operands.subspan(1));
}

void Evaluator::apply_in(Frame& frame, const Value& function, std::span<const Value> arguments) {
  if (function.kind == ValueKind::kSet) return finish(is_in(function, arguments[0]));
  const Function& body = values_.function(function);
  if (arguments.size() < body.arity) {
    return finish(apply_partially(body, arguments, terms_.sort(frame.term)));
  }
  const Value found = look_up(body, arguments);
  if (found.known() || !body.lambda.valid()) return finish(found);
  const auto captured = values_.list(body.captured);
  const auto free = free_.of(body.lambda);
  for (size_t i = 0; i < free.size(); ++i) bind(free[i], captured[i]);
  const auto formals = terms_.bound_variables(body.lambda);
  start_body(frame, formals, arguments, terms_.args(body.lambda).back());
}

Value Evaluator::is_in(const Value& set, const Value& element) {
  const auto listed = values_.items(set);
  if (!listed.empty() && !(values_.has_canonical_items(set) && values_.is_canonical(element))) {
    return values_.unknown("functions as elements cannot be compared");
  }
  const bool is_listed = std::binary_search(listed.begin(), listed.end(), element);
  return boolean(is_listed != ValueStore::is_complement(set));
}

// A table without its first columns: a function of the remaining arguments, of this sort.
Value Evaluator::apply_partially(const Function& function, std::span<const Value> arguments,
                                 ir::SortId sort) {
  const bool comparable = std::all_of(arguments.begin(), arguments.end(),
                                      [&](const Value& v) { return values_.is_canonical(v); });
  if (function.lambda.valid() || !comparable) {
    return values_.unknown("a function applied to some of its arguments only");
  }
  std::vector<std::vector<Value>> rows;
  const auto entries = values_.entries(function);
  for (size_t i = 0; i < entries.size(); i += function.arity + 1) {
    const auto row = entries.subspan(i, function.arity + 1);
    if (!std::equal(arguments.begin(), arguments.end(), row.begin())) continue;
    const auto rest = row.subspan(arguments.size());
    rows.emplace_back(rest.begin(), rest.end());
  }
  const auto sorts = terms_.sorts().children(sort);
  const Value otherwise = function.is_total ? rows.front().back() : function.otherwise;
  return domains_.function(sorts.first(sorts.size() - 1), std::move(rows), otherwise);
}

Value Evaluator::apply(const Value& function, std::span<const Value> arguments) {
  if (function.kind == ValueKind::kSet) return is_in(function, arguments[0]);
  if (function.kind != ValueKind::kFunction) return values_.unknown("not a function");
  const Function body = values_.function(function);
  if (arguments.size() != body.arity) {
    return values_.unknown("a function applied to some of its arguments only");
  }
  const Value found = look_up(body, arguments);
  if (found.known() || !body.lambda.valid()) return found;
  const size_t bound = bindings_.size();
  const auto captured = values_.list(body.captured);
  const auto free = free_.of(body.lambda);
  for (size_t i = 0; i < free.size(); ++i) bind(free[i], captured[i]);
  const auto formals = terms_.bound_variables(body.lambda);
  for (size_t i = 0; i < formals.size(); ++i) bind(formals[i], arguments[i]);
  const Value result = run(terms_.args(body.lambda).back());
  unbind(bound);
  return exact_or_unknown(result);
}

// In the table, or the default; unknown where a lambda must be asked, or keys cannot be compared.
Value Evaluator::look_up(const Function& function, std::span<const Value> arguments) {
  const auto entries = values_.entries(function);
  const size_t width = function.arity + 1;
  const auto key = [&](size_t i) { return entries.subspan(i * width, function.arity); };
  const size_t count = entries.size() / width;
  size_t low = 0;
  for (size_t high = count; low < high;) {
    const size_t middle = (low + high) / 2;
    const auto at = key(middle);
    if (std::lexicographical_compare(at.begin(), at.end(), arguments.begin(), arguments.end())) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < count && std::equal(arguments.begin(), arguments.end(), key(low).begin())) {
    return entries[low * width + function.arity];
  }
  const bool comparable = std::all_of(arguments.begin(), arguments.end(),
                                      [&](const Value& v) { return values_.is_canonical(v); });
  if (!comparable && count > 0) return values_.unknown("functions as arguments cannot be compared");
  if (function.lambda.valid()) return values_.unknown("not in the table");
  return function.otherwise;
}

// --- Stores. ---

// (store (store a i x) k y): the innermost array, then all indices and elements from the inside
// out. One table is made for the whole chain; tables for each part would take quadratic space.
std::vector<TermId> Evaluator::store_chain(TermId outermost) {
  std::vector<TermId> stores;
  TermId base = outermost;
  do {
    stores.push_back(base);
    base = terms_.args(base)[0];
  } while (terms_.meaning(base) == Op::kStore && find(base) == nullptr);
  std::vector<TermId> parts = {base};
  for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
    const auto args = terms_.args(*store);
    parts.insert(parts.end(), args.begin() + 1, args.end());
  }
  return parts;
}

void Evaluator::step_store(Frame& frame) {
  if (frame.stage == Stage::kArguments) {
    chains_.push_back(store_chain(frame.term));
    frame.stage = Stage::kBody;
  }
  const std::vector<TermId>& parts = chains_.back();
  for (;;) {
    const bool failed = frame.next > 0 && !operands_.back().known();
    if (failed || frame.next == parts.size()) break;
    if (!want(parts[frame.next++])) return;
  }
  chains_.pop_back();
  if (!operands_.back().known()) return finish(operands_.back());
  if (has_expressions(frame)) {
    return finish(values_.unknown("an array of numbers without exact value"));
  }
  const auto values = std::span<const Value>(operands_).subspan(frame.operands);
  finish(stored(terms_.sort(frame.term), values[0], values.subspan(1)));
}

namespace {

// In rows of arguments and result.
bool has_canonical_keys(const ValueStore& values, std::span<const Value> rows, size_t width) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i % width != width - 1 && !values.is_canonical(rows[i])) return false;
  }
  return true;
}

}  // namespace

Value Evaluator::stored(ir::SortId sort, const Value& array, std::span<const Value> parts) {
  if (array.kind == ValueKind::kSet) return stored_in_set(sort, array, parts);
  const Function& base = values_.function(array);
  const size_t width = base.arity + 1;
  const auto entries = values_.entries(base);
  pay((entries.size() + parts.size()) / width);
  if (!has_canonical_keys(values_, entries, width) || !has_canonical_keys(values_, parts, width)) {
    return values_.unknown("an index that cannot be compared with others");
  }
  const auto parameters = terms_.sorts().children(sort).first(base.arity);
  if (const auto changed = domains_.changed(parameters, parts, base)) return *changed;
  std::vector<std::vector<Value>> rows;
  const auto add_rows = [&](std::span<const Value> flat) {
    for (size_t i = 0; i < flat.size(); i += width) {
      const auto row = flat.subspan(i, width);
      rows.emplace_back(row.begin(), row.end());
    }
  };
  add_rows(entries);
  add_rows(parts);
  return domains_.function(parameters, std::move(rows), base);
}

// An array of Booleans is the set of where it is true.
Value Evaluator::stored_in_set(ir::SortId sort, const Value& set, std::span<const Value> parts) {
  if (!values_.has_canonical_items(set) || !has_canonical_keys(values_, parts, 2)) {
    return values_.unknown("an element that cannot be compared with others");
  }
  const bool complement = ValueStore::is_complement(set);
  const auto items = values_.items(set);
  pay(items.size() + parts.size() / 2);
  std::map<Value, bool> changes;  // the last one counts
  for (size_t i = 0; i < parts.size(); i += 2) changes[parts[i]] = parts[i + 1].is_true();
  std::vector<Value> listed;
  std::copy_if(items.begin(), items.end(), std::back_inserter(listed),
               [&](const Value& value) { return !changes.contains(value); });
  for (const auto& [value, is_member] : changes) {
    if (is_member != complement) listed.push_back(value);
  }
  return domains_.set(terms_.sorts().children(sort)[0], std::move(listed), complement);
}

// --- Making functions. ---

Value Evaluator::closure(TermId lambda) {
  const auto formals = terms_.bound_variables(lambda);
  const Value table = tabulate(formals, terms_.args(lambda).back());
  if (table.known()) return table;
  std::vector<Value> captured;
  for (const TermId variable : free_.of(lambda)) captured.push_back(slots_[variable.value].value);
  Function function;
  function.arity = static_cast<uint32_t>(formals.size());
  function.lambda = lambda;
  function.captured = values_.list(captured);
  return values_.function(function);
}

Value Evaluator::function_value(ir::FunId fun) {
  const ir::FunDecl& decl = terms_.fun(fun);
  if (!entry(fun).tried_table && decl.body.valid()) {
    entry(fun).tried_table = true;
    entry(fun).table = tabulate(terms_.formals(fun), decl.body);
  }
  if (entry(fun).definition != nullptr) table_of(fun);
  if (entry(fun).table.known()) return entry(fun).table;
  if (!decl.body.valid() && entry(fun).definition == nullptr) {
    const Value result = complete(fun, decl.result);
    if (!result.known()) return result;
    return domains_.function(terms_.params(fun), {}, result);
  }
  return values_.unknown(
      fmt::format("{} as a value: it is not a finite table", terms_.symbols().text(decl.name)));
}

// The model's definition as a table; unknown if it is none.
Value Evaluator::table_of(ir::FunId fun) {
  if (!entry(fun).tried_table) {
    entry(fun).tried_table = true;
    const ir::Definition& definition = *entry(fun).definition;
    const Value table = tabulate(definition.formals, definition.body);
    entry(fun).table = table;
  }
  return entry(fun).table;
}

Value Evaluator::tabulate(std::span<const TermId> formals, TermId body) {
  constexpr uint64_t kCost = 50;
  if (!pay(kCost)) return values_.unknown("too many steps");
  const Value chain = tabulate_chain(formals, body);
  if (chain.known()) return chain;
  const Value all = tabulate_all(formals, body);
  if (all.known()) return all;
  // It may want the table of a function that wants the table of another.
  if (tabulations_ >= settings_.nesting) return values_.unknown("tables nested too deeply");
  ++tabulations_;
  const Value table = tabulate_distinguished(formals, body);
  --tabulations_;
  return table;
}

bool Evaluator::is_closed_for(std::span<const TermId> formals, TermId term) {
  return !terms_.has(term, ir::kHasVariables) || !free_.any_free(formals, term);
}

// (ite (= x 1) a (ite (= x 2) b c)), and with several arguments conjunctions for conditions.
Value Evaluator::tabulate_chain(std::span<const TermId> formals, TermId body) {
  std::vector<std::vector<Value>> entries;
  TermId rest = body;
  while (terms_.op(rest) == Op::kIte) {
    const auto parts = terms_.args(rest);
    std::vector<Value> row;
    if (!is_closed_for(formals, parts[1]) || !read_key(parts[0], formals, row)) break;
    row.push_back(exact_or_unknown(run(parts[1])));
    if (!row.back().known()) return row.back();
    entries.push_back(std::move(row));
    rest = parts[2];
  }
  if (!is_closed_for(formals, rest)) return values_.unknown("not a chain of cases");
  const Value otherwise = exact_or_unknown(run(rest));
  if (!otherwise.known()) return otherwise;
  std::reverse(entries.begin(), entries.end());  // the first case counts, and for a table the last
  return function_of(formals, std::move(entries), otherwise);
}

// Reads (= x 1), or (and (= x 1) (= y 2)), as the values of all formals.
bool Evaluator::read_key(TermId condition, std::span<const TermId> formals,
                         std::vector<Value>& key) {
  const bool is_and = terms_.op(condition) == Op::kAnd;
  const std::span<const TermId> parts =
      is_and ? terms_.args(condition) : std::span<const TermId>(&condition, 1);
  key.assign(formals.size(), Value{});
  if (parts.size() != formals.size()) return false;
  for (const TermId part : parts) {
    const auto sides = terms_.args(part);
    if (terms_.op(part) != Op::kEq || sides.size() != 2) return false;
    const bool first = terms_.op(sides[0]) == Op::kVar;
    const auto formal = std::find(formals.begin(), formals.end(), sides[first ? 0 : 1]);
    const TermId value = sides[first ? 1 : 0];
    if (formal == formals.end() || !is_closed_for(formals, value)) return false;
    Value& place = key[static_cast<size_t>(formal - formals.begin())];
    if (place.known()) return false;
    place = run(value);
    if (!place.known() || !values_.is_canonical(place)) return false;
  }
  return true;
}

// By trying all arguments, where there are few.
Value Evaluator::tabulate_all(std::span<const TermId> formals, TermId body) {
  uint64_t count = 1;
  std::vector<std::span<const Value>> choices;
  for (const TermId formal : formals) {
    const auto size = domains_.cardinality(terms_.sort(formal));
    if (!size || *size > kMaxEntries || (count *= *size) > kMaxEntries) {
      return values_.unknown("too many arguments for a table");
    }
  }
  for (const TermId formal : formals) choices.push_back(domains_.all(terms_.sort(formal)));
  std::vector<std::vector<Value>> rows;
  const Value failure = rows_of(formals, body, choices, rows);
  if (rows.empty()) return failure;
  const Value otherwise = rows.front().back();
  return function_of(formals, std::move(rows), otherwise);
}

// By trying the arguments that the body can tell apart, and one that stands for all others: z3
// prints (or (= x 1) (= x 2)).
Value Evaluator::tabulate_distinguished(std::span<const TermId> formals, TermId body) {
  uint64_t count = 1;
  std::vector<std::vector<Value>> values(formals.size());
  for (size_t k = 0; k < formals.size(); ++k) {
    const bool is_table = distinguished_values(formals, body, formals[k], values[k]);
    if (!is_table || (count *= values[k].size()) > kMaxEntries) {
      return values_.unknown("not a finite table");
    }
  }
  const std::vector<std::span<const Value>> choices(values.begin(), values.end());
  std::vector<std::vector<Value>> rows;
  const Value failure = rows_of(formals, body, choices, rows);
  if (rows.empty()) return failure;
  // The last of each formal's values is the one that stands for others.
  const Value otherwise = rows.back().back();
  const auto is_of_others = [&](const std::vector<Value>& row) {
    for (size_t k = 0; k < formals.size(); ++k) {
      if (row[k] == values[k].back()) return true;
    }
    return false;
  };
  for (const auto& row : rows) {
    if (is_of_others(row) && row.back() != otherwise) return values_.unknown("not a finite table");
  }
  std::erase_if(rows, is_of_others);
  return function_of(formals, std::move(rows), otherwise);
}

// The arguments and the value of the body for each combination of the choices, those of the first
// formal changing fastest. No rows, and why, where one has no value.
Value Evaluator::rows_of(std::span<const TermId> formals, TermId body,
                         std::span<const std::span<const Value>> choices,
                         std::vector<std::vector<Value>>& rows) {
  uint64_t count = 1;
  for (const auto& some : choices) count *= some.size();
  const size_t bound = bindings_.size();
  for (uint64_t i = 0; i < count; ++i) {
    std::vector<Value> row;
    uint64_t left = i;
    for (size_t k = 0; k < formals.size(); ++k) {
      row.push_back(choices[k][left % choices[k].size()]);
      left /= choices[k].size();
      bind(formals[k], row.back());
    }
    row.push_back(exact_or_unknown(run(body)));
    unbind(bound);
    if (!row.back().known()) {
      rows.clear();
      return row.back();
    }
    rows.push_back(std::move(row));
  }
  return {};
}

Value Evaluator::function_of(std::span<const TermId> formals, std::vector<std::vector<Value>> rows,
                             const Value& otherwise) {
  std::vector<ir::SortId> sorts;
  sorts.reserve(formals.size());
  for (const TermId formal : formals) sorts.push_back(terms_.sort(formal));
  return domains_.function(sorts, std::move(rows), otherwise);
}

// --- Comparing. ---

// Values that hold functions are compared part by part.
Value Evaluator::equal(const Value& a, const Value& b) {
  if (a == b) return boolean(true);
  std::vector<std::pair<Value, Value>> pairs = {{a, b}};
  Value result = boolean(true);
  while (!pairs.empty()) {
    const auto [x, y] = pairs.back();
    pairs.pop_back();
    if (x == y) continue;
    if (values_.is_canonical(x) && values_.is_canonical(y)) return boolean(false);
    const Value part = equal_parts(x, y, pairs);
    if (part.is_false()) return part;
    if (!part.known()) result = part;
  }
  return result;
}

// Different values, one of which has no canonical form. Adds the parts that must be equal.
Value Evaluator::equal_parts(const Value& a, const Value& b,
                             std::vector<std::pair<Value, Value>>& pairs) {
  if (a.kind == ValueKind::kRegex) {
    num::RegexBudget budget(steps_left_);
    const auto same =
        values_.regex_query().equal(ValueStore::regex(a), ValueStore::regex(b), budget);
    pay(steps_left_ - budget.left());
    if (same) return boolean(*same);
    return values_.unknown("regular expressions that are too hard to compare");
  }
  if (a.kind == ValueKind::kExpression || b.kind == ValueKind::kExpression) {
    return equal_expressions(a, b);
  }
  if (a.kind == ValueKind::kFunction || b.kind == ValueKind::kFunction) {
    return equal_functions(a, b);
  }
  if (a.kind == ValueKind::kSet) return equal_sets(a, b);
  if (a.kind != ValueKind::kData && a.kind != ValueKind::kSeq) {
    return values_.unknown("functions inside sets or bags cannot be compared");
  }
  const auto left = values_.items(a);
  const auto right = values_.items(b);
  if (a.aux != b.aux || left.size() != right.size()) return boolean(false);
  for (size_t i = 0; i < left.size(); ++i) pairs.emplace_back(left[i], right[i]);
  return boolean(true);
}

// Different lists of elements are different sets, and so are those of all others. But a list of
// elements may have all that there are.
Value Evaluator::equal_sets(const Value& a, const Value& b) {
  if (!values_.has_canonical_items(a) || !values_.has_canonical_items(b)) {
    return values_.unknown("sets of functions cannot be compared");
  }
  if (ValueStore::is_complement(a) == ValueStore::is_complement(b)) return boolean(false);
  return values_.unknown("how many elements its complement has is not known");
}

// Only a difference can be shown.
Value Evaluator::equal_expressions(const Value& a, const Value& b) {
  const Call call{*this, terms_, values_, {}, {}};
  if (compare_reals(call, a, b)) return boolean(false);
  return values_.unknown("numbers that are too close to be told apart");
}

// Only a difference can be shown: at the arguments that one of them lists. A set lists elements, or
// the others.
Value Evaluator::equal_functions(const Value& a, const Value& b) {
  const auto arity = [&](const Value& v) {
    return v.kind == ValueKind::kSet ? 1 : values_.function(v).arity;
  };
  if (arity(a) != arity(b)) {
    return values_.unknown("functions of different arity cannot be compared");
  }
  for (const Value& listing : {a, b}) {
    const bool is_set = listing.kind == ValueKind::kSet;
    const auto listed =
        is_set ? values_.items(listing) : values_.entries(values_.function(listing));
    for (size_t i = 0; i < listed.size(); i += is_set ? 1 : arity(a) + 1) {
      const auto key = listed.subspan(i, arity(a));
      const Value left = apply(a, key);
      const Value right = apply(b, key);
      if (left.known() && right.known() && values_.is_canonical(left) &&
          values_.is_canonical(right) && left != right) {
        return boolean(false);
      }
    }
  }
  return values_.unknown("functions that are not tables cannot be compared");
}

}  // namespace elenchus::eval
